import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listBatches } from '../../../../ingest/rebuild/processes.ts';
import type { Database, Statement } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { openBeside } from '../../../../schema/db/open-catalogue.ts';
import { makeFolder } from '../../../support/databases.ts';
import { makeRandom, type Random } from '../../../upstream/sample/random.ts';

/** Most releases of a batch here. */
const MOST = 4;
const TABLES = {
  process: ['id', 'ocid'],
  process_mention: ['mention', 'process_id'],
  notice: ['notice_id', 'process_id'],
  notice_name: ['name', 'process_id'],
  framework_reference: ['reference', 'framework_id'],
  process_reference: ['reference', 'process_id'],
  release: ['ocid', 'release_id'],
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let built: Database;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  await built.close();
  await folder.remove();
});

type Rows = Partial<Record<keyof typeof TABLES, string[][]>>;

/** A database with these rows, of which only the columns are there that say what is linked. */
async function makeTables(name: string, rows: Rows): Promise<string> {
  const path = join(folder.path, name);
  const database = await openDatabase({ url: `file:${path}`, durability: 'normal' });
  const statements = Object.entries(TABLES).flatMap(([table, columns]): Statement[] => [
    { sql: `CREATE TABLE "${table}" (${columns.join(', ')})`, args: [] },
    ...(rows[table as keyof Rows] ?? []).map((args) => ({ sql: `INSERT INTO "${table}" VALUES (?, ?)`, args })),
  ]);
  await database.write(statements);
  await database.close();
  return path;
}

/** The batches of processes with so many releases, by ocid, that are linked so in the live generation. */
async function batchesOf(releases: ReadonlyMap<string, number>, links: Rows): Promise<string[][]> {
  const release = [...releases].flatMap(([ocid, count]) => Array.from({ length: count }, (_, n) => [ocid, String(n)]));
  const live = await makeTables('live.db', { process: [...releases.keys()].map((ocid) => [ocid, ocid]), ...links });
  built = await openBeside(await makeTables('built.db', { release }), live, { changing: false });
  const batches: string[][] = [];
  for await (const batch of listBatches(built, MOST)) {
    const counts = batch.ocids.map((ocid) => releases.get(ocid) ?? 0);
    expect(batch.releases).toBe(counts.reduce((sum, count) => sum + count, 0));
    if (batch.ocids.length > 1) expect(batch.releases).toBeLessThanOrEqual(2 * MOST);
    expect(batch.ocids.length).toBeGreaterThan(0);
    batches.push(batch.ocids);
  }
  return batches;
}

function makeLinks(random: Random, ocids: readonly string[]): Rows {
  const any = () => random.pick(ocids);
  const name = () => `n${random.int(0, 6)}`;
  const pairs = (one: () => string, other: () => string) =>
    Array.from({ length: random.int(0, ocids.length) }, () => [one(), other()]);
  return {
    process_mention: [...pairs(any, any), ...pairs(name, any)],
    notice: pairs(name, any),
    notice_name: pairs(name, any),
    framework_reference: pairs(name, any),
    process_reference: pairs(name, any),
  };
}

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);

it.each(SEEDS)('every ocid is in one batch, none of them too large, whatever is linked (%d)', async (seed) => {
  const random = makeRandom(seed, 'batches');
  const ocids = Array.from({ length: random.int(1, 30) }, (_, n) => `ocds-${String(n).padStart(2, '0')}`);
  const sizes = new Map(ocids.map((ocid) => [ocid, random.int(1, random.pick([1, 3, 3 * MOST]))]));
  const batches = await batchesOf(sizes, makeLinks(random, ocids));
  expect(batches.flat().toSorted()).toEqual(ocids);
});

it('a process that all others name draws as many of them into its batch as are bearable', async () => {
  const ocids = Array.from({ length: 6 * MOST }, (_, n) => `ocds-${String(n).padStart(2, '0')}`);
  const sizes = new Map(ocids.map((ocid) => [ocid, 1]));
  const [hub = ''] = ocids;
  const batches = await batchesOf(sizes, { process_mention: ocids.map((ocid) => [hub, ocid]) });
  expect(batches[0]).toEqual(ocids.slice(0, 2 * MOST));
  expect(batches.flat()).toEqual(ocids);
});
