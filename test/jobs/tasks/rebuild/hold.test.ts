import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RebuildOvertaken } from '../../../../ingest/rebuild/move.ts';
import { holdStill } from '../../../../ingest/rebuild/server/hold.ts';
import {
  type Database,
  DatabaseAway,
  OutcomeUnknown,
  readFirst,
  SERVER_NOW,
  type Statement,
} from '../../../../schema/db/interface.ts';
import { HELD_UNTIL, readSuccessor } from '../../../../schema/db/moved.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';

const ADDRESS = 'http://new.example';
const LEASE = { name: 'rebuild', token: 'a token' };

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await write("INSERT INTO lease (name, token, holder, expires_at) VALUES (?, ?, 'h', 0)", LEASE.name, LEASE.token);
});
afterEach(async () => {
  vi.useRealTimers();
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

const hold = () => holdStill(catalogue, [LEASE.name, LEASE.token]);
/** Sets for how long the catalogue is still held, in milliseconds. */
const holdFor = (ms: number) => write(`UPDATE meta SET value = ${SERVER_NOW} + ${ms} WHERE name = '${HELD_UNTIL}'`);
const readHeldMs = async () => {
  const sql = `SELECT value - ${SERVER_NOW} AS ms FROM meta WHERE name = '${HELD_UNTIL}'`;
  return (await readFirst<{ ms: number }>(catalogue, { sql }))?.ms ?? 0;
};

it('refuses writes until its end, and takes them again where it has no successor', async () => {
  const held = await hold();
  for (const sql of ["INSERT INTO counter VALUES ('x', 1)", 'UPDATE counter SET value = 1', 'DELETE FROM counter'])
    await expect(write(sql)).rejects.toThrow(/is being moved/);
  await held.end();
  await ingest();
  const left = { sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'moving%'" };
  expect(await catalogue.read(left)).toEqual([]);
});

it('ends by itself within 20 seconds of a kill', async () => {
  await hold();
  expect(await readHeldMs()).toBeLessThanOrEqual(20_000);
  await holdFor(0);
  await ingest();
});

it('is held for as long as the move works, and no longer than five minutes', async () => {
  const away = vi.fn(() => Promise.reject(new DatabaseAway('away')));
  const server = { ...catalogue };
  const held = await holdStill(server, [LEASE.name, LEASE.token]);
  server.write = away;
  await vi.advanceTimersByTimeAsync(5_000);
  expect([away.mock.calls.length, held.signal.aborted]).toEqual([1, false]);
  server.write = catalogue.write;
  await holdFor(1_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await readHeldMs()).toBeGreaterThan(1_000);
  vi.advanceTimersByTime(300_000);
  await holdFor(1_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await readHeldMs()).toBeLessThanOrEqual(1_000);
  await held.end();
  expect(vi.getTimerCount()).toBe(0);
});

it('is lost once its time has passed: it is not held again, and names no successor', async () => {
  const held = await hold();
  await holdFor(0);
  await vi.advanceTimersByTimeAsync(5_000);
  await ingest();
  expect(held.signal.reason).toBeInstanceOf(RebuildOvertaken);
  await expect(held.succeed(ADDRESS)).rejects.toThrow(RebuildOvertaken);
  expect(await readSuccessor(catalogue)).toBeNull();
});

it('that was lost leaves the hold of another rebuild as it is', async () => {
  const lost = await hold();
  await holdFor(0);
  const other = await hold();
  await lost.end();
  await expect(ingest()).rejects.toThrow(/is being moved/);
  await other.succeed(ADDRESS);
});

it('holds nothing still for a rebuild that lost its lease', async () => {
  await expect(holdStill(catalogue, [LEASE.name, 'the token of before'])).rejects.toThrow(/lease lost/);
  await ingest();
});

it('names its successor also where the answer to that is lost', async () => {
  const held = await holdStill(loseAnswer(0), [LEASE.name, LEASE.token]);
  await held.succeed(ADDRESS);
  await held.end();
  expect(await readSuccessor(catalogue)).toBe(ADDRESS);
  await write('DROP TRIGGER moving_meta_update');
  await holdFor(0);
  await expect(ingest()).rejects.toThrow(/is being moved/);
});

it('takes no writes again where its successor was named, and nobody could be told', async () => {
  const held = await holdStill(loseAnswer(1), [LEASE.name, LEASE.token]);
  await expect(held.succeed(ADDRESS)).rejects.toThrow(DatabaseAway);
  await held.end();
  await expect(ingest()).rejects.toThrow(/is being moved/);
});
