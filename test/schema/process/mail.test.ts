import { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readSettings } from '../../../schema/config/settings.ts';
import { openMail, sayFault } from '../../../schema/process/mail.ts';
import { type Mailbox, startMailbox } from '../../api/web/mailbox.ts';

const IPV6 = '::1';
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === IPV6));
if (!hasIpv6) console.warn(`skipped: mail to an IPv6 address needs a machine that has one (${IPV6})`);

let mailbox: Mailbox;
beforeEach(() => start());
afterEach(() => mailbox.close());

async function start(address?: string): Promise<void> {
  mailbox = await startMailbox(address);
  mailbox.refused.push('STARTTLS');
}

/** Sends a mail to the mailbox, which has no TLS, by one of its addresses. Returns what a log says where it was not sent. */
async function send(host: string, user = ''): Promise<ReturnType<typeof sayFault> | null> {
  const SMTP_URL = `smtp://${user}${host}:${new URL(mailbox.url).port}`;
  const mail = await openMail(readSettings({ SMTP_URL, MAIL_FROM: 'data@example.org' }));
  const sent = mail?.({ to: 'person@example.org', subject: 'Hello', text: 'Hello' });
  return sent ? sent.then(() => null, sayFault) : { hint: 'no mail server' };
}

describe('a mail server without TLS', () => {
  it('is sent no password, and the log says what to set', async () => {
    // Another name of this machine, which none knows for loopback.
    expect(await send('0.0.0.0', 'user:password@')).toMatchObject({
      code: 'ETLS',
      hint: expect.stringContaining('smtps:'),
    });
    expect(mailbox.commands.filter((command) => command.startsWith('AUTH'))).toEqual([]);
    expect(mailbox.mails).toEqual([]);
  });

  it('is sent one on this machine', async () => {
    expect(await send('127.0.0.1', 'user:password@')).toBeNull();
    expect(mailbox.mails).toHaveLength(1);
  });

  it('gets mail where it asks for no password', async () => {
    expect(await send('0.0.0.0')).toBeNull();
    expect(mailbox.mails).toHaveLength(1);
  });

  it.skipIf(!hasIpv6)('may be an IPv6 address', async () => {
    await mailbox.close();
    await start(IPV6);
    expect(await send('[::1]', 'user:password@')).toBeNull();
    expect(mailbox.mails).toHaveLength(1);
  });
});

it.each([
  ['UK Tenders: alerts <data@example.org>', '"UK Tenders: alerts" <data@example.org>'],
  ['Data, UK (trial) <data@example.org>', '"Data, UK (trial)" <data@example.org>'],
  ['"Data, UK" <data@example.org>', '"Data, UK" <data@example.org>'],
  ['Données <data@example.org>', '=?UTF-8?Q?Donn=C3=A9es?= <data@example.org>'],
])('a mail is from one address, whatever characters its name has: %s', async (MAIL_FROM, from) => {
  const mail = await openMail(readSettings({ SMTP_URL: mailbox.url, MAIL_FROM }));
  await mail?.({ to: 'person@example.org', subject: 'Hello', text: 'Hello' });
  expect(mailbox.mails[0]).toContain(`\r\nFrom: ${from}\r\n`);
});

it('a mail says that a program wrote it, so that no program answers it', async () => {
  await send('127.0.0.1');
  expect(mailbox.mails[0]).toMatch(/^Auto-Submitted: auto-generated\r$/m);
});

it('a mail that its server checks for longer than a greeting may take is sent, and not said to have failed', async () => {
  // Deadlines of connections are over a hundred times as fast: the 10 s of a greeting in 100 ms.
  const { setTimeout: limit } = Socket.prototype;
  const quick = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, late) {
    return limit.call(this, ms / 100, late);
  });
  onTestFinished(() => quick.mockRestore());
  mailbox.checksForMs = 300;
  expect(await send('127.0.0.1')).toBeNull();
  expect(mailbox.mails).toHaveLength(1);
  expect(quick).toHaveBeenCalled();
});
