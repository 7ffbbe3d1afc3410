import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as rebuilt from '../../../../ingest/rebuild/tables.ts';
import { endTakedown, recordTakedown } from '../../../../ingest/takedown/record.ts';
import { acquireLease, fenceStatement, releaseLease } from '../../../../jobs/process/lease.ts';
import { dropFormerGeneration } from '../../../../jobs/tasks/rebuild/file.ts';
import { runUpkeep, syncIndex } from '../../../../jobs/tasks/run.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { openCatalogue } from '../../../../schema/db/open-catalogue.ts';
import { packText } from '../../../../schema/text/json-values.ts';
import { catalogueDigest } from '../../../ingest/store/catalogue-digest.ts';
import { runHere } from '../../../support/run-command.ts';
import { copyJobs, type FilledJobs, findTemplate, makeLate, rebuild, storeReleases } from './filled-services.ts';

let template: string;
let filled: FilledJobs;
beforeAll(async () => {
  template = await findTemplate();
});
beforeEach(async () => {
  filled = await copyJobs(template);
});
afterEach(() => filled.close());

const count = async (sql: string): Promise<number> =>
  (await filled.jobs.catalogue.read<{ n: number }>({ sql: `SELECT count(*) AS n FROM ${sql}` }))[0]?.n ?? 0;
const isThere = (name: string) => existsSync(join(filled.folder, name));

describe('a rebuild', () => {
  it('is the same catalogue, twice, and keeps one generation back', async () => {
    const { jobs } = filled;
    const before = await catalogueDigest(jobs.catalogue);
    const first = await rebuild(jobs);
    expect(first).toMatchObject({ generation: 2, moved: true, same: true, caughtUp: 0, removed: [] });
    expect(jobs.catalogue.url).toContain('catalogue-2.db');
    expect(await catalogueDigest(jobs.catalogue)).toEqual(before);
    const second = await rebuild(jobs);
    expect(second).toMatchObject({ generation: 3, same: true, digest: first.digest, removed: [1] });
    expect(await catalogueDigest(jobs.catalogue)).toEqual(before);
    expect(await rebuild(jobs, { check: true })).toMatchObject({ moved: false, removed: [] });
    expect(await readFile(join(filled.folder, 'catalogue.generation'), 'utf8')).toBe('3\n');
    expect(['', '-2', '-3', '-4'].map((one) => isThere(`catalogue${one}.db`))).toEqual([false, true, true, false]);
  });

  it('copies every table that nothing compiles', async () => {
    const { jobs } = filled;
    const { COMPILED_TABLES, LOG_TABLES, OWN_TABLES, REGISTER_TABLES } = rebuilt;
    const known: string[] = [...COMPILED_TABLES, ...REGISTER_TABLES, ...LOG_TABLES, ...OWN_TABLES];
    const tables = await rebuilt.readTableNames(jobs.catalogue);
    expect(known.filter((table) => !tables.includes(table))).toEqual([]);
    const copied = await rebuilt.readCopiedTables(jobs.catalogue);
    expect([...known, ...copied].toSorted()).toEqual(tables.toSorted());
    await jobs.catalogue.write([
      { sql: "INSERT INTO cursor VALUES ('find_a_tender', '2026-11-20T09:00:00Z', 'now')" },
      { sql: `INSERT INTO window VALUES ('find_a_tender', 'a', 'b', 'run', 'complete', 1, 2, 'd', 'now')` },
      { sql: "INSERT INTO absent_profile VALUES ('01234567', 'now', 2)" },
      { sql: "UPDATE source SET last_success_at = '2026-11-20T09:00:00Z' WHERE id = 'find_a_tender'" },
      {
        sql: `INSERT INTO registered_company (company_number, name, name_key, status, category, record, digest, seq)
          VALUES ('01234567', 'Paving Ltd', 'paving', 'Active', 'x', '{}', 'd', 0)`,
      },
      { sql: "INSERT INTO previous_name VALUES ('old paving', '01234567', 'Old Paving Ltd')" },
      { sql: "INSERT INTO lost_contract (kind, owner_id, seq, contract_id) VALUES ('buyer', 'x', 1, 'y')" },
    ]);
    const kept = [...copied, ...REGISTER_TABLES, 'lost_contract'];
    const said = () =>
      Promise.all(kept.map((table) => filled.jobs.catalogue.read({ sql: `SELECT * FROM "${table}"` })));
    const before = await said();
    await rebuild(jobs);
    const after = await said();
    for (const [index, table] of kept.entries())
      if (table !== 'run' && table !== 'lease')
        expect({ table, rows: after[index] }).toEqual({ table, rows: before[index] });
    expect(await count("run WHERE job = 'rebuild' AND state = 'succeeded' AND ended_at IS NOT NULL")).toBe(1);
    expect(await count('lease')).toBe(0);
  });

  it('loses nothing that comes meanwhile', async () => {
    const { jobs } = filled;
    const other = await openCatalogue({ url: jobs.settings.CATALOGUE_URL, durability: 'normal' });
    let page = 0;
    const coming: Promise<void>[] = [];
    const report = await rebuild(jobs, {
      onProgress: () => {
        if (page < 6)
          coming.push(storeReleases({ ...jobs, catalogue: other }, 'find_a_tender', makeLate(900_000 + 10 * page++)));
      },
    });
    await Promise.all(coming);
    expect(report.moved).toBe(true);
    expect(page).toBeGreaterThan(1);
    expect(await count("release WHERE release_id LIKE '9000%-2026'")).toBe(5 * page);
    expect(await count("notice WHERE notice_id LIKE '9000%-2026' AND gone = 0")).toBe(5 * page);
    await other.close();
    expect((await rebuild(jobs, { check: true })).same).toBe(true);
  });

  it('with --check leaves everything as it is, and tells what differs', async () => {
    const { jobs } = filled;
    await jobs.catalogue.write([{ sql: "UPDATE buyer SET digest = 'x' WHERE id = (SELECT min(id) FROM buyer)" }]);
    const { tables, moved, same } = await rebuild(jobs, { check: true });
    const differing = tables.filter(({ onlyLive, onlyNew }) => onlyLive + onlyNew > 0);
    expect([moved, same, differing]).toMatchObject([false, false, [{ table: 'buyer', onlyLive: 1, onlyNew: 1 }]]);
    expect(['catalogue-2.db', 'catalogue.generation'].map(isThere)).toEqual([false, false]);
    expect(jobs.catalogue.url).toContain('catalogue.db');
  });

  it('starts again where a takedown is made meanwhile: nothing was moved', async () => {
    const { jobs } = filled;
    let made = false;
    const onProgress = () => {
      if (made) return;
      made = true;
      void jobs.catalogue.write([
        {
          sql: "INSERT INTO takedown (id, kind, target, reason, taken_at) VALUES ('t', 'notice', '{\"noticeId\":\"x\"}', 'r', 'now')",
        },
      ]);
    };
    await expect(rebuild(jobs, { onProgress })).rejects.toThrow(/a takedown was made or lifted meanwhile/);
    expect(isThere('catalogue-2.db')).toBe(false);
    expect(await count("run WHERE job = 'rebuild' AND state = 'failed'")).toBe(1);
    expect((await rebuild(jobs)).generation).toBe(2);
  });

  it('leaves nothing of a takedown behind, and begins none while one is carried out', async () => {
    const { jobs } = filled;
    const how = { reason: 'r', now: new Date(), before: [] };
    const { id } = await recordTakedown(jobs.catalogue, { kind: 'notice', noticeId: '000000-2026' }, how);
    await expect(rebuild(jobs)).rejects.toThrow(/a takedown is being carried out/);
    await jobs.catalogue.write([endTakedown(id)]);
    const [row] = await jobs.catalogue.read<{ ocid: string }>({ sql: 'SELECT min(ocid) AS ocid FROM release' });
    await jobs.catalogue.write([{ sql: "UPDATE release SET body = x'' WHERE ocid = ?", args: [row?.ocid ?? ''] }]);
    expect((await rebuild(jobs)).releases).toBe(await count('release'));
    expect(await count(`release WHERE ocid = '${row?.ocid}' AND length(body) = 0`)).toBeGreaterThan(0);
    expect(await count(`notice WHERE ocid = '${row?.ocid}' AND gone = 0`)).toBe(0);
    await writeFile(join(filled.folder, 'catalogue-3.db'), 'what a rebuild has built so far');
    const lease = await acquireLease(jobs.catalogue, 'rebuild', { holder: 'a rebuild' });
    expect(await dropFormerGeneration(jobs)).toEqual([1]);
    await runUpkeep(jobs);
    expect([isThere('catalogue.db'), isThere('catalogue-3.db')]).toEqual([false, true]);
    if (lease) await releaseLease(jobs.catalogue, lease);
    expect(await dropFormerGeneration(jobs)).toEqual([3]);
  });

  it('waits for the process that reads the register, and names it', async () => {
    const { jobs } = filled;
    const lease = await acquireLease(jobs.catalogue, 'ingest:companies_house', { holder: 'a bulk run' });
    const waited: string[] = [];
    const onWait = (what: string, holder: string) => {
      waited.push(`${what} ${holder}`);
      if (lease) void jobs.catalogue.write([{ sql: 'DELETE FROM lease WHERE token = ?', args: [lease.token] }]);
    };
    expect((await rebuild(jobs, { onWait })).moved).toBe(true);
    expect(waited).toContain('ingest:companies_house a bulk run');
  });

  it('ends where a process cannot be compiled any more, and names it', async () => {
    const { jobs } = filled;
    const [{ ocid = '', id = 0 } = {}] = await jobs.catalogue.read<{ ocid: string; id: number }>({
      sql: 'SELECT ocid, id FROM release ORDER BY id DESC LIMIT 1',
    });
    await jobs.catalogue.write([{ sql: 'UPDATE release SET body = ? WHERE id = ?', args: [packText('{'), id] }]);
    const message = expect.stringContaining(`${ocid} cannot be compiled, nothing was moved: `);
    await expect(rebuild(jobs)).rejects.toMatchObject({ name: 'ExpectedFault', message });
    expect(jobs.catalogue.url).not.toContain('catalogue-2.db');
    expect(isThere('catalogue-2.db')).toBe(false);
  });

  it('says what to do where the catalogue is a server', async () => {
    const server = { ...filled.jobs, settings: { ...filled.jobs.settings, CATALOGUE_URL: 'libsql://db.example.org' } };
    await expect(rebuild(server)).rejects.toThrow(/set CATALOGUE_NEXT_URL to it/);
  });

  it('is one command', async () => {
    const environment = { DATA_DIR: filled.folder, CONTACT: 'test@example.org', LOG_LEVEL: 'silent' };
    const { code, stdout } = await runHere(environment, 'rebuild');
    expect({ code, said: stdout.replace(/[\d.]+ s/, 'n s') }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/digest [0-9a-f]{16}: the same as the live catalogue's/);
    expect(stdout).toContain('generation 2 is current');
    expect(stdout).toContain('search: up to date');
    expect((await runHere(environment, 'runs')).stdout).toMatch(/rebuild +- +succeeded/);
  });
});

describe('a writer that was paused', () => {
  it('cannot write to the generation that was succeeded', async () => {
    const { jobs } = filled;
    const old = await openDatabase({ url: jobs.settings.CATALOGUE_URL, durability: 'normal' });
    await rebuild(jobs);
    for (const sql of [
      "INSERT INTO meta VALUES ('late', 'x')",
      "UPDATE source SET last_error = 'x'",
      'DELETE FROM release',
    ]) {
      await expect(old.write([{ sql }])).rejects.toThrow(/this generation of the catalogue was succeeded/);
    }
    await old.close();
  });

  it('is judged by its fence in the new one', async () => {
    const { jobs } = filled;
    const { CATALOGUE_URL: url } = jobs.settings;
    const asleep = await openCatalogue({ url, durability: 'normal', lookEveryMs: 3_600_000 });
    const [standing, lost] = [
      await acquireLease(asleep, 'ingest:contracts_finder', { holder: 'paused' }),
      await acquireLease(asleep, 'ingest:find_a_tender', { holder: 'paused', ttlMs: 1 }),
    ];
    if (!standing || !lost) throw new Error('the leases were free');
    await rebuild(jobs);
    const retaken = await acquireLease(jobs.catalogue, 'ingest:find_a_tender', { holder: 'another' });
    expect(retaken).not.toBeNull();
    const late = (name: string) => ({ sql: 'INSERT INTO meta VALUES (?, ?)', args: [name, 'x'] });
    await expect(asleep.write([fenceStatement(lost), late('lost')])).rejects.toThrow('lease lost');
    await asleep.write([fenceStatement(standing), late('standing')]);
    expect(await count("meta WHERE name = 'lost'")).toBe(0);
    expect(await count("meta WHERE name = 'standing'")).toBe(1);
    await asleep.close();
  });
});

describe('search', () => {
  it('goes on over a rebuild: only what differs is sent, and what is no more is taken out', async () => {
    const { jobs } = filled;
    const first = await syncIndex(jobs);
    expect(first).toMatchObject({ acquired: true, result: { rebuilt: 'new', lagRows: 0 } });
    await rebuild(jobs);
    expect(await syncIndex(jobs)).toMatchObject({ result: { rebuilt: null, stored: 0, removed: 0, lagRows: 0 } });
    // What an older program compiled, and this one does not.
    await jobs.catalogue.write([
      { sql: "UPDATE counter SET value = value + 1 WHERE name = 'seq'" },
      {
        sql: `UPDATE notice SET title = 'Unicorn grooming', digest = 'older', seq = (SELECT value FROM counter WHERE name = 'seq')
          WHERE id = (SELECT min(id) FROM notice)`,
      },
      {
        sql: `INSERT INTO notice (id, notice_id, process_id, ocid, source, stage, notice_type, title, published, published_at, status, detail, digest, seq)
          SELECT 'stale_1', notice_id, process_id, ocid, source, stage, notice_type, 'Unicorn stabling', published, published_at, status, detail, 'older',
          (SELECT value FROM counter WHERE name = 'seq') FROM notice LIMIT 1`,
      },
    ]);
    expect(await syncIndex(jobs)).toMatchObject({ result: { stored: 2, removed: 0 } });
    const report = await rebuild(jobs);
    expect(report.tables.find(({ table }) => table === 'notice')).toMatchObject({ onlyLive: 2, onlyNew: 1 });
    expect(await syncIndex(jobs)).toMatchObject({ result: { rebuilt: null, stored: 1, removed: 1, lagRows: 0 } });
    expect(await count("notice WHERE id = 'stale_1' AND gone = 1")).toBe(1);
  });
});
