import { cp } from 'node:fs/promises';
import { pino } from 'pino';
import { storePage } from '../../../../ingest/store/page.ts';
import type { JobsServices } from '../../../../jobs/process/services.ts';
import { openJobsServices } from '../../../../jobs/startup/open-services.ts';
import type { RebuildOptions, RebuildReport } from '../../../../jobs/tasks/rebuild/options.ts';
import { rebuildCatalogue } from '../../../../jobs/tasks/rebuild.ts';
import { readSettings } from '../../../../schema/config/settings.ts';
import { readPublished } from '../../../ingest/parse/read-published.ts';
import { makeNotice } from '../../../ingest/small-world.ts';
import { fillOnce, makeFolder } from '../../../support/databases.ts';
import { makeSmallSample } from '../../../support/sample-services.ts';
import { listBySource, type PublishedRelease, type TypedRelease } from '../../../upstream/data.ts';
import { makeSample } from '../../../upstream/sample/make.ts';

export type OpenJobs = Awaited<ReturnType<typeof openJobsServices>>;

export interface FilledJobs {
  jobs: OpenJobs;
  folder: string;
  close(): Promise<void>;
}

/**
 * A folder whose catalogue holds a small generated sample of every service, to be copied for every test. It is filled once in a
 * run and stays as it is.
 * @param notices of the one that has most; of each other a quarter
 */
export function findTemplate(notices = 40): Promise<string> {
  return fillOnce(`stored-${notices}`, () => fillTemplate(notices));
}

async function fillTemplate(notices: number): Promise<string> {
  const { path } = await makeFolder();
  const jobs = await openJobs(path);
  const { findATender } = makeSample({ notices, buyers: 8, companies: 20 });
  // So small a sample has one service: the others come from a wider one.
  for (const [id, published] of listBySource({ ...makeSmallSample(), findATender }))
    await storePublished(jobs, id, id === 'find_a_tender' ? published : published.slice(0, notices / 4));
  await jobs.close();
  return path;
}

/** The services of jobs on a copy of a folder. */
export async function copyJobs(template: string): Promise<FilledJobs> {
  const folder = await makeFolder();
  // What stands beside a database goes by itself when the driver lets go of it; the file is whole without.
  const filter = (path: string) => !/-(?:shm|wal)$/.test(path);
  await cp(template, folder.path, { recursive: true, filter });
  const jobs = await openJobs(folder.path);
  return {
    jobs,
    folder: folder.path,
    async close() {
      await jobs.close();
      await folder.remove();
    },
  };
}

export function releasesOf(published: Iterable<PublishedRelease>): unknown[] {
  return Array.from(published, ({ release }) => release);
}

export function openJobs(folder: string, more: Record<string, string> = {}): Promise<OpenJobs> {
  return openJobsServices(
    readSettings({ DATA_DIR: folder, CONTACT: 'test@example.org', ...more }),
    pino({ level: 'silent' }),
  );
}

/** Stores what a service published; that of a service asked by month and type as answers of each type. */
async function storePublished(jobs: JobsServices, source: string, published: readonly PublishedRelease[]) {
  const types = new Set(published.map(typeOf));
  for (const type of types)
    await storeReleases(jobs, source, releasesOf(published.filter((one) => typeOf(one) === type)), type);
}

function typeOf(published: PublishedRelease | TypedRelease): string | undefined {
  return 'type' in published ? published.type : undefined;
}

/** Stores releases as ingest would, thirty a page. */
export async function storeReleases(
  { catalogue }: JobsServices,
  source: string,
  releases: readonly unknown[],
  type?: string,
) {
  for (let first = 0; first < releases.length; first += 30) {
    const page = readPublished(source, releases.slice(first, first + 30), type);
    const fetchedAt = new Date(Date.UTC(2026, 10, 20, 9, 0, first)).toISOString();
    await storePage(catalogue, { ...page, source, fetchedAt, before: [], after: [] });
  }
}

/** Releases that nobody has seen yet: `count` planning notices numbered from `first`. */
export function makeLate(first: number, count = 5): unknown[] {
  return Array.from(
    { length: count },
    (_, index) => makeNotice(first + index, new Date('2026-11-20T08:00:00Z')).release,
  );
}

export async function rebuild(jobs: JobsServices, options: RebuildOptions = {}): Promise<RebuildReport> {
  const done = await rebuildCatalogue(jobs, { waitMs: 20, ...options });
  if (!done.acquired) throw new Error(`held by ${done.holder}`);
  return done.result;
}

/** The tables in which the live catalogue differs from what a rebuild would make of its releases. */
export async function findDiffering(jobs: JobsServices) {
  const { tables } = await rebuild(jobs, { check: true });
  return tables.filter(({ onlyLive, onlyNew }) => onlyLive + onlyNew > 0);
}
