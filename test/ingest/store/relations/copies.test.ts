import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookUpProcess } from '../../../../api/find/process.ts';
import { compileOcid } from '../../../../ingest/compile/ocid.ts';
import { readOcdsPage } from '../../../../ingest/parse/page.ts';
import { digestOfAll, readDigests } from '../../../../ingest/rebuild/digests.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import { haveRecordings, RECORDINGS } from '../../../upstream/recordings/known.ts';
import { makeScottish, ocidOf } from '../../crawl/cells/releases.ts';
import { countedOf, makeCatalogues, relatedOf } from './both-services.ts';
import { copy, originalAward as original, store } from './scottish-copies.ts';

const { makeCatalogue, closeAll } = makeCatalogues();
afterAll(closeAll);

const CONTRACT = `${ocidOf(1)}-a-1`;
const FORMER = 'ocds-h6vhtk-06a81-a-1';

describe('a Scottish award and its copy on Find a Tender', () => {
  it.each([
    ['by its link', {}],
    ['by its link, under another name of the buyer', { buyer: 'The Council of Strathexample, Procurement' }],
    ['by the number in its text', { links: false }],
  ])('count once, %s, whichever comes first', async (_how, options) => {
    const digests: string[] = [];
    for (const releases of [
      [original(1), copy(1, options)],
      [copy(1, options), original(1)],
    ]) {
      const catalogue = await makeCatalogue();
      await store(catalogue, releases);
      expect(await countedOf(catalogue)).toMatchObject({
        contracts: [CONTRACT],
        count: 1,
        sum: { GBP: { count: 1, value: 80_000 } },
      });
      expect(await relatedOf(catalogue, ocidOf(1))).toMatchObject([
        { id: 'ocds-h6vhtk-06a81', method: 'identifier', score: 1 },
      ]);
      expect(await relatedOf(catalogue, 'ocds-h6vhtk-06a81')).toMatchObject([{ id: ocidOf(1), method: 'identifier' }]);
      // What the copy's contract was called leads to the one that counts.
      expect((await lookUpProcess(catalogue, FORMER))?.contract?.id).toBe(CONTRACT);
      // A release's row has the number by which it came.
      const tables = (await readDigests(catalogue)).filter(({ table }) => table !== 'release');
      digests.push(digestOfAll(tables));
    }
    expect(digests[1]).toBe(digests[0]);
  });

  it('say why they are one', async () => {
    const catalogue = await makeCatalogue();
    await store(catalogue, [copy(1, { buyer: 'Another Name' }), original(1)]);
    const [related] = await relatedOf(catalogue, ocidOf(1));
    expect(related?.evidence).toContain(`one says that it is a copy of ${ocidOf(1)}`);
  });

  it('are two where nothing says that they are one', async () => {
    const catalogue = await makeCatalogue();
    const { description: _none, ...silent } = copy(1, { links: false });
    await store(catalogue, [original(1), silent]);
    expect((await countedOf(catalogue)).contracts).toEqual([FORMER, CONTRACT].toSorted());
  });
});

describe('a notice with several names', () => {
  let catalogue: Database;
  beforeAll(async () => {
    catalogue = await makeCatalogue();
    await store(catalogue, [
      makeScottish(1, { day: '2026-09-03' }).release,
      makeScottish(2, { day: '2026-10-03', family: 1 }).release,
    ]);
  });

  it.each(['PCS-SEP500001', 'pcs-sep500001', 'SEP500001', 'PCS-700001', '700001'])('is found as %s', async (name) => {
    expect((await lookUpProcess(catalogue, name))?.notice.notice_id).toBe('PCS-SEP500001');
  });

  it('is the newest of its family for the ocid', async () => {
    expect((await lookUpProcess(catalogue, ocidOf(1)))?.notice.notice_id).toBe('PCS-SEP500002');
    expect(await lookUpProcess(catalogue, '700003')).toBeUndefined();
  });
});

const PAGE = 'find-a-tender/pages/page-2026-05-tenders.json';

describe.runIf(haveRecordings('eleven copies of Scottish notices', PAGE))('the copies on a genuine page', () => {
  it('name their originals, and nothing else names one', () => {
    const page = readOcdsPage(readFileSync(`${RECORDINGS}/${PAGE}`), {
      source: 'find_a_tender',
      url: 'https://example.org',
    });
    const compiled = page.releases.flatMap((one) =>
      compileOcid(one.ocid, [{ ...one, fetchedAt: '2026-11-20T00:00:00Z' }]),
    );
    const copies = compiled.filter(({ related }) => related.originals.length > 0);
    expect(copies).toHaveLength(11);
    for (const { related, notices } of copies) {
      expect(notices.map(({ original }) => original)).toEqual([
        { process: related.originals[0], notice: expect.stringMatching(/^pcs-\d{6}$/) },
      ]);
      expect(related.originals).toEqual([expect.stringMatching(/^ocds-r6ebe6-\d{10}$/)]);
      expect(related.mentions).toEqual(
        expect.arrayContaining([...related.originals, expect.stringMatching(/^pcs-\d{6}$/)]),
      );
    }
    expect(compiled.filter(({ related }) => related.mentions.some((name) => /pcs|r6ebe6/.test(name)))).toHaveLength(11);
  });
});
