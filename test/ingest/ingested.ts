import { readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunReport } from '../../ingest/context.ts';
import { runRegister } from '../../ingest/register/run.ts';
import { registerSources } from '../../ingest/runs/record.ts';
import { sources } from '../../ingest/sources/index.ts';
import { pathOfFile } from '../../schema/db/interface.ts';
import { fillOnce, makeFolder } from '../support/databases.ts';
import { listBySource, type PublishedRelease, type UpstreamData } from '../upstream/data.ts';
import { readKnownRecordings } from '../upstream/recordings/known.ts';
import { makeWorld, runService, type World } from './small-world.ts';

/** Reports of runs, by the id of their source. */
export type Reports = Record<string, RunReport>;

const REPORTS = 'reports.json';

/** Ingests the register and every service that has published something, since its first release. */
export async function ingestAll(data: UpstreamData): Promise<{ world: World; reports: Reports }> {
  const world = await makeWorld(data, { settings: { COMPANIES_HOUSE_API_KEY: 'key' } });
  await registerSources(world.catalogue, sources);
  const reports: Reports = {};
  for (const [id, releases] of listBySource(data)) {
    const since = sinceOf(releases);
    if (since) reports[id] = await runService(world.context, id, { since });
  }
  return { world, reports: { ...reports, companies_house: await runRegister(world.context, 'companies_house') } };
}

/** The second before the first of these; null without any. */
export function sinceOf(releases: readonly PublishedRelease[]): Date | null {
  const firstMs = Math.min(...releases.map(({ publishedAt }) => publishedAt.getTime()));
  return releases.length === 0 ? null : new Date(firstMs - 1_000);
}

/** A copy of the catalogue that all known recordings went into, in a folder: they are ingested once in a run. */
export async function copyRecorded(folder: string): Promise<Reports> {
  const from = await fillOnce('recorded', ingestRecordings);
  await copyFile(join(from, 'catalogue.db'), join(folder, 'catalogue.db'));
  return JSON.parse(readFileSync(join(from, REPORTS), 'utf8')) as Reports;
}

async function ingestRecordings(): Promise<string> {
  const { path } = await makeFolder();
  const { world, reports } = await ingestAll(await readKnownRecordings());
  await world.catalogue.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
  await copyFile(pathOfFile(world.catalogue.url), join(path, 'catalogue.db'));
  await world.close();
  await writeFile(join(path, REPORTS), JSON.stringify(reports));
  return path;
}
