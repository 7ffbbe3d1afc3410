import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readOcdsPage } from '../../../../ingest/parse/page.ts';
import { buildGeneration } from '../../../../ingest/rebuild/generation.ts';
import { moveFile } from '../../../../ingest/rebuild/move.ts';
import { storePage } from '../../../../ingest/store/page.ts';
import { acquireLease } from '../../../../jobs/process/lease.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { openCatalogue } from '../../../../schema/db/open-catalogue.ts';
import { makeNotice } from '../../../ingest/small-world.ts';
import { copyJobs, type FilledJobs, findTemplate, rebuild } from './filled-services.ts';

let template: string;
let filled: FilledJobs;
beforeAll(async () => {
  template = await findTemplate(10);
});
beforeEach(async () => {
  filled = await copyJobs(template);
});
afterEach(() => filled.close());

/** One notice or several in the words of one of their versions, fetched in a minute of the clock. */
async function fetchVersion(catalogue: Database, title: string, minute: number, notices = 1): Promise<void> {
  const releases = Array.from({ length: notices }, (_, index) => {
    const { release } = makeNotice(900_001 + index, new Date('2026-11-20T08:00:00Z'));
    return { ...release, tender: { ...(release.tender as object), title } };
  });
  const page = readOcdsPage(Buffer.from(JSON.stringify({ releases })), { source: 'find_a_tender', url: 'x' });
  const fetchedAt = new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
  await storePage(catalogue, { ...page, source: 'find_a_tender', fetchedAt, before: [], after: [] });
}

async function readTitle(catalogue: Database = filled.jobs.catalogue): Promise<string | undefined> {
  const sql = "SELECT title FROM notice WHERE notice_id = '900001-2026'";
  return (await catalogue.read<{ title: string }>({ sql }))[0]?.title;
}

describe('a notice that was put back to what it said before', () => {
  it('says the same after a rebuild', async () => {
    const { catalogue } = filled.jobs;
    for (const [minute, title] of ['Roofs', 'Walls', 'Roofs'].entries()) await fetchVersion(catalogue, title, minute);
    expect(await readTitle()).toBe('Roofs');
    expect(await rebuild(filled.jobs)).toMatchObject({ same: true, moved: true });
    expect(await readTitle()).toBe('Roofs');
  });

  it('is put back in the new generation too where that happens meanwhile, with all others of its page', async () => {
    const { jobs } = filled;
    // One more than is compiled at once.
    const notices = 201;
    await fetchVersion(jobs.catalogue, 'Roofs', 0, notices);
    await fetchVersion(jobs.catalogue, 'Walls', 1, notices);
    const other = await openCatalogue({ url: jobs.settings.CATALOGUE_URL, durability: 'normal' });
    const coming: Promise<void>[] = [];
    await rebuild(jobs, {
      onProgress: ({ stage }) => {
        if (stage === 'reconciling') coming.push(fetchVersion(other, 'Roofs', 2, notices));
      },
    });
    await Promise.all(coming);
    await other.close();
    expect(coming).not.toEqual([]);
    expect(await readTitle()).toBe('Roofs');
    const walls = { sql: "SELECT notice_id FROM notice WHERE title = 'Walls'" };
    expect(await jobs.catalogue.read(walls)).toEqual([]);
    expect((await rebuild(jobs, { check: true })).same).toBe(true);
  });

  it('is put back also where that happens in the last moment before the move', async () => {
    const { jobs, folder } = filled;
    await fetchVersion(jobs.catalogue, 'Roofs', 0);
    await fetchVersion(jobs.catalogue, 'Walls', 1);
    const lease = await acquireLease(jobs.catalogue, 'rebuild', { holder: 'this one' });
    const coming = [() => fetchVersion(jobs.catalogue, 'Roofs', 2)];
    const path = join(folder, 'catalogue-2.db');
    await buildGeneration({
      livePath: join(folder, 'catalogue.db'),
      path,
      generation: 2,
      async move(generation) {
        const catchUp = async () => {
          await generation.catchUp();
          await coming.shift()?.();
        };
        await moveFile({ ...generation, catchUp }, 2, ['rebuild', lease?.token ?? '']);
      },
    });
    const moved = await openDatabase({ url: `file:${path}`, durability: 'normal', readOnly: true });
    expect(await readTitle(moved)).toBe('Roofs');
    await moved.close();
  });
});
