import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildGeneration, type RebuildProgress } from '../../../../ingest/rebuild/generation.ts';
import { watchChanges } from '../../../../ingest/rebuild/server/changes.ts';
import { moveServer } from '../../../../ingest/rebuild/server/move.ts';
import { sendAll, sendChanges } from '../../../../ingest/rebuild/server/send.ts';
import { isBegun, TargetInUse } from '../../../../ingest/rebuild/server/target.ts';
import { readTableNames } from '../../../../ingest/rebuild/tables.ts';
import { acquireLease } from '../../../../jobs/process/lease.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import { readSuccessor } from '../../../../schema/db/moved.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { openBeside } from '../../../../schema/db/open-catalogue.ts';
import { catalogueDigest } from '../../../ingest/store/catalogue-digest.ts';
import { copyJobs, type FilledJobs, findTemplate, makeLate, storeReleases } from './filled-services.ts';

const ADDRESS = 'http://new.example';

let template: string;
let filled: FilledJobs;
/** Two files in the places of the servers: to the move they are databases. */
let old: Database;
let next: Database;
beforeAll(async () => {
  template = await findTemplate(10);
});
beforeEach(async () => {
  filled = await copyJobs(template);
  old = filled.jobs.catalogue;
  next = await openDatabase({ url: `file:${join(filled.folder, 'next.db')}`, durability: 'normal' });
});
afterEach(async () => {
  await next.close();
  await filled.close();
});

interface MoveOptions {
  signal?: AbortSignal;
  /** What is read in the place of the old one. */
  copy?: { livePath: string; refresh(): Promise<void> };
}

let builds = 0;
/** Moves from the one to the other; `during` works at the steps that the move reports. */
async function move(during: (at: string) => unknown = () => undefined, { signal, copy }: MoveOptions = {}) {
  const token = (await acquireLease(old, 'rebuild', { holder: 'this one' }))?.token ?? 'none';
  const steps: RebuildProgress[] = [];
  const work: unknown[] = [];
  const onProgress = (step: RebuildProgress) => {
    steps.push(step);
    work.push(during(`${step.stage} ${step.done}`));
  };
  await buildGeneration({
    ...(copy ?? { livePath: join(filled.folder, 'catalogue.db') }),
    path: join(filled.folder, `built-${++builds}.db`),
    generation: 2,
    move: (generation) =>
      moveServer(generation, { old, next, address: ADDRESS, lease: ['rebuild', token], onProgress, signal }),
  });
  await Promise.all(work);
  return steps;
}

/** A copy of the old one that shows at each refresh what was there at the refresh before. */
async function makeLateCopy(): Promise<MoveOptions['copy']> {
  let taken = 0;
  const take = async () => {
    const path = join(filled.folder, `taken-${++taken}.db`);
    await old.read({ sql: 'VACUUM INTO ?', args: [path] });
    return path;
  };
  const livePath = await take();
  let shown = livePath;
  return {
    livePath,
    async refresh() {
      const next = await take();
      if (shown !== livePath) {
        const both = await openBeside(livePath, shown, { changing: false });
        const triggers = await both.read<{ name: string }>({
          sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        });
        const tables = await readTableNames(both);
        await both.write([
          ...triggers.map(({ name }) => ({ sql: `DROP TRIGGER main."${name}"` })),
          ...tables.map((table) => ({ sql: `DELETE FROM main."${table}"` })),
          ...tables.map((table) => ({ sql: `INSERT INTO main."${table}" SELECT * FROM live."${table}"` })),
        ]);
        await both.close();
      }
      shown = next;
    },
  };
}

const IS_LAST = 'id = (SELECT max(id) FROM release)';
const SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'moving%' ORDER BY type, name";
/** That the new database is the old one: its tables, indexes and triggers, and the rows of each table. */
async function expectSame(): Promise<void> {
  expect(await next.read({ sql: SCHEMA })).toEqual(await old.read({ sql: SCHEMA }));
  expect(await catalogueDigest(next)).toEqual(await catalogueDigest(old));
  const cursors = { sql: 'SELECT * FROM cursor ORDER BY source' };
  expect(await next.read(cursors)).toEqual(await old.read(cursors));
  const log = { sql: 'SELECT * FROM change ORDER BY kind, seq, id' };
  expect(await next.read(log)).toEqual(await old.read(log));
  expect(await readSuccessor(old)).toBe(ADDRESS);
}

it('the new database is the old one, with all that came, changed and went on the way', async () => {
  await old.write([
    { sql: "INSERT INTO cursor VALUES ('changing', 'x', 'now'), ('going', 'x', 'now')" },
    { sql: "UPDATE counter SET value = value + 1 WHERE name = 'seq'" },
    {
      sql: "UPDATE notice SET seq = (SELECT value FROM counter WHERE name = 'seq') WHERE id = (SELECT min(id) FROM notice)",
    },
  ]);
  const steps = await move((at) =>
    at === 'sending 0'
      ? Promise.all([
          storeReleases(filled.jobs, 'find_a_tender', makeLate(900_001, 2)),
          old.write([
            { sql: "DELETE FROM cursor WHERE source = 'going'" },
            { sql: "UPDATE cursor SET value = 'y' WHERE source = 'changing'" },
          ]),
        ])
      : undefined,
  );
  await expectSame();
  const sent = steps.filter(({ stage }) => stage === 'sending').at(-1);
  expect([sent?.done, steps.at(-1)]).toEqual([sent?.total, { stage: 'moving', done: 3, total: 3 }]);
});

it('what was written just before the old one was held still is not lost', async () => {
  const write = () => old.write([{ sql: "INSERT INTO cursor VALUES ('late', 'x', 'now')" }]);
  await move((at) => at === 'moving 0' && write(), { copy: await makeLateCopy() });
  expect(await old.read({ sql: "SELECT value FROM cursor WHERE source = 'late'" })).toEqual([{ value: 'x' }]);
  await expectSame();
});

it.each([
  ['was stopped', /stopped/, (stop: AbortController) => stop.abort(new Error('stopped'))],
  [
    'took too long',
    /the move took too long/,
    () => old.write([{ sql: "UPDATE meta SET value = 0 WHERE name = 'held_until'" }]),
  ],
])(
  'a move that %s before its last batch names no successor; the next one leaves nothing of it',
  async (_, words, fail) => {
    await old.write([{ sql: `UPDATE release SET id = id + 10 WHERE ${IS_LAST}` }]);
    const stop = new AbortController();
    const failing = move((at) => void (at === 'moving 2' && fail(stop)), { signal: stop.signal });
    await expect(failing).rejects.toThrow(words);
    expect([await readSuccessor(old), await isBegun(next, old)]).toEqual([null, true]);
    // Rows that the next attempt has not: between its own, and after them.
    await next.write([
      { sql: `UPDATE release SET ocid = 'left', id = id - 5 WHERE ${IS_LAST}` },
      { sql: "INSERT INTO cursor (rowid, source, value, updated_at) VALUES (100000, 'left', 'x', 'now')" },
    ]);
    await storeReleases(filled.jobs, 'find_a_tender', makeLate(900_001, 1));
    await old.write([{ sql: 'DELETE FROM lease' }]);
    await move();
    await expectSame();
  },
);

it('a database in which a rebuild of another catalogue was begun is refused', async () => {
  const begun = ['CREATE TABLE rebuild_target (generation)', "INSERT INTO rebuild_target VALUES ('another')"];
  await next.write(begun.map((sql) => ({ sql })));
  await expect(isBegun(next, old)).rejects.toThrow(TargetInUse);
});

it('many rows are sent in batches of a size that a server takes, and it can stop between two', async () => {
  const built = await openDatabase({ url: `file:${join(filled.folder, 'wide.db')}`, durability: 'normal' });
  const wide = Array.from({ length: 80 }, (_, index) => `c${index}`).join(', ');
  const tables = [`CREATE TABLE wide (${wide})`, 'CREATE TABLE heavy (id INTEGER PRIMARY KEY, body BLOB)'];
  for (const each of [built, next]) await each.write(tables.map((sql) => ({ sql })));
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 599)';
  await built.write([
    { sql: `${numbers} INSERT INTO wide (c0, c79) SELECT i, 'last' FROM n` },
    { sql: `${numbers} INSERT INTO heavy SELECT i, zeroblob(10000) FROM n` },
  ]);
  const most = { values: 0, bytes: 0 };
  const sent: Database = {
    ...next,
    write(statements) {
      const args = statements.flatMap((one) => one.args ?? []);
      const bytes = args.reduce<number>((sum, one) => sum + (one instanceof Uint8Array ? one.length : 0), 0);
      Object.assign(most, { values: Math.max(most.values, args.length), bytes: Math.max(most.bytes, bytes) });
      return next.write(statements);
    },
  };
  await sendAll(built, sent, {});
  // SQLite's own bound is 32,766 values; a batch of a megabyte takes a server some tenths of a second.
  expect(most.values).toBeLessThan(32_766);
  expect(most.bytes).toBeLessThanOrEqual(1_000_000);
  const expectSent = async () => {
    for (const sql of ['SELECT c0, c1, c79 FROM wide', 'SELECT id, length(body) FROM heavy'])
      expect(await next.read({ sql })).toEqual(await built.read({ sql }));
  };
  await expectSent();
  await watchChanges(built);
  await built.write([
    { sql: "UPDATE wide SET c1 = 'changed'" },
    // As a release gets its number again after a gap.
    { sql: 'UPDATE heavy SET id = 1000 WHERE id = 7' },
  ]);
  expect(await sendChanges(built, next, {})).toBe(602);
  await expectSent();
  const stop = new AbortController();
  const stopped = sendAll(built, next, { signal: stop.signal, onRows: () => stop.abort(new Error('stopped')) });
  await expect(stopped).rejects.toThrow('stopped');
  await built.close();
});
