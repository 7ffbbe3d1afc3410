import { createHash, hash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { HOUR_MS } from '../../schema/config/clocks.ts';
import type { Database, SqlValue } from '../../schema/db/interface.ts';
import { askWorker, extension, startWorker, stopWorker, WorkerEnded } from '../../schema/process/child.ts';
import { BOUGHT_TABLES, VERSIONED_TABLES, type VersionedTable } from '../rows/versioned.ts';

/** What is compared of a compiled table: its content, except `seq` and removed rows. */
interface Content {
  table: string;
  /** The columns of a unique index in order, which sort it. */
  key: readonly string[];
  /** The other columns that are compared. */
  rest: readonly string[];
  where: string;
}

const versioned = (table: VersionedTable): Content => ({
  table,
  key: ['id'],
  rest: BOUGHT_TABLES.includes(table) ? ['digest', 'buyer_kind'] : ['digest'],
  where: 'gone = 0',
});
const plain = (table: string, key: string[], rest: string[] = []): Content => ({ table, key, rest, where: 'TRUE' });

const CONTENTS: readonly Content[] = [
  plain('release', ['ocid', 'release_id', 'digest'], ['id', 'source', 'date', 'fetched_at', 'page_sha256']),
  ...VERSIONED_TABLES.map(versioned),
  plain('contract_supplier', ['contract_id', 'company_id'], ['position', 'sort_date']),
  plain('buyer_supplier', ['buyer_id', 'company_id'], ['contracts', 'places', 'pence', 'other_pence', 'last_contract']),
  plain('framework_reference', ['reference', 'framework_id']),
  plain('process_reference', ['reference', 'process_id']),
  plain('process_mention', ['mention', 'process_id'], ['is_copy']),
  plain('notice_name', ['name', 'process_id', 'notice_id']),
  plain(
    'party',
    ['process_id', 'party_id', 'role'],
    ['name', 'sighting', 'identity_id', 'method', 'score', 'evidence'],
  ),
  plain('alias', ['kind', 'alias'], ['target']),
  plain('identity_fact', ['kind', 'token', 'field', 'value'], ['last_seen', 'notice_id']),
  plain('coverage_day', ['source', 'day'], ['releases']),
];

const CHUNK_ROWS = 2_000;

interface TableDigest {
  table: string;
  rows: number;
  /** Hexadecimal, 16 digits of a sha256. */
  digest: string;
}

/** One digest per compiled table: equal digests, equal catalogues. Reads in chunks. */
export async function readDigests(catalogue: Database, signal?: AbortSignal): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const content of CONTENTS) digests.push(await digestTable(catalogue, content, signal));
  return digests;
}

/** The digests of a catalogue as its process sends them; the first answer says that it is ready. */
interface DigestAnswer {
  id: number;
  tables: TableDigest[];
}

const SCRIPT = new URL(`./digest-process${extension()}`, import.meta.url);
/** Reading takes some 25 microseconds a release. */
const DEADLINE_MS = HOUR_MS;

/**
 * The digests of a catalogue's file, read in another process, so that two catalogues are read at once. Where that process ends
 * before it has answered, `catalogue`, the same file open here, is read instead.
 */
export async function readDigestsAside(
  path: string,
  catalogue: Database,
  signal?: AbortSignal,
): Promise<TableDigest[]> {
  const worker = startWorker<DigestAnswer>(SCRIPT, [path]);
  const kill = () => worker.child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  try {
    return (await askWorker(worker, {}, DEADLINE_MS)).tables;
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    return await readDigests(catalogue, signal);
  } finally {
    signal?.removeEventListener('abort', kill);
    await stopWorker(worker);
  }
}

/** One digest of all. */
export function digestOfAll(tables: readonly TableDigest[]): string {
  const lines = tables.map(({ table, digest }) => `${table} ${digest}\n`).join('');
  return hash('sha256', lines).slice(0, 16);
}

/**
 * How many rows of a table exist only in the live generation, and how many only in the new one. Reads in chunks: one statement over
 * 300,000 parties held a busy machine for 50 s (measured), in which no lease was renewed.
 */
export async function countDifferences(
  target: Database,
  table: string,
  signal?: AbortSignal,
): Promise<{ live: number; built: number }> {
  const content = CONTENTS.find((one) => one.table === table);
  if (!content) throw new Error(`no digest is made of ${table}`);
  const live = await countOnlyIn(target, content, { here: 'live', there: 'main' }, signal);
  return { live, built: await countOnlyIn(target, content, { here: 'main', there: 'live' }, signal) };
}

async function countOnlyIn(
  target: Database,
  { table, key, rest, where }: Content,
  { here, there }: Record<'here' | 'there', 'live' | 'main'>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const order = key.join(', ');
  const isSame = [...key, ...rest].map((name) => `n.${name} IS o.${name}`).join(' AND ');
  const sql = `SELECT ${order}, NOT EXISTS (SELECT 1 FROM ${there}.${table} n WHERE ${isSame} AND ${where}) AS is_only_here
    FROM ${here}.${table} o WHERE (${order}) > (${key.map(() => '?').join(', ')}) AND ${where}
    ORDER BY ${order} LIMIT ${CHUNK_ROWS}`;
  let after: SqlValue[] = key.map(() => '');
  for (let count = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await target.read<Record<string, SqlValue>>({ sql, args: after });
    count += rows.filter((row) => row.is_only_here === 1).length;
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK_ROWS) return count;
    after = key.map((name) => last[name] ?? null);
    await yieldToEventLoop();
  }
}

/** The next rows of a table, a line of JSON each. */
interface Chunk {
  rows: number;
  lines: string | null;
}

async function digestTable(
  catalogue: Database,
  { table, key, rest, where }: Content,
  signal: AbortSignal | undefined,
): Promise<TableDigest> {
  const hash = createHash('sha256');
  const order = key.join(', ');
  // One text for each chunk: reading its rows one by one takes several times as long.
  const sql = `SELECT count(*) AS rows, group_concat(line, char(10)) AS lines FROM (
    SELECT json_array(${[...key, ...rest].join(', ')}) AS line FROM ${table}
    WHERE (${order}) > (${key.map(() => '?').join(', ')}) AND ${where} ORDER BY ${order} LIMIT ${CHUNK_ROWS})`;
  let after: SqlValue[] = key.map(() => '');
  for (let count = 0; ; ) {
    signal?.throwIfAborted();
    const [{ rows, lines } = { rows: 0, lines: null }] = await catalogue.read<Chunk>({ sql, args: after });
    if (lines !== null) hash.update(`${lines}\n`);
    count += rows;
    if (lines === null || rows < CHUNK_ROWS) return { table, rows: count, digest: hash.digest('hex').slice(0, 16) };
    after = (JSON.parse(lines.slice(lines.lastIndexOf('\n') + 1)) as SqlValue[]).slice(0, key.length);
    await yieldToEventLoop();
  }
}
