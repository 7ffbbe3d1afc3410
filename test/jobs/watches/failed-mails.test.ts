import { afterAll, beforeAll, expect, it } from 'vitest';
import { withLease } from '../../../jobs/process/lease.ts';
import { mailWatches } from '../../../jobs/tasks/watches.ts';
import { mailDigests } from '../../../jobs/watches/digest.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { joinInstallation } from '../../../schema/accounts/installation.ts';
import { returnAddress } from '../../../schema/accounts/watches/bounces.ts';
import type { DeliveryRow } from '../../../schema/accounts/watches/deliveries.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { openMail, type SendMail } from '../../../schema/process/mail.ts';
import { type Mailbox, startMailbox } from '../../api/web/mailbox.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runCliWith, runHere } from '../../support/run-command.ts';
import { addDelivery, addWatch, SERVICE_SECRET } from './seed.ts';

let mailbox: Mailbox;
let built: Awaited<ReturnType<typeof makeJobServices>>;
beforeAll(async () => {
  mailbox = await startMailbox();
  built = await makeJobServices({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Data <data@example.org>',
    MAIL_BOUNCES: 'Bounces@example.org',
    APP_URL: 'http://data.example',
    AUTH_SECRET: SERVICE_SECRET,
  });
});
afterAll(async () => {
  await built?.close();
  await mailbox?.close();
});

const MINUTE_MS = 60_000;
const accounts = () => built.services.accounts;
const environment = () => ({ DATA_DIR: built.folder, AUTH_SECRET: SERVICE_SECRET });

/** Somebody with two watches that are mailed and one that is not. */
async function addPerson(email: string): Promise<string[]> {
  await accounts().write([
    {
      sql: 'INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES (?1, ?1, ?1, 1, 1, 1)',
      args: [email],
    },
  ]);
  const options = { name: 'Somebody', userId: email, signupCredits: 250, at: isoInstant(new Date()) };
  const { id } = await createAccount(accounts(), options);
  const ids: string[] = [];
  for (const webhook of [null, null, 'https://example.org/hook'])
    ids.push((await addWatch(accounts(), { account_id: id, webhook, every: 'day' })).id);
  return ids;
}

async function statesOf(ids: readonly string[]) {
  const rows = await accounts().read<WatchRow>({
    sql: 'SELECT id, state, reason FROM watch WHERE id IN (SELECT value FROM json_each(?))',
    args: [JSON.stringify(ids)],
  });
  return ids.map((id) => rows.find((row) => row.id === id)).map((row) => row?.reason ?? row?.state);
}

/** What a mail server reports to the return address of a mail (RFC 3464). */
const report = (to: string, action: string) =>
  `From: MAILER-DAEMON@mx.example.net
To: <${to}>
Content-Type: multipart/report; report-type=delivery-status; boundary="a"

--a
Content-Type: text/plain

Your message was not delivered.
--a
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; nobody@example.net
Action: ${action}
Status: ${action === 'failed' ? '5.1.1' : '4.2.0'}
--a--
`.replaceAll('\n', '\r\n');

it('a mail that comes back stops all mail of watches to its address, and nobody else’s', async () => {
  const [watches, others] = [await addPerson('nobody@example.net'), await addPerson('somebody@example.net')];
  await addDelivery(accounts(), watches[0] ?? '', ['a']);
  expect(await mailWatches(built.services)).toMatchObject({ result: 1 });
  const [returnTo = ''] = mailbox.returns;
  expect(returnTo).toMatch(/^Bounces\+[0-9a-f]{32}@example\.org$/);
  expect(mailbox.mails[0]).toMatch(/^From: Data <data@example\.org>/m);
  const untouched = ['active', 'active', 'active'];
  const unsaid = [
    report(returnTo, 'delayed'),
    `To: ${returnTo}\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n`,
    report(
      returnTo.replace(/\+./, (start) => (start === '+0' ? '+1' : '+0')),
      'failed',
    ),
    '',
  ];
  for (const message of unsaid) {
    const { code, stdout } = await runCliWith(message, environment(), 'watches', 'bounced');
    expect([code, stdout]).toEqual([0, 'no mail of a watch came back for good: nothing was changed\n']);
  }
  expect(await statesOf(watches)).toEqual(untouched);
  // Some servers write the part before the @ in small letters.
  const came = await runCliWith(report(returnTo.toLowerCase(), 'failed'), environment(), 'watches', 'bounced');
  expect([came.code, came.stdout]).toEqual([0, '2 watches mailed to nobody@example.net paused\n']);
  expect(await statesOf(watches)).toEqual(['mail_bounced', 'mail_bounced', 'active']);
  expect(await statesOf(others)).toEqual(untouched);
  // What it had to send waits, and its owner is told on the dashboard alone.
  await addDelivery(accounts(), watches[1] ?? '', ['b']);
  expect(await mailWatches(built.services)).toMatchObject({ result: 0 });
});

it('a mail that comes back to a command with another AUTH_SECRET is not said to be none', async () => {
  const { services } = built;
  const joined = { secret: SERVICE_SECRET, toolPrefix: 'svc_' };
  await joinInstallation(accounts(), joined, { program: '1', at: isoInstant(services.clocks.wallNow()) });
  const watches = await addPerson('lost@example.net');
  const returnTo = returnAddress('bounces@example.org', watches[0] ?? '', SERVICE_SECRET);
  const bounce = (secret: string) =>
    runCliWith(report(returnTo, 'failed'), { ...environment(), AUTH_SECRET: secret }, 'watches', 'bounced');
  expect(await bounce('another one, of 32 characters or more')).toEqual({
    code: 1,
    stdout: '',
    stderr: "AUTH_SECRET differs from the installation's: set the same one here, then try again\n",
  });
  expect(await bounce(SERVICE_SECRET)).toMatchObject({
    code: 0,
    stdout: '2 watches mailed to lost@example.net paused\n',
  });
});

it('an address that a mail provider reports is stopped by its name', async () => {
  const watches = await addPerson('gone@example.net');
  const { stdout } = await runHere(environment(), 'watches', 'bounced', 'Gone@Example.net');
  expect(stdout).toBe('2 watches mailed to Gone@Example.net paused\n');
  expect(await statesOf(watches)).toEqual(['mail_bounced', 'mail_bounced', 'active']);
  expect((await runHere(environment(), 'watches', 'bounced', 'gone@example.net')).stdout).toMatch(/^0 watches/);
  for (const none of ['not an address', ''])
    expect(await runHere(environment(), 'watches', 'bounced', none)).toMatchObject({ code: 2, stdout: '' });
});

it('a mail is tried again ten minutes after it failed, however long it and those before it took', async () => {
  const [one = '', other = ''] = await addPerson('slow@example.org');
  const ids = [await addDelivery(accounts(), one, ['a']), await addDelivery(accounts(), other, ['a'])];
  let nowMs = Date.parse('2026-06-01T09:00:00Z');
  const clocks = { catalogueNow: () => new Date(nowMs), wallNow: () => new Date(nowMs) };
  const failedAt: number[] = [];
  const hang = async () => {
    nowMs += 15 * MINUTE_MS;
    failedAt.push(nowMs);
    throw new Error('no answer');
  };
  await withLease(accounts(), 'watch_mail', { holder: 'a test' }, (holding) =>
    mailDigests({ ...built.services, clocks }, hang, holding),
  );
  const due = await accounts().read<{ next_attempt_at: number }>({
    sql: 'SELECT next_attempt_at FROM watch_delivery WHERE id IN (?, ?) ORDER BY number',
    args: ids,
  });
  expect(due.map((row) => row.next_attempt_at)).toEqual(failedAt.map((atMs) => atMs + 10 * MINUTE_MS));
});

it('a watch whose address was refused for three days is paused', async () => {
  const [id = ''] = await addPerson('full@example.org');
  const delivery = await addDelivery(accounts(), id, ['a']);
  let nowMs = Date.parse('2026-06-01T09:00:00Z');
  const clocks = { catalogueNow: () => new Date(nowMs), wallNow: () => new Date(nowMs) };
  let fault: object = { code: 'ECONNREFUSED', command: 'CONN' };
  const fail = () => Promise.reject(Object.assign(new Error(), fault));
  const turn = () =>
    withLease(accounts(), 'watch_mail', { holder: 'a test' }, (holding) =>
      mailDigests({ ...built.services, clocks }, fail, holding),
    );
  const read = async () => {
    const sql = 'SELECT attempts, status, error, refused_since FROM watch_delivery WHERE id = ?';
    const [row] = await accounts().read<DeliveryRow>({ sql, args: [delivery] });
    return [row?.attempts, row?.status, row?.error, row?.refused_since, ...(await statesOf([id]))];
  };
  const failUntil = async (instant: string) => {
    for (; nowMs < Date.parse(instant); nowMs += 10 * MINUTE_MS) await turn();
    return read();
  };
  const before = await failUntil('2026-06-05T09:00:00Z');
  expect(before).toEqual([576, 'waiting', 'the mail server did not take it', null, 'active']);
  fault = { command: 'RCPT TO', responseCode: 452 };
  const since = '2026-06-05T09:00:00Z';
  const waits = `the mail server refuses the address for now, since ${since}`;
  expect(await failUntil('2026-06-08T09:00:00Z')).toEqual([576 + 432, 'waiting', waits, since, 'active']);
  await turn();
  expect(await read()).toEqual([576 + 433, 'failed', 'the mail server refused the address', null, 'mail_refused']);
});

it('a watch whose mail is refused for its length is paused with that reason', async () => {
  const [id = ''] = await addPerson('short@example.org');
  const delivery = await addDelivery(accounts(), id, ['a']);
  mailbox.refused.push('the end of a mail');
  const mail = (await openMail(built.services.settings)) as SendMail;
  await withLease(accounts(), 'watch_mail', { holder: 'a test' }, (holding) =>
    mailDigests(built.services, mail, holding),
  );
  mailbox.refused.length = 0;
  const sql = 'SELECT status, error FROM watch_delivery WHERE id = ?';
  const refused = { status: 'failed', error: 'the mail server refused the mail' };
  expect(await accounts().read<DeliveryRow>({ sql, args: [delivery] })).toMatchObject([refused]);
  expect(await statesOf([id])).toEqual(['text_refused']);
  mailbox.mails.length = 0;
  for (const sent of [1, 0]) expect(await mailWatches(built.services)).toMatchObject({ result: sent });
  expect(mailbox.mails[0]).toContain('it is too long, or seems unwanted');
});
