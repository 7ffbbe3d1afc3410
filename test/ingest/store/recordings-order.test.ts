import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type ReadPage, readOcdsPage } from '../../../ingest/parse/page.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { haveRecordings, RECORDINGS, readKnownRecordings } from '../../upstream/recordings/known.ts';
import { makeCatalogues, storeBatches } from './any-order.ts';
import { catalogueDigest, readSeq } from './catalogue-digest.ts';

/** Genuine pages that overlap, with edits of one notice among them. */
const FILES = [
  'contracts-finder/search-pages/search-page-hundred-releases.json',
  'contracts-finder/search-pages/search-page-publishedTo-2022-10-20.json',
  'contracts-finder/search-pages/search-pages-five-releases.json',
  'find-a-tender/notices/029664-2025.json',
  'find-a-tender/pages/page-2026-05-tenders.json',
].map((file) => `${RECORDINGS}/${file}`);
const present = haveRecordings('the order of genuine pages');

describe.skipIf(!present)('genuine pages', () => {
  const opened: { catalogue: Database; remove(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const { catalogue, remove } of opened) await catalogue.close().then(remove);
  });

  const read = (file: string): ReadPage & { source: string } => {
    const source = file.includes('find-a-tender') ? 'find_a_tender' : 'contracts_finder';
    return { source, ...readOcdsPage(readFileSync(file), { source, url: 'recorded' }) };
  };

  async function store(files: readonly string[], batchReleases: number) {
    const folder = await makeFolder();
    const catalogue = await makeDatabase(folder.path, 'catalogue');
    opened.push({ catalogue, remove: folder.remove });
    for (const page of files.map(read)) {
      for (let at = 0; at < page.releases.length; at += batchReleases) {
        const releases = page.releases.slice(at, at + batchReleases);
        await storePage(catalogue, { ...page, fetchedAt: '2026-11-20T00:00:00Z', releases, before: [], after: [] });
      }
    }
    return catalogue;
  }

  it('of processes with several releases, shuffled and one by one, give the same catalogue', async () => {
    const { findATender, contractsFinder } = await readKnownRecordings();
    const all = [...findATender, ...contractsFinder].flatMap(({ release, publishedAt }) => {
      const source = String(release.ocid).startsWith('ocds-h6vhtk') ? 'find_a_tender' : 'contracts_finder';
      const read = readOcdsPage(Buffer.from(JSON.stringify({ releases: [release] })), { source, url: 'recorded' });
      return read.releases.map((one) => ({ ...one, fetchedAt: publishedAt.toISOString() }));
    });
    const times = new Map<string, number>();
    for (const { ocid } of all) times.set(ocid, (times.get(ocid) ?? 0) + 1);
    const several = all.filter(({ ocid }) => (times.get(ocid) ?? 0) > 1);
    expect(several.length).toBeGreaterThan(40);
    const catalogues = await makeCatalogues();
    const digests = [];
    const byDigest = several.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
    for (const batches of [[several], several.toReversed().map((one) => [one]), [byDigest, byDigest]]) {
      const catalogue = await catalogues.make();
      await storeBatches(catalogue, batches);
      digests.push(await catalogueDigest(catalogue));
      await catalogue.close();
    }
    await catalogues.remove();
    expect(digests[1]).toEqual(digests[0]);
    expect(digests[2]).toEqual(digests[0]);
  });

  it('in any order and any batches give the same catalogue, and again change nothing', async () => {
    const forwards = await store(FILES, 100);
    const backwards = await store(FILES.toReversed(), 37);
    const digest = await catalogueDigest(forwards);
    expect(await catalogueDigest(backwards)).toEqual(digest);
    const seq = await readSeq(forwards);
    for (const page of FILES.map(read))
      await storePage(forwards, { ...page, fetchedAt: '2026-11-21T00:00:00Z', before: [], after: [] });
    expect([await catalogueDigest(forwards), await readSeq(forwards)]).toEqual([digest, seq]);
  });
});
