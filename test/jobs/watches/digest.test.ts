import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withLease } from '../../../jobs/process/lease.ts';
import { mailWatches } from '../../../jobs/tasks/watches.ts';
import { mailDigests } from '../../../jobs/watches/digest.ts';
import { layDigest } from '../../../jobs/watches/digest-layout.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { DeliveryRow } from '../../../schema/accounts/watches/deliveries.ts';
import { nextDigest, pauseStatement } from '../../../schema/accounts/watches/lifecycle.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { readStopToken } from '../../../schema/accounts/watches/secret.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { type Database, DatabaseAway } from '../../../schema/db/interface.ts';
import { type Mailbox, startMailbox } from '../../api/web/mailbox.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { addDelivery, addWatch, SERVICE_SECRET } from './seed.ts';

let mailbox: Mailbox;
let built: Awaited<ReturnType<typeof makeJobServices>>;
beforeAll(async () => {
  mailbox = await startMailbox();
  built = await makeJobServices({
    SMTP_URL: mailbox.url.replace('//', '//user:password@'),
    MAIL_FROM: 'data@example.org',
    APP_URL: 'http://data.example',
    AUTH_SECRET: SERVICE_SECRET,
  });
});
afterAll(async () => {
  await built?.close();
  await mailbox?.close();
});
beforeEach(() => {
  mailbox.mails.length = 0;
  mailbox.refused.length = 0;
});

const accounts = () => built.services.accounts;
let people = 0;

/** Somebody who signed up, with credits and a watch that is mailed to them. */
async function addPerson(): Promise<{ email: string; watchId: string; accountId: string }> {
  people += 1;
  const email = `person${people}@example.org`;
  await accounts().write([
    {
      sql: 'INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES (?, ?, ?, 1, 1, 1)',
      args: [`user${people}`, 'Somebody', email],
    },
  ]);
  const { id: accountId } = await createAccount(accounts(), {
    name: 'Somebody',
    userId: `user${people}`,
    signupCredits: 250,
    at: isoInstant(new Date()),
  });
  const { id: watchId } = await addWatch(accounts(), { account_id: accountId, webhook: null, every: 'day' });
  return { email, watchId, accountId };
}

async function readDelivery(id: string | null): Promise<DeliveryRow | undefined> {
  const sql = 'SELECT * FROM watch_delivery WHERE id = ?';
  const [row] = await accounts().read<DeliveryRow>({ sql, args: [id] });
  return row;
}

/** A turn some minutes from now. */
async function turn(minutes: number): Promise<number> {
  const now = new Date(Date.now() + minutes * 60_000);
  const clocks = { catalogueNow: () => now, wallNow: () => now };
  const { openMail } = await import('../../../schema/process/mail.ts');
  const mail = await openMail(built.services.settings);
  if (!mail) throw new Error('there is a mail server');
  const done = await withLease(accounts(), 'watch_mail', { holder: 'a test' }, (holding) =>
    mailDigests({ ...built.services, clocks }, mail, holding),
  );
  return done.acquired ? done.result : -1;
}

describe('the mail of a watch', () => {
  it('is sent once, to the holder of the account, with one click to end it', async () => {
    const { email, watchId } = await addPerson();
    const id = await addDelivery(accounts(), watchId, ['a', 'b']);
    expect(await mailWatches(built.services)).toMatchObject({ result: 1 });
    expect(await mailWatches(built.services)).toMatchObject({ result: 0 });
    const [mail = ''] = mailbox.mails;
    expect(mail).toContain(`To: ${email}`);
    expect(mail).toContain('Subject: Bridges: 2 changes');
    expect(mail).toContain(`<${id}@data.example>`);
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const token = /List-Unsubscribe: <http:\/\/data\.example\/watches\/stop\/([^>\s]+)>/.exec(
      mail.replaceAll(/\r\n\s+/g, ' '),
    )?.[1];
    expect(readStopToken(token ?? '', SERVICE_SECRET)).toBe(watchId);
    expect(mail).toContain(`Change this watch: http://data.example/dashboard/watches/${watchId}`);
    expect(await readDelivery(id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('leaves after ten minutes where its process was killed after the note', async () => {
    const { watchId } = await addPerson();
    const id = await addDelivery(accounts(), watchId, ['a']);
    const noted = Date.now();
    await accounts().write([
      {
        sql: 'UPDATE watch_delivery SET sending_at = ?, next_attempt_at = ? WHERE id = ?',
        args: [isoInstant(new Date(noted)), noted + 600_000, id],
      },
    ]);
    expect(await turn(9)).toBe(0);
    expect(await turn(11)).toBe(1);
    expect(await readDelivery(id)).toMatchObject({ status: 'delivered' });
  });

  it('is sent once where the accounts server is away for a moment right after it was sent', async () => {
    const { watchId } = await addPerson();
    const id = await addDelivery(accounts(), watchId, ['a']);
    let isAway = false;
    const write: Database['write'] = async (statements) => {
      if (isAway || mailbox.mails.length === 0) return accounts().write(statements);
      isAway = true;
      throw new DatabaseAway('it is started again');
    };
    const services = { ...built.services, accounts: { ...accounts(), url: 'http://accounts.example', write } };
    expect(await mailWatches(services)).toMatchObject({ result: 1 });
    expect(await readDelivery(id)).toMatchObject({ status: 'delivered', attempts: 1, error: null });
    expect(isAway).toBe(true);
  });

  it('is sent again where the mail server refuses our login or our sender, and its watch continues', async () => {
    const { watchId } = await addPerson();
    const id = await addDelivery(accounts(), watchId, ['a']);
    const read = async () => {
      const sql = 'SELECT state FROM watch WHERE id = ?';
      const [row] = await accounts().read<WatchRow>({ sql, args: [watchId] });
      return [row?.state, (await readDelivery(id))?.status];
    };
    for (const [number, command] of ['AUTH', 'MAIL FROM'].entries()) {
      mailbox.refused.splice(0, 1, command);
      expect(await turn(number * 11)).toBe(0);
      expect(await read()).toEqual(['active', 'waiting']);
    }
    mailbox.refused.length = 0;
    expect(await turn(22)).toBe(1);
    expect(await read()).toEqual(['active', 'delivered']);
  });

  it('pauses its watch where the mail server refuses the address for good', async () => {
    const { watchId } = await addPerson();
    const id = await addDelivery(accounts(), watchId, ['a']);
    mailbox.refused.push('RCPT TO');
    expect(await turn(0)).toBe(0);
    expect(await readDelivery(id)).toMatchObject({ status: 'failed', error: 'the mail server refused the address' });
  });

  it('is not sent any more where nobody signed up for the account: its watch is paused', async () => {
    const { id: accountId } = await createAccount(accounts(), {
      name: 'A program',
      signupCredits: 10,
      at: isoInstant(new Date()),
    });
    const { id: watchId } = await addWatch(accounts(), { account_id: accountId, webhook: null });
    const id = await addDelivery(accounts(), watchId, ['a']);
    expect(await turn(0)).toBe(0);
    expect(await readDelivery(id)).toMatchObject({ status: 'failed', error: 'the mail server refused the address' });
    const sql = 'SELECT * FROM watch WHERE id = ?';
    expect(await accounts().read<WatchRow>({ sql, args: [watchId] })).toMatchObject([
      { state: 'paused', reason: 'mail_refused' },
    ]);
    expect(await verifyLedger(accounts())).toMatchObject({ faults: [] });
  });
});

describe('a watch that stopped', () => {
  it('has its owner mailed, once until it is over', async () => {
    const { email, watchId } = await addPerson();
    await accounts().write([
      { sql: "UPDATE watch SET state = 'waiting', reason = 'no_credits' WHERE id = ?", args: [watchId] },
    ]);
    expect(await mailWatches(built.services)).toMatchObject({ result: 1 });
    expect(mailbox.mails[0]).toContain(`To: ${email}`);
    expect(mailbox.mails[0]).toContain(`Resume or change it: http://data.example/dashboard/watches/${watchId}`);
    expect(await mailWatches(built.services)).toMatchObject({ result: 0 });
  });

  it('because its receiver failed has its owner told for how long that is kept', async () => {
    const { watchId } = await addPerson();
    await accounts().write([pauseStatement(watchId, 'receiver_failed')]);
    await mailWatches(built.services);
    const mail = mailbox.mails[0]?.replaceAll('=\r\n', '');
    expect(mail).toContain('or answered that it is gone (410)');
    expect(mail).toContain('What failed is kept for 7 days.');
    expect(mail).not.toContain('Nothing is lost');
  });
});

describe('the layout of a digest', () => {
  const item = { title: 'Repair <b>now</b> & later', buyer: 'A & B Council', value: 1_250_000, currency: 'GBP' };
  const { text, html } = layDigest({
    name: 'Bridges "north"',
    items: [
      {
        kind: 'contract',
        id: 'ocds-h6vhtk-9/21#b?c-a-1',
        change: 'updated',
        item: { title: 'Lifts', supplier: 'Up Ltd', value: 2_500, currency: 'EUR', ends: '2027-03-31' },
      },
      { kind: 'notice', id: 'x', change: 'new', item: { ...item, notice_id: '000001-2026', deadline: '2026-07-01' } },
      { kind: 'notice', id: 'y', change: 'left' },
    ],
    attribution: 'Source: The Office & Sons.',
    appUrl: 'https://data.example',
    manageUrl: 'https://data.example/dashboard/watches/wat_1',
    stopUrl: 'https://data.example/watches/stop/t',
  });

  it('begins with what is new and says what tells whether it is worth a look', () => {
    expect(text.indexOf('New (1)')).toBeLessThan(text.indexOf('Changed (1)'));
    expect(text).toContain('A & B Council · £1,250,000 · deadline 1 July 2026');
    expect(text).toContain('https://data.example/notices/000001-2026');
    expect(text).toContain('https://data.example/contracts/ocds-h6vhtk-9%2F21%23b%3Fc-a-1\n');
    expect(text).toContain('Up Ltd · €2,500 · ends 31 March 2027');
    expect(text).toContain('It no longer matches this watch.');
  });

  it('escapes every published text', () => {
    expect(html).toContain('Repair &lt;b&gt;now&lt;/b&gt; &amp; later');
    expect(html).toContain('Bridges &quot;north&quot;');
    expect(html).not.toContain('<b>now');
  });

  it('ends with what the publishers ask for', () => {
    expect(text).toMatch(/End these mails: \S+\n\nSource: The Office & Sons\.\n$/);
    expect(html).toContain('Source: The Office &amp; Sons.');
  });
});

describe('the next digest', () => {
  const at = (every: 'day' | 'week', now: string) => nextDigest(every, new Date(now), 7)?.toISOString();
  it('is at the hour of London, in winter and summer', () => {
    expect(at('day', '2026-01-10T06:59:00Z')).toBe('2026-01-10T07:00:00.000Z');
    expect(at('day', '2026-01-10T07:00:00Z')).toBe('2026-01-11T07:00:00.000Z');
    expect(at('day', '2026-06-10T06:30:00Z')).toBe('2026-06-11T06:00:00.000Z');
    // The night in which the clocks go forward.
    expect(at('day', '2026-03-28T12:00:00Z')).toBe('2026-03-29T06:00:00.000Z');
  });
  it('is on a Monday where it is weekly', () => {
    expect(at('week', '2026-06-03T12:00:00Z')).toBe('2026-06-08T06:00:00.000Z');
    expect(at('week', '2026-06-08T06:00:00Z')).toBe('2026-06-15T06:00:00.000Z');
  });
});
