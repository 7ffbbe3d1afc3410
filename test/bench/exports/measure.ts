import type { ExportFormat } from '../../../schema/accounts/exports/datasets.ts';
import { WORLD_NOW } from '../../generated/notices/make.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { startChild } from '../../support/start-child.ts';
import { makeCaller, serviceSettings, startApi } from '../calls/api-process.ts';
import { LOOKUPS_A_SECOND, type Lookup, loadAlone, loadUntil, showLoadOf } from './steady-lookups.ts';
import { fillNotices } from './world.ts';
import type { ExportAnswer } from './writer-process.ts';

const WRITER = 'test/bench/exports/writer-process.ts';
/** What a nightly job is given beside a server: `nice 10`. */
const NICENESS = 10;
const FORMATS: readonly ExportFormat[] = ['csv', 'jsonl.gz', 'parquet'];

/** What the notice that is looked up is about; an export needs none. */
const PROCESS = `INSERT INTO process (id, ocid, source, title, stage, status, documents, notices, digest, seq)
  SELECT process_id, ocid, source, title, stage, status, '[]', '[]', digest, seq FROM notice WHERE seq = 1`;

interface Bench extends Lookup {
  settings: Record<string, string>;
  rows: number;
}

/** Exports of generated notices, one of each kind of format: rows a second, memory, and what a metered look-up beside it has to wait. */
export async function benchExports(rows = 1_000_000): Promise<void> {
  console.log(`\nexports of ${rows} generated notices, and ${LOOKUPS_A_SECOND} metered look-ups a second beside them`);
  const folder = await makeFolder();
  try {
    const caller = await fill(folder.path, rows);
    const settings = makeEnvironment({ ...serviceSettings(folder.path), AS_OF: WORLD_NOW.toISOString() });
    const api = await startApi(settings);
    try {
      const bench = { settings, url: api.url, rows, ...caller };
      console.log(`  alone            ${showLoadOf(await loadAlone(bench))}`);
      for (const format of FORMATS) await benchFormat(bench, format);
    } finally {
      await api.stop();
    }
  } finally {
    await folder.remove();
  }
}

/** Generated notices, one of which can be looked up, and a caller. */
export async function fill(folder: string, rows: number): Promise<Omit<Lookup, 'url'>> {
  const catalogue = await makeDatabase(folder, 'catalogue');
  await fillNotices(catalogue, rows);
  await catalogue.write([{ sql: PROCESS }]);
  const [notice] = await catalogue.read<{ notice_id: string }>({ sql: 'SELECT notice_id FROM notice WHERE seq = 1' });
  await catalogue.close();
  return { key: await makeCaller(folder), noticeId: notice?.notice_id ?? '' };
}

async function benchFormat(bench: Bench, format: ExportFormat): Promise<void> {
  const posted = post(bench, format);
  const whileCounted = await loadUntil(bench, posted);
  const { tookMs: countedMs } = await posted;
  const child = startChild(WRITER, bench.settings, NICENESS);
  child.begin({});
  const whileWritten = await loadUntil(bench, child.ended);
  const { said, complained } = await child.ended;
  if (said.length === 0) throw new Error(complained);
  const { tookMs, cpuMs, megabytes } = JSON.parse(said.at(-1) ?? '') as ExportAnswer;
  const [early = 0, middle = 0, late = 0, most = 0] = megabytes.map(Math.round);
  const rate = (ms: number) => Math.round((bench.rows / ms) * 1_000);
  console.log(`  ${format}`);
  console.log(`    counted, frozen and paid for in ${(countedMs / 1_000).toFixed(1)} s`);
  console.log(`      look-ups     ${showLoadOf(whileCounted)}`);
  console.log(`    written        ${rate(tookMs)} rows/s, ${rate(cpuMs)} for each second of its processor time`);
  console.log(`      memory       ${early}, ${middle}, ${late} MB on the way, at most ${most} MB`);
  console.log(`      look-ups     ${showLoadOf(whileWritten)}`);
}

async function post({ url, key, rows }: Bench, format: ExportFormat): Promise<{ tookMs: number }> {
  const startMs = performance.now();
  const answer = await fetch(`${url}/v1/exports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ format, max_rows: rows }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return { tookMs: performance.now() - startMs };
}
