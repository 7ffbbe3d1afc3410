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
