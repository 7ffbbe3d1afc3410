import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { ChangePosition } from '../../../schema/catalogue/changes/read.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { ask } from '../../support/client.ts';
import { makeDatabase } from '../../support/databases.ts';
import { makeCaller, serviceSettings, startApi } from '../calls/api-process.ts';
import { fillFolder } from '../kept-folder.ts';
import { fillProcurement } from '../pages/world.ts';
import { showLoad, showTimes } from '../show-times.ts';

const ENTRIES = 1_000_000;
const PAGES = 300;
/** Before any is timed, as in a service that has been up for a while. */
const FIRST_PAGES = 30;
/** Between two looks at whether the service has done what it does after its start. */
const REST_MS = 200;
const SEED_NOTICES = 10_000;
/** Rows of each kind in a copy of the seed, about as they come: an award brings its contract, and changes its parties. */
const ROWS = { notice: 5_000, contract: 3_300, company: 1_400, buyer: 250, framework: 50 } as const;
const ROWS_A_COPY = 10_000;
const BATCHES_A_COPY = 50;
const TABLES = Object.keys(ROWS) as (keyof typeof ROWS)[];
const CHANGED: Readonly<Record<keyof typeof ROWS, string>> = {
  notice: 'value = coalesce(value, 0) + 1',
  contract: 'value = coalesce(value, 0) + 1',
  company: 'contract_count = contract_count + 1',
  buyer: 'contract_count = contract_count + 1',
  framework: 'ceiling = coalesce(ceiling, 0) + 1',
};

const ASKED: Readonly<Record<string, Record<string, string>>> = {
  'all kinds': {},
  'notices and contracts': { kinds: 'notice,contract' },
  companies: { kinds: 'company' },
  'a category': { kinds: 'notice,contract', cpv: '45' },
  'a nation': { kinds: 'notice,contract', nation: 'uk' },
  'a region': { kinds: 'notice,contract', region: 'UKI' },
  'what nobody has': { kinds: 'notice,contract', buyer_id: 'none' },
};

/** `/v1/changes` of a service as it runs in production, over HTTP: pages of 100 behind random places of a log of so many entries. */
export async function benchChanges(entries = ENTRIES): Promise<void> {
  console.log(`\n/v1/changes over a log of ${entries} entries: ${PAGES} pages of 100 at random places (${showLoad()})`);
  const { path, remove } = await fillFolder(`changes-${entries}`, (folder) => fillChanges(folder, entries));
  const key = await makeCaller(path);
  const api = await startApi({ ...serviceSettings(path), API_PROCESSES: '1' });
  const catalogue = await makeDatabase(path, 'catalogue');
  try {
    await awaitRest(api.url, key);
    for (const [what, query] of Object.entries(ASKED)) await timePages({ url: api.url, key, catalogue }, what, query);
  } finally {
    connection.destroy();
    await catalogue.close();
    await api.stop();
    await remove();
  }
}

async function fillChanges(folder: string, entries: number): Promise<void> {
  const startMs = performance.now();
  const catalogue = await makeDatabase(folder, 'catalogue');
  await fillLog(catalogue, entries);
  await catalogue.close();
  console.log(`  filled in ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
}

/** A service that has just started reads all contracts and suppliers for summaries and lists, which takes the processors from the pages. */
async function awaitRest(url: string, key: string): Promise<void> {
  for (const path of ['/v1/contracts/summary?group_by=year', '/v1/companies?cpv=45&limit=1']) {
    for (;;) {
      const { status, text } = await ask(url, path, key);
      if (status === 200) break;
      if (status !== 503) throw new Error(`${status}: ${text}`);
      await pause(REST_MS);
    }
  }
}

interface Service {
  url: string;
  key: string;
  catalogue: Database;
}

async function timePages({ url, key, catalogue }: Service, what: string, query: Record<string, string>): Promise<void> {
  const [log] = await catalogue.read<{ last: number }>({ sql: 'SELECT max(rowid) AS last FROM change' });
  const times: number[] = [];
  let items = 0;
  for (let page = -FIRST_PAGES; page < PAGES; page++) {
    const [place] = await catalogue.read<ChangePosition>({
      sql: 'SELECT kind, seq, id FROM change WHERE rowid >= ? LIMIT 1',
      args: [1 + Math.floor(Math.random() * (log?.last ?? 0))],
    });
    const since = `changes.${Buffer.from(JSON.stringify([place?.seq, place?.kind, place?.id, null, null])).toString('base64url')}`;
    const path = `/v1/changes?${new URLSearchParams({ ...query, since, limit: '100' })}`;
    const { tookMs, status, bytes } = await timeAnswer(url + path, key);
    const body = JSON.parse(bytes.toString());
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    if (page < 0) continue;
    times.push(tookMs);
    items += body.count;
  }
  console.log(`    ${what.padEnd(24)} ${showTimes(times)}   ${(items / PAGES).toFixed(0)} items a page`);
}

const connection = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds until the last byte, compressed as clients ask for it: unpacking and reading are the client's own work, and its collections. */
async function timeAnswer(url: string, key: string): Promise<{ tookMs: number; status: number; bytes: Buffer }> {
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' };
  const startMs = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: connection, headers }, resolve).on('error', reject);
  });
  const bytes = await buffer(response);
  const tookMs = performance.now() - startMs;
  const isPacked = response.headers['content-encoding'] === 'gzip';
  return { tookMs, status: response.statusCode ?? 0, bytes: isPacked ? gunzipSync(bytes) : bytes };
}

/**
 * A generated world again and again under other ids, each tenth time its rows changed once more instead: every entry is
 * made by the triggers of the log. Kinds share a `seq`, as in a batch of ingest.
 */
async function fillLog(catalogue: Database, entries: number): Promise<void> {
  const seedSeq = await fillProcurement(catalogue, SEED_NOTICES);
  await catalogue.write([SET_SEQ(seedSeq)]);
  const dropped = await dropIndexes(catalogue);
  const inserts = await Promise.all(TABLES.map((table) => insertCopy(catalogue, table)));
  for (let copy = 1; copy * ROWS_A_COPY <= entries; copy++) {
    const from = seedSeq + (copy - 1) * BATCHES_A_COPY + 1;
    await catalogue.write([
      ...TABLES.map((table, place): Statement => {
        const rows = ROWS[table];
        if (copy % 10 > 0) return { sql: inserts[place] ?? '', args: [String(copy), from, rows] };
        const sql = `UPDATE ${table} SET seq = ?1 + (rowid % ${BATCHES_A_COPY}), ${CHANGED[table]} WHERE id GLOB ?2`;
        return { sql, args: [from, `copy-${copy - 5}-*`] };
      }),
      SET_SEQ(from + BATCHES_A_COPY - 1),
    ]);
  }
  for (const sql of dropped) await catalogue.write([{ sql }]);
}

const SET_SEQ = (seq: number): Statement => ({ sql: "UPDATE counter SET value = ? WHERE name = 'seq'", args: [seq] });

async function insertCopy(catalogue: Database, table: string): Promise<string> {
  const columns = await catalogue.read<{ name: string }>({
    sql: 'SELECT name FROM pragma_table_info(?)',
    args: [table],
  });
  const names = columns
    .map(({ name }) => name)
    .filter((name) => name !== 'id' && name !== 'seq')
    .join(', ');
  return `INSERT INTO ${table} (id, seq, ${names}) SELECT 'copy-' || ?1 || '-' || id, ?2 + (rowid % ${BATCHES_A_COPY}), ${names}
    FROM ${table} WHERE rowid <= ?3`;
}

/**
 * Of the tables that have a log, while they are filled: that takes several times as long with them.
 * @returns what makes them, but for those that copies under other ids do not keep to
 */
async function dropIndexes(catalogue: Database): Promise<string[]> {
  const indexes = await catalogue.read<{ name: string; sql: string }>({
    sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?))",
    args: [JSON.stringify(TABLES)],
  });
  for (const { name } of indexes) await catalogue.write([{ sql: `DROP INDEX "${name}"` }]);
  return indexes.map(({ sql }) => sql).filter((sql) => !/^CREATE UNIQUE/i.test(sql));
}
