import { afterAll, beforeAll, expect, it } from 'vitest';
import { runUpkeep } from '../../../jobs/tasks/run.ts';
import { makeJobServices } from '../../support/job-services.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
beforeAll(async () => {
  built = await makeJobServices();
});
afterAll(() => built?.close());

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => Date.now() - days * DAY_MS;

async function addPerson(id: string, isConfirmed: boolean, createdAt: number): Promise<void> {
  await built.services.accounts.write([
    {
      sql: 'INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES (?1, ?1, ?1, ?2, ?3, ?3)',
      args: [id, isConfirmed ? 1 : 0, createdAt],
    },
    {
      sql: `INSERT INTO auth_account (id, account_id, provider_id, user_id, password, created_at, updated_at)
            VALUES (?1, ?1, 'credential', ?1, 'hash', ?2, ?2)`,
      args: [id, createdAt],
    },
    {
      sql: 'INSERT INTO auth_session (id, expires_at, token, created_at, updated_at, user_id) VALUES (?1, ?2, ?1, 1, 1, ?1)',
      args: [id, createdAt + 7 * DAY_MS],
    },
  ]);
}

/** A mailed link, as the pages store it: to confirm a sign-up, or to set a new password. */
async function addLink(value: string, expiresAt: number): Promise<void> {
  const sql = `INSERT INTO auth_verification (id, identifier, value, expires_at, created_at, updated_at)
    VALUES (?1, ?1, ?1, ?2, 1, 1)`;
  await built.services.accounts.write([{ sql, args: [value, expiresAt] }]);
}

it('upkeep forgets who never confirmed an address within a week, and sessions that have expired', async () => {
  await addPerson('confirmed', true, daysAgo(30));
  await addPerson('new', false, daysAgo(6));
  await addPerson('never', false, daysAgo(8));
  await runUpkeep(built.services);
  const read = (table: string, column: string) =>
    built.services.accounts.read({ sql: `SELECT ${column} AS id FROM ${table} ORDER BY 1` });
  const left = [{ id: 'confirmed' }, { id: 'new' }];
  expect(await read('auth_user', 'id')).toEqual(left);
  expect(await read('auth_account', 'user_id')).toEqual(left);
  expect(await read('auth_session', 'user_id')).toEqual([{ id: 'new' }]);
});

it('a person who never confirmed an address is forgotten only once no mailed link works', async () => {
  const { accounts } = built.services;
  for (const id of ['asked-again', 'resets', 'asked-long-ago']) await addPerson(id, false, daysAgo(8));
  const ofSignUp = (userId: string) => JSON.stringify({ userId, name: 'A', hash: 'hash' });
  await addLink(ofSignUp('asked-again'), daysAgo(-1));
  await addLink('resets', daysAgo(-1));
  await addLink(ofSignUp('asked-long-ago'), daysAgo(1));
  await runUpkeep(built.services);
  const left = await accounts.read({
    sql: "SELECT id FROM auth_user WHERE id IN ('asked-again', 'resets', 'asked-long-ago')",
  });
  expect(left).toEqual([{ id: 'asked-again' }, { id: 'resets' }]);
});
