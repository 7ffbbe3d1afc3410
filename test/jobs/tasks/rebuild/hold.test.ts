import { afterEach, beforeEach, expect, it } from 'vitest';
import { holdStill } from '../../../../ingest/rebuild/server/hold.ts';
import { type Database, DatabaseAway, OutcomeUnknown, type Statement } from '../../../../schema/db/interface.ts';
import { readSuccessor } from '../../../../schema/db/moved.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';

const ADDRESS = 'http://new.example';
const LEASE = { name: 'rebuild', token: 'a token' };

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await write("INSERT INTO lease (name, token, holder, expires_at) VALUES (?, ?, 'h', 0)", LEASE.name, LEASE.token);
});
afterEach(async () => {
  await catalogue.close();
  await folder.remove();
});

const write = (sql: string, ...args: string[]) => catalogue.write([{ sql, args }]);
const ingest = () => write("INSERT INTO counter (name, value) VALUES ('of ingest', 1)");

/** The catalogue on a server whose answer to the batch that names the successor is lost, and which then fails `away` reads. */
function loseAnswer(away: number): Database {
  let left = 0;
  return {
    ...catalogue,
    read: <T>(statement: Statement) =>
      left-- > 0 ? Promise.reject(new DatabaseAway('away')) : catalogue.read<T>(statement),
    async write(statements) {
      const outcomes = await catalogue.write(statements);
      if (!statements.some(({ sql }) => sql.includes("'successor', ?"))) return outcomes;
      left = away;
      throw new OutcomeUnknown('lost');
    },
  };
}

it('refuses writes until its end, and takes them again where it has no successor', async () => {
  const hold = await holdStill(catalogue, [LEASE.name, LEASE.token]);
  await expect(ingest()).rejects.toThrow(/is being moved/);
  await hold.end();
  await ingest();
});

it('holds nothing still for a rebuild that lost its lease', async () => {
  await expect(holdStill(catalogue, [LEASE.name, 'the token of before'])).rejects.toThrow(/lease lost/);
  await ingest();
});

it('names its successor also where the answer to that is lost', async () => {
  const hold = await holdStill(loseAnswer(0), [LEASE.name, LEASE.token]);
  await hold.succeed(ADDRESS);
  await hold.end();
  expect(await readSuccessor(catalogue)).toBe(ADDRESS);
  await expect(ingest()).rejects.toThrow(/is being moved/);
});

it('takes no writes again where its successor was named, and nobody could be told', async () => {
  const hold = await holdStill(loseAnswer(1), [LEASE.name, LEASE.token]);
  await expect(hold.succeed(ADDRESS)).rejects.toThrow(DatabaseAway);
  await hold.end();
  await expect(ingest()).rejects.toThrow(/is being moved/);
});
