import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { sources } from '../../ingest/sources/index.ts';
import { openJobsServices } from '../../jobs/startup/open-services.ts';
import { findChangedSuccessions, ingestSource, syncIndex } from '../../jobs/tasks/run.ts';
import { makeClocks } from '../../schema/config/clocks.ts';
import { readSettings } from '../../schema/config/settings.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { openSearch } from '../../search/open.ts';
import { makeSharedReaders } from '../search/shared-readers.ts';
import type { Json, PublishedRelease, UpstreamData } from '../upstream/data.ts';
import { makeSample, SAMPLE_AS_OF } from '../upstream/sample/make.ts';
import { startUpstream } from '../upstream/server.ts';
import { upstreamSettings } from '../upstream/settings.ts';
import { fillOnce, makeFolder } from './databases.ts';
import { type BuildOptions, type BuiltServer, buildServer } from './services.ts';

/** Before the sample's first day. */
const SINCE = new Date('2025-08-01T00:00:00Z');

/** What reads the indexes of all sample servers of this process, and goes with it. */
const readers = { ...makeSharedReaders(2), close: async () => undefined };

interface SampleServerOptions extends BuildOptions {
  /** About how many notices; default 300. */
  notices?: number;
  /** Changes each release, and each row and profile of the register, before it is served. */
  alter?(release: Json): Json;
}

/**
 * A server with a small generated sample, ingested through the real path and indexed by the real engine. The sample is ingested
 * once in a run, and each server starts with a copy.
 */
export async function buildSampleServer({
  notices = 300,
  alter,
  ...options
}: SampleServerOptions = {}): Promise<BuiltServer> {
  const from = alter ? await ingestSample(notices, alter) : await findIngested(notices);
  return buildServer({
    ...options,
    from,
    settings: { AS_OF: SAMPLE_AS_OF.toISOString(), ...options.settings },
    search: (settings, catalogue) => openSearch(settings, catalogue, 'reader', readers),
  });
}

/** The folder with the sample of a size, to be copied. */
export function findIngested(notices = 300): Promise<string> {
  return fillOnce(`sample-${notices}`, () => ingestSample(notices));
}

/** What a sample server holds: bodies of every nation among few. */
export function makeSmallSample(notices = 300): UpstreamData {
  return makeSample({ notices, buyers: 40, companies: 120 });
}

/** Returns the folder, which is removed with the process. */
async function ingestSample(notices: number, alter: (release: Json) => Json = (release) => release): Promise<string> {
  const { path } = await makeFolder();
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  const sample = makeSmallSample(notices);
  const altered = <Published extends PublishedRelease>(all: Iterable<Published>): Published[] =>
    Array.from(all, (published) => ({ ...published, release: alter(published.release) }));
  const data = {
    ...sample,
    findATender: altered(sample.findATender),
    contractsFinder: altered(sample.contractsFinder),
    byMonth: new Map(Array.from(sample.byMonth, ([folder, releases]) => [folder, altered(releases)])),
    bulk: [...sample.bulk].map((row) => alter(row) as typeof row),
    profiles: new Map([...sample.profiles].map(([number, profile]) => [number, alter(profile)])),
  };
  const upstream = await startUpstream({ data });
  const asked = readSettings({
    DATA_DIR: path,
    AS_OF: data.asOf.toISOString(),
    ...upstreamSettings(upstream.url),
    COMPANIES_HOUSE_API_KEY: 'loopback',
    PROCUREMENT_GAP_SECONDS: '0',
    PROCUREMENT_GAP_AFTER_429_SECONDS: '0',
    COMPANIES_HOUSE_GAP_SECONDS: '0',
    CONTACT: 'test@example.org',
  });
  const services = await openJobsServices(asked, pino({ level: 'silent' }));
  try {
    for (const { id, kind } of sources) {
      const span =
        kind === 'notices'
          ? { job: 'ingest' as const, since: SINCE, until: makeClocks(asked.AS_OF).catalogueNow() }
          : {};
      const done = await ingestSource(services, id, span);
      if (!done.acquired || done.result.state === 'failed') throw new Error(`${id}: ${JSON.stringify(done)}`);
    }
    await findChangedSuccessions(services);
    await syncIndex(services);
  } finally {
    await services.close();
    await upstream.close();
  }
  await gatherRows(path);
  return path;
}

/** A closed database releases its files only when its memory is collected: until then its last rows may be in the log. */
async function gatherRows(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.db'));
  for (const name of files) {
    const database = await openDatabase({ url: `file:${join(folder, name)}`, durability: 'normal' });
    const [done] = await database.read<{ busy: number }>({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
    await database.close();
    if (done?.busy !== 0) throw new Error(`${name} is still in use`);
  }
}
