import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildGeneration } from '../../../../ingest/rebuild/generation.ts';
import { moveFile } from '../../../../ingest/rebuild/move.ts';
import { firstSeq } from '../../../../ingest/rebuild/tables.ts';
import { VERSIONED_TABLES } from '../../../../ingest/rows/versioned.ts';
import { acquireLease } from '../../../../jobs/process/lease.ts';
import { type Database, readFirst, type Statement } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { openCatalogue } from '../../../../schema/db/open-catalogue.ts';
import { actRelease, BRIGHT, COUNCIL, reference } from '../../../ingest/compile/releases.ts';
import { copyJobs, type FilledJobs, findTemplate, makeLate, rebuild, storeReleases } from './filled-services.ts';

let template: string;
let filled: FilledJobs;
beforeAll(async () => {
  template = await findTemplate(10);
});
beforeEach(async () => {
  filled = await copyJobs(template);
});
afterEach(() => filled.close());

const count = async (sql: string): Promise<number> =>
  (await filled.jobs.catalogue.read<{ n: number }>({ sql: `SELECT count(*) AS n FROM ${sql}` }))[0]?.n ?? 0;

const takedown = (id: string) =>
  `INSERT INTO takedown (id, kind, target, reason, taken_at) VALUES ('${id}', 'notice', '{"noticeId":"x"}', 'r', 'now')`;
/** What makes a rebuild start again, and what undoes it. */
const TAKEN_DOWN = [
  [takedown('made'), "DELETE FROM takedown WHERE id = 'made'"],
  ["UPDATE takedown SET lifted_at = 'now'", 'UPDATE takedown SET lifted_at = NULL'],
] as const;
/** Rebuilds, and changes rows of the live catalogue in a batch of its own while the generations are compared. */
async function rebuildChanging(jobs: FilledJobs['jobs'], statements: Statement[]): Promise<void> {
  const other = await openCatalogue({ url: jobs.settings.CATALOGUE_URL, durability: 'normal' });
  const changing: Promise<unknown>[] = [];
  await rebuild(jobs, {
    onProgress: ({ stage }) => {
      if (stage !== 'comparing' || changing.length > 0) return;
      changing.push(other.write([{ sql: "UPDATE counter SET value = value + 1 WHERE name = 'seq'" }, ...statements]));
    },
  });
  await Promise.all(changing);
  await other.close();
  expect(changing).toHaveLength(1);
}

const readCompiled = async (catalogue: Database) =>
  (await readFirst<{ value: number }>(catalogue, { sql: "SELECT value FROM counter WHERE name = 'compile'" }))?.value ??
  0;

describe('a generation that was filled', () => {
  it('has every index and trigger of a catalogue that was never rebuilt', async () => {
    const { jobs } = filled;
    const sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'succeeded%' ORDER BY name";
    const before = await jobs.catalogue.read({ sql });
    await rebuild(jobs);
    expect(await jobs.catalogue.read({ sql })).toEqual(before);
  });

  it('counts a row as changed where the live one became another after it was compiled', async () => {
    const { jobs } = filled;
    const [{ id = '' } = {}] = await jobs.catalogue.read<{ id: string }>({ sql: 'SELECT min(id) AS id FROM notice' });
    await rebuildChanging(jobs, [
      {
        sql: "UPDATE notice SET title = 'x', digest = 'x', seq = (SELECT value FROM counter WHERE name = 'seq') WHERE id = ?",
        args: [id],
      },
      {
        sql: `INSERT INTO notice (id, notice_id, process_id, ocid, source, stage, notice_type, title, published, published_at, status, detail, digest, seq)
                SELECT 'stale_1', notice_id, process_id, ocid, source, stage, notice_type, 'x', published, published_at, status, detail, 'x', seq
                FROM notice WHERE id = ?`,
        args: [id],
      },
    ]);
    // No release says the row that came: it is gone.
    expect(await count(`notice WHERE id = 'stale_1' AND gone = 1 AND seq > ${firstSeq(2)}`)).toBe(1);
    expect(await count(`notice WHERE id = '${id}' AND title <> 'x' AND seq > ${firstSeq(2)}`)).toBe(1);
    expect(await count(`notice WHERE id NOT IN ('${id}', 'stale_1') AND seq > ${firstSeq(2)}`)).toBe(0);
    expect(await count(`change WHERE id = '${id}' AND seq > ${firstSeq(2)} AND changed LIKE '%title%'`)).toBe(1);
    // The next one says nothing of it again.
    await rebuild(jobs);
    expect(await count(`notice WHERE seq > ${firstSeq(3)}`)).toBe(0);
    expect(await count("notice WHERE id = 'stale_1' AND gone = 1")).toBe(1);
  });

  it('names the contracts of a buyer as changed, also where its row became as before meanwhile', async () => {
    const { jobs } = filled;
    const buyers = await jobs.catalogue.read<{ id: string; name: string; digest: string }>({
      sql: `SELECT id, name, digest FROM buyer WHERE gone = 0
        AND id IN (SELECT buyer_id FROM contract WHERE gone = 0) ORDER BY id LIMIT 2`,
    });
    const [{ id: first = '' } = {}, { id = '', name = '', digest = '' } = {}] = buyers;
    await jobs.catalogue.write([
      { sql: "UPDATE contract SET sort_date = '2001-01-01', digest = 'x' WHERE buyer_id IN (?, ?)", args: [first, id] },
      { sql: "UPDATE buyer SET name = 'x', digest = 'x' WHERE id = ?", args: [id] },
    ]);
    await rebuildChanging(jobs, [
      {
        sql: "UPDATE buyer SET name = ?, digest = ?, seq = (SELECT value FROM counter WHERE name = 'seq') WHERE id = ?",
        args: [name, digest, id],
      },
    ]);
    const sql = `SELECT id, change, changed FROM change WHERE kind = 'buyer' AND seq > ${firstSeq(2)} AND id IN (?, ?) ORDER BY id`;
    const entries = [first, id].map((each) => ({ id: each, change: 'updated', changed: 'contracts' }));
    expect(await jobs.catalogue.read({ sql, args: [first, id] })).toEqual(entries);
  });

  it('holds two contracts of one pair whose values together are more than an integer', async () => {
    const { jobs } = filled;
    const awards = ['1', '2'].map((id) => ({
      id,
      status: 'active',
      value: { amount: 1e20, currency: 'GBP' },
      suppliers: [reference(BRIGHT)],
    }));
    const more = { tag: ['award'], parties: [COUNCIL, BRIGHT], awards };
    await storeReleases(jobs, 'find_a_tender', [actRelease('000900-2026', '2026-11-18T10:00:00Z', more)]);
    expect((await rebuild(jobs, { check: true })).same).toBe(true);
    expect(await count("contract WHERE value_class = 'absurd' AND value > 1e18")).toBe(2);
  });

  it('has no change of a row that says the same, where a migration left it with the digest of before', async () => {
    const { jobs } = filled;
    await jobs.catalogue.write(VERSIONED_TABLES.map((table) => ({ sql: `UPDATE ${table} SET digest = 'before'` })));
    await rebuild(jobs);
    for (const table of VERSIONED_TABLES)
      expect([table, await count(`${table} WHERE seq > ${firstSeq(2)}`)]).toEqual([table, 0]);
    expect(await count(`change WHERE seq > ${firstSeq(2)}`)).toBe(0);
    expect(await rebuild(jobs, { check: true })).toMatchObject({ same: true });
  });

  it.each([
    { pages: 2, steady: true },
    { pages: 3, steady: false },
  ])('is compared three times at most while releases come: $pages times they do', async ({ pages, steady }) => {
    const { jobs, folder } = filled;
    let [catchUps, stored] = [0, 0];
    const report = await buildGeneration({
      livePath: join(folder, 'catalogue.db'),
      path: join(folder, 'catalogue-2.db'),
      generation: 2,
      async refresh() {
        // The first is before a comparison, the second after it.
        if (++catchUps % 2 === 1 || stored === pages) return;
        await storeReleases(jobs, 'find_a_tender', makeLate(900_001 + stored++, 1));
      },
    });
    expect(report).toMatchObject({ same: true, steady, caughtUp: pages });
  });

  it('has the numbers of releases that came meanwhile, also after a gap', async () => {
    const { jobs, folder } = filled;
    const last = await count('release');
    const path = join(folder, 'catalogue-2.db');
    const refresh = async () => {
      if ((await count('release')) > last) return;
      await storeReleases(jobs, 'find_a_tender', makeLate(900_001, 3));
      const move = (by: number) => ({ sql: 'UPDATE release SET id = id + ? WHERE id > ?', args: [by, last] });
      await jobs.catalogue.write([move(10), move(-9)]);
    };
    await buildGeneration({ livePath: join(folder, 'catalogue.db'), path, generation: 2, refresh });
    const built = await openDatabase({ url: `file:${path}`, durability: 'normal', readOnly: true });
    const numbers = { sql: 'SELECT id, release_id FROM release ORDER BY id' };
    expect(await built.read(numbers)).toEqual(await jobs.catalogue.read(numbers));
    await built.close();
  });

  it('is moved to with what comes in the last moment, and only by the process that holds the lease', async () => {
    const { jobs, folder } = filled;
    const lease = await acquireLease(jobs.catalogue, 'rebuild', { holder: 'this one' });
    const company = `INSERT INTO registered_company (company_number, name, name_key, status, category, record, digest, seq)
      VALUES ('01234567', 'Paving Ltd', 'paving', 'Active', 'x', '{}', 'd', (SELECT value + 1 FROM counter WHERE name = 'seq'))`;
    const formerName = (key: string, name: string) => ({
      sql: "INSERT INTO previous_name (name_key, company_number, name) VALUES (?, '01234567', ?)",
      args: [key, name],
    });
    const coming: (() => Promise<unknown>)[] = [
      () => storeReleases(jobs, 'find_a_tender', makeLate(900_001, 1)),
      () => jobs.catalogue.write([{ sql: company }, formerName('old paving', 'Old Paving Ltd')]),
      () =>
        jobs.catalogue.write([
          { sql: "UPDATE registered_company SET seq = seq + 1 WHERE company_number = '01234567'" },
          { sql: 'DELETE FROM previous_name' },
          formerName('older paving', 'Older Paving Ltd'),
        ]),
    ];
    await jobs.catalogue.write([
      { sql: "INSERT OR REPLACE INTO meta VALUES ('sample', 'x'), ('counting', 'older')" },
      { sql: takedown('before') },
    ]);
    const path = join(folder, 'catalogue-2.db');
    await buildGeneration({
      livePath: join(folder, 'catalogue.db'),
      path,
      generation: 2,
      async move(generation) {
        await expect(moveFile(generation, 2, ['rebuild', 'of another'])).rejects.toThrow('lease lost');
        const own = ['rebuild', lease?.token ?? ''] as const;
        for (const [overtake, undo] of TAKEN_DOWN) {
          const catchUp = async () => {
            await generation.catchUp();
            await jobs.catalogue.write([{ sql: overtake }]);
          };
          await expect(moveFile({ ...generation, catchUp }, 2, own)).rejects.toThrow(/a takedown was made or lifted/);
          await jobs.catalogue.write([{ sql: undo }]);
        }
        const catchUp = async () => {
          await generation.catchUp();
          await coming.shift()?.();
        };
        await moveFile({ ...generation, catchUp }, 2, own);
      },
    });
    const moved = await openDatabase({ url: `file:${path}`, durability: 'normal', readOnly: true });
    expect(await moved.read({ sql: "SELECT stage FROM notice WHERE notice_id = '900001-2026'" })).toHaveLength(1);
    expect(await moved.read({ sql: 'SELECT name FROM registered_company' })).toEqual([{ name: 'Paving Ltd' }]);
    const former = await moved.read({ sql: 'SELECT name FROM previous_name' });
    expect(former).toEqual([{ name: 'Older Paving Ltd' }]);
    const kept = "SELECT name FROM meta WHERE name = 'sample' OR value = 'older'";
    expect(await moved.read({ sql: kept })).toEqual([{ name: 'sample' }]);
    // A batch that was compiled from rows of before is compiled again.
    const before = await openDatabase({
      url: `file:${join(folder, 'catalogue.db')}`,
      durability: 'normal',
      readOnly: true,
    });
    const [compiled, again] = [await readCompiled(before), await readCompiled(moved)];
    expect(again).toBe(compiled + 1);
    for (const each of [before, moved]) await each.close();
  });
});
