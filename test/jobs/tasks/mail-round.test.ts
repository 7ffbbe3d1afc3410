import { afterAll, beforeAll, expect, it } from 'vitest';
import { withLease } from '../../../jobs/process/lease.ts';
import { redactDeliveries } from '../../../jobs/takedown/accounts.ts';
import { takeDown } from '../../../jobs/takedown/run.ts';
import { mailDigests } from '../../../jobs/watches/digest.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { pauseStatement } from '../../../schema/accounts/watches/lifecycle.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { Mail } from '../../../schema/process/mail.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { addDelivery, addWatch, SERVICE_SECRET } from '../watches/seed.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
beforeAll(async () => {
  built = await makeJobServices({ APP_URL: 'http://data.example', AUTH_SECRET: SERVICE_SECRET });
});
afterAll(() => built?.close());

const accounts = () => built.services.accounts;

/** Somebody with watches that are mailed, each with a delivery of two new notices that waits. */
async function addPerson(email: string, names: readonly string[]): Promise<string[]> {
  const insert =
    'INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES (?1, ?1, ?1, 1, 1, 1)';
  await accounts().write([{ sql: insert, args: [email] }]);
  const options = { name: 'Somebody', userId: email, signupCredits: 250, at: isoInstant(new Date()) };
  const { id: account_id } = await createAccount(accounts(), options);
  const items = ['111111-2026', '222222-2026'].map((notice_id) => {
    const item = { notice_id, title: `Work for Ada Quillfeather in ${notice_id}` };
    return { kind: 'notice', id: `${notice_id}_ocds-h6vhtk-1`, change: 'new', item };
  });
  const body = JSON.stringify({ type: 'watch.delivery', data: { items } });
  const ids: string[] = [];
  for (const name of names) {
    const { id } = await addWatch(accounts(), { account_id, webhook: null, every: 'day', name });
    const delivery = await addDelivery(accounts(), id, ['a', 'b']);
    await accounts().write([{ sql: 'UPDATE watch_delivery SET body = ? WHERE id = ?', args: [body, delivery] }]);
    ids.push(id);
  }
  return ids;
}

/** Sends what is due; something happens while the first mail is on its way. */
async function mailDuring(happens: () => Promise<unknown>, through = accounts()): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mail = async (one: Mail) => {
    if (mails.push(one) === 1) await happens();
  };
  await withLease(accounts(), 'watch_mail', { holder: 'a test' }, (holding) =>
    mailDigests({ ...built.services, accounts: through }, mail, holding),
  );
  return mails;
}

it('a mail has nothing that was taken down while the mails before it were sent', async () => {
  await addPerson('taken@example.org', ['one', 'two']);
  const target = { kind: 'notice', noticeId: '111111-2026' } as const;
  const [, mail] = await mailDuring(() => takeDown(built.services, target, { reason: 'an order of a court' }));
  for (const text of [mail?.text, mail?.html]) {
    expect(text).toContain('Work for Ada Quillfeather in 222222-2026');
    expect(text).not.toContain('Work for Ada Quillfeather in 111111-2026');
    expect(text).not.toContain('http://data.example/notices/111111');
    expect(text).toContain('Its details were taken down.');
  }
});

it('a mail has nothing that was taken down after its delivery was read', async () => {
  await addPerson('taken-late@example.org', ['one']);
  const write: Database['write'] = async (statements) => {
    await redactDeliveries(accounts(), (text) => text.includes('Quillfeather'), { sql: 'SELECT 1' });
    return accounts().write(statements);
  };
  const [mail] = await mailDuring(async () => undefined, { ...accounts(), write });
  expect(mail?.text).toContain('Its details were taken down.');
  for (const text of [mail?.text, mail?.html]) expect(text).not.toContain('Quillfeather');
});

it('no mail is sent of a watch that was stopped while the mails before it were on their way', async () => {
  const [, other = ''] = await addPerson('stopped@example.org', ['one', 'two']);
  const mails = await mailDuring(() => accounts().write([pauseStatement(other, 'unsubscribed')]));
  expect(mails.map(({ subject }) => subject)).toEqual(['one: 2 changes']);
});

it('all mails of a watch that found more than one has room for are sent in one round, in order', async () => {
  const [id = ''] = await addPerson('many@example.org', ['one']);
  for (const items of [['c'], ['d', 'e', 'f']]) await addDelivery(accounts(), id, items);
  const mails = await mailDuring(async () => undefined);
  expect(mails.map(({ subject }) => subject)).toEqual(['one: 2 changes', 'one: 1 change', 'one: 3 changes']);
});
