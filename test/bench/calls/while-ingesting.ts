import autocannon, { type Result } from 'autocannon';
import type { IngestAnswer, IngestOrder } from '../../chaos/ingest-process.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { startChild } from '../../support/start-child.ts';
import { SAMPLE_AS_OF } from '../../upstream/sample/make.ts';
import { upstreamSettings } from '../../upstream/settings.ts';
import { SPAN_DAYS } from '../ingest/world.ts';
import { makeCaller, serviceSettings, startApi } from './api-process.ts';

const INGEST = 'test/chaos/ingest-process.ts';
const UPSTREAM = 'test/bench/ingest/upstream-process.ts';
/** What a nightly job is given beside a server: `nice 10`. */
const NICENESS = 10;
const LOAD = { connections: 10, overallRate: 500 };
/** A server that has just begun compiles its own code: that is not what is asked. */
const WARM_SECONDS = 3;
const ALONE_SECONDS = 8;
const BESIDE_SECONDS = 20;

/** Metered look-ups at a steady pace, alone and while an ingest (`nice 10`) writes the catalogue that they read. */
export async function benchWhileIngesting(releases = 30_000): Promise<void> {
  const folder = await makeFolder();
  const upstream = startChild(UPSTREAM, {}, NICENESS);
  upstream.begin({ releases });
  try {
    const settings = makeEnvironment(settingsOf(folder.path, (await upstream.ready) ?? ''));
    await ingest(settings, 'contracts_finder');
    const api = await startApi(settings);
    try {
      const key = await makeCaller(folder.path);
      await compare(settings, { url: api.url, key, companyNumber: await findCompany(folder.path) });
    } finally {
      await api.stop();
    }
  } finally {
    upstream.kill();
    await folder.remove();
  }
}

function settingsOf(folder: string, upstream: string): Record<string, string> {
  return {
    ...serviceSettings(folder),
    ...upstreamSettings(upstream),
    FIRST_WINDOW_DAYS: String(SPAN_DAYS + 1),
    AS_OF: SAMPLE_AS_OF.toISOString(),
  };
}

async function ingest(settings: Record<string, string>, source: string): Promise<IngestAnswer> {
  const child = startChild(INGEST, settings, NICENESS);
  child.begin({ folder: settings.DATA_DIR ?? '', source } satisfies IngestOrder);
  const { code, said, complained } = await child.ended;
  if (code !== 0) throw new Error(`${source}: ${said.join(' ')} ${complained}`);
  return JSON.parse(said.at(-1) ?? '') as IngestAnswer;
}

interface Caller {
  key: string;
  companyNumber: string;
}

/** The company that won most, to look up. */
async function findCompany(folder: string): Promise<string> {
  const catalogue = await makeDatabase(folder, 'catalogue');
  const [company] = await catalogue.read<{ company_number: string }>({
    sql: 'SELECT company_number FROM company WHERE company_number IS NOT NULL ORDER BY contract_count DESC LIMIT 1',
  });
  await catalogue.close();
  return company?.company_number ?? '';
}

async function compare(settings: Record<string, string>, caller: Caller & { url: string }): Promise<void> {
  await measure(caller, WARM_SECONDS);
  const alone = await measure(caller, ALONE_SECONDS);
  const writing = ingest(settings, 'find_a_tender');
  const beside = await measure(caller, BESIDE_SECONDS);
  const { releases, tookMs } = await writing;
  console.log(`\nmetered look-ups, ${LOAD.overallRate} a second, all of it on one machine`);
  console.log(`  alone                       ${show(alone)}`);
  console.log(`  beside an ingest at nice ${NICENESS}  ${show(beside)}`);
  console.log(`    the ingest: ${releases} releases in ${(tookMs / 1_000).toFixed(1)} s`);
}

async function measure({ url, key, companyNumber }: Caller & { url: string }, duration: number): Promise<Result> {
  return autocannon({
    ...LOAD,
    duration,
    url: `${url}/v1/companies/${companyNumber}`,
    headers: { Authorization: `Bearer ${key}` },
  });
}

function show({ requests, latency, non2xx, errors }: Result): string {
  const failed = non2xx + errors;
  const { p50, p99, max } = latency;
  return `${requests.average.toFixed(0).padStart(7)}/s  p50 ${p50} ms  p99 ${p99} ms  most ${max} ms${failed ? `  ${failed} FAILED` : ''}`;
}
