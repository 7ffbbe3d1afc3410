import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendLowBalanceMail } from '../../../jobs/tasks/low-balance-mail.ts';
import { createAccount, noteLowBalanceStatement, setAccountState } from '../../../schema/accounts/customer/account.ts';
import { grantStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { type Mailbox, startMailbox } from '../../api/web/mailbox.ts';
import { makeJobServices } from '../../support/job-services.ts';

let mailbox: Mailbox;
let built: Awaited<ReturnType<typeof makeJobServices>>;
beforeAll(async () => {
  mailbox = await startMailbox();
  built = await makeJobServices({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'data@example.org',
    APP_URL: 'http://data.example',
  });
});
afterAll(async () => {
  await built?.close();
  await mailbox?.close();
});
beforeEach(() => {
  mailbox.mails.length = 0;
});

const at = isoInstant(new Date());
let people = 0;
let lines = 0;

/** Somebody with 250 credits. */
async function addPerson(): Promise<{ id: string; email: string }> {
  people += 1;
  const email = `person${people}@example.org`;
  await built.services.accounts.write([
    {
      sql: 'INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES (?, ?, ?, 1, 1, 1)',
      args: [`user${people}`, 'Somebody', email],
    },
  ]);
  const { id } = await createAccount(built.services.accounts, {
    name: 'Somebody',
    userId: `user${people}`,
    signupCredits: 250,
    at,
  });
  return { id, email };
}

async function spend(id: string, credits: number): Promise<void> {
  lines += 1;
  const sql = `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, created_at)
               VALUES (?, 'charge', ?, '@revenue', ?, 'lookup_thing', ?)`;
  await built.services.accounts.write([{ sql, args: [`charge:low${lines}`, id, credits, at] }]);
}

async function give(id: string, credits: number): Promise<void> {
  lines += 1;
  await built.services.accounts.write([grantStatement({ key: `low${lines}`, accountId: id, credits, at })]);
}

/** Whom a turn of the job writes to. */
async function tell(): Promise<string[]> {
  mailbox.mails.length = 0;
  await sendLowBalanceMail(built.services);
  return mailbox.mails.map((mail) => /^To: (\S+)\r$/m.exec(mail)?.[1] ?? '').sort();
}

describe('a balance that falls low', () => {
  it('is mailed once, and again only after it was back at the limit', async () => {
    const { id, email } = await addPerson();
    expect(await tell()).toEqual([]);
    await spend(id, 201);
    expect(await tell()).toEqual([email]);
    expect(mailbox.mails[0]).toContain('49 credits are left');
    expect(mailbox.mails[0]).toContain('http://data.example/dashboard/billing');
    expect(await tell()).toEqual([]);
    // Less than the bound: it has not been back.
    await spend(id, 10);
    await give(id, 5);
    expect(await tell()).toEqual([]);
    // Back and low again between two turns.
    await give(id, 100);
    await spend(id, 120);
    expect(await tell()).toEqual([email]);
    await spend(id, 1);
    expect(await tell()).toEqual([]);
  });

  it('is mailed by one of two processes', async () => {
    const { id, email } = await addPerson();
    await spend(id, 240);
    mailbox.mails.length = 0;
    await Promise.all([sendLowBalanceMail(built.services), sendLowBalanceMail(built.services)]);
    expect(mailbox.mails.filter((mail) => mail.includes(email))).toHaveLength(1);
  });

  it('is not mailed to those who declined, nor for a frozen, closed or unused account', async () => {
    const [unwilling, frozen, closed] = [await addPerson(), await addPerson(), await addPerson()];
    for (const { id } of [unwilling, frozen, closed]) await spend(id, 245);
    const off = { sql: 'UPDATE account SET low_balance_mail = 0 WHERE id = ?', args: [unwilling.id] };
    await built.services.accounts.write([off]);
    await setAccountState(built.services.accounts, frozen.id, 'frozen');
    await setAccountState(built.services.accounts, closed.id, 'closed');
    await createAccount(built.services.accounts, { name: 'nobody to write to', signupCredits: 0, at });
    expect(await tell()).toEqual([]);
  });

  it('is not mailed where it recovered, or its holder thought better of it, since it was read', async () => {
    const { accounts, settings } = built.services;
    const [recovered, unwilling, frozen, low] = [
      await addPerson(),
      await addPerson(),
      await addPerson(),
      await addPerson(),
    ];
    for (const { id } of [recovered, unwilling, frozen, low]) await spend(id, 201);
    await give(recovered.id, 1);
    await accounts.write([{ sql: 'UPDATE account SET low_balance_mail = 0 WHERE id = ?', args: [unwilling.id] }]);
    await setAccountState(accounts, frozen.id, 'frozen');
    const noted = await accounts.write(
      [recovered, unwilling, frozen, low].map(({ id }) => noteLowBalanceStatement(id, settings.LOW_BALANCE_CREDITS)),
    );
    expect(noted.map(({ changes }) => changes)).toEqual([0, 0, 0, 1]);
  });

  it('is mailed by the next run after the mail server was out, and never without one', async () => {
    const { id, email } = await addPerson();
    await spend(id, 245);
    const settings = { ...built.services.settings, SMTP_URL: 'smtp://127.0.0.1:1' };
    expect(await sendLowBalanceMail({ ...built.services, settings })).toEqual({ acquired: true, result: 0 });
    const without = { ...built.services.settings, SMTP_URL: undefined };
    expect(await sendLowBalanceMail({ ...built.services, settings: without })).toEqual({ acquired: true, result: 0 });
    mailbox.refused.push('MAIL FROM');
    expect(await tell()).toEqual([]);
    mailbox.refused.length = 0;
    expect(await tell()).toEqual([email]);
  });

  it('is not mailed again to an address that is refused for good', async () => {
    const { id } = await addPerson();
    await spend(id, 245);
    mailbox.refused.push('RCPT TO');
    expect(await tell()).toEqual([]);
    mailbox.refused.length = 0;
    expect(await tell()).toEqual([]);
  });
});
