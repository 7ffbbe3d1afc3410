import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BATCH_RELEASES } from '../../../ingest/crawl/buffer.ts';
import { decodeBytes, parseJson } from '../../../ingest/parse/repair.ts';
import { COMPILED_TABLES, REGISTER_TABLES } from '../../../ingest/rebuild/tables.ts';
import { findService } from '../../../ingest/sources/index.ts';
import type { SqlValue, Statement } from '../../../schema/db/interface.ts';
import { migrate } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';

/** What to measure a floor of: the data folder of an ingest that has ended, and the services it read. */
export interface FloorOrder {
  kind: 'pages' | 'register' | 'compiled';
  folder: string;
  url: string;
}

export interface FloorAnswer {
  count: number;
  tookMs: number;
  cpuMs: number;
}

const BATCH_ROWS = 1_000;
const INSERT_BODY = 'INSERT INTO raw (ocid, release_id, body) VALUES (?, ?, ?)';

/** The least that an ingest can take: the same bytes parsed, the same rows inserted, by the same driver. Takes an order on standard input. */
const order = JSON.parse(await text(process.stdin)) as FloorOrder;
const ingested = await openDatabase({
  url: `file:${join(order.folder, 'catalogue.db')}`,
  durability: 'normal',
  readOnly: true,
});
const floor = await openDatabase({ url: `file:${join(order.folder, `floor-${order.kind}.db`)}`, durability: 'normal' });
/** Triggers keep the words of buyers. */
const COMPILED = COMPILED_TABLES.filter((table) => table !== 'buyer_word');
const FLOORS = {
  pages: insertBodies,
  register: () => insertRows(REGISTER_TABLES),
  compiled: () => insertRows(COMPILED),
};
const answer = await FLOORS[order.kind]();
await ingested.close();
await floor.close();
console.log(JSON.stringify(answer satisfies FloorAnswer));

function startClock(): { addTo(answer: FloorAnswer): void } {
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  return {
    addTo(answer) {
      answer.tookMs += performance.now() - startedMs;
      const cpu = process.cpuUsage(startedCpu);
      answer.cpuMs += (cpu.user + cpu.system) / 1_000;
    },
  };
}

/** Every page that was stored: parsed from its bytes, its releases' bodies inserted in batches as large as an ingest's. */
async function insertBodies(): Promise<FloorAnswer> {
  await floor.read({ sql: 'PRAGMA journal_mode=WAL' });
  await floor.write([{ sql: 'CREATE TABLE raw (id INTEGER PRIMARY KEY, ocid TEXT, release_id TEXT, body TEXT)' }]);
  const answer = { count: 0, tookMs: 0, cpuMs: 0 };
  let batch: Statement[] = [];
  const flush = async () => {
    const clock = startClock();
    await floor.write(batch);
    clock.addTo(answer);
    answer.count += batch.length;
    batch = [];
  };
  for (const url of await readPages()) {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    // Texts are cut out beforehand: a floor would find them in the bytes.
    const bodies = releasesOf(bytes).map((release) => JSON.stringify(release));
    if (batch.length + bodies.length > BATCH_RELEASES) await flush();
    const clock = startClock();
    for (const [index, { ocid, id }] of releasesOf(bytes).entries())
      batch.push({ sql: INSERT_BODY, args: [ocid ?? null, id ?? null, bodies[index] ?? ''] });
    clock.addTo(answer);
  }
  await flush();
  return answer;
}

function releasesOf(bytes: Uint8Array): { ocid?: string; id?: string }[] {
  return (parseJson(decodeBytes(bytes, {}), {}) as { releases: { ocid?: string; id?: string }[] }).releases;
}

async function readPages(): Promise<string[]> {
  const windows = await ingested.read<{ source: string; from: string; until: string }>({
    sql: `SELECT source, "from", until FROM window WHERE state <> 'split' ORDER BY source, "from"`,
  });
  const cells = await ingested.read<{ source: string; month: string; type: string }>({
    sql: "SELECT source, month, type FROM cell WHERE state = 'ok' ORDER BY source, month, type",
  });
  const cellUrls = cells.flatMap(({ source, month, type }) => {
    const found = findService(source);
    return found?.asked === 'by_cell' ? found.cellUrl(`${order.url}/${found.cliName}`, { month, type }) : [];
  });
  const windowUrls = windows.flatMap(({ source, from, until }) => {
    const found = findService(source);
    return found?.asked === 'by_window'
      ? found.listRequests(order.url, { from: new Date(from), until: new Date(until) })
      : [];
  });
  return [...windowUrls, ...cellUrls];
}

/** Every row of these tables, as it was stored, into empty tables of the same kind; counts those of the first. */
async function insertRows(tables: readonly string[]): Promise<FloorAnswer> {
  await migrate(floor, 'catalogue');
  const answer = { count: 0, tookMs: 0, cpuMs: 0 };
  for (const table of tables) {
    for (let last: SqlValue = 0; ; ) {
      const rows = await readAfter(table, last);
      last = rows.at(-1)?.at_row ?? 0;
      if (rows.length === 0) break;
      const statements = rows.map(({ at_row: _, ...row }) => insert(table, row));
      const clock = startClock();
      await floor.write(statements);
      clock.addTo(answer);
      if (table === tables[0]) answer.count += rows.length;
    }
  }
  return answer;
}

function readAfter(table: string, last: SqlValue): Promise<Record<string, SqlValue>[]> {
  return ingested.read({
    sql: `SELECT rowid AS at_row, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH_ROWS}`,
    args: [last],
  });
}

function insert(table: string, row: Record<string, SqlValue>): Statement {
  const columns = Object.keys(row);
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    args: Object.values(row),
  };
}
