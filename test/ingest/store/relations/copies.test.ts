import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookUpProcess } from '../../../../api/find/process.ts';
import { compileOcid } from '../../../../ingest/compile/ocid.ts';
import { readOcdsPage } from '../../../../ingest/parse/page.ts';
import { digestOfAll, readDigests } from '../../../../ingest/rebuild/digests.ts';
import { publicContractsScotland as scotland } from '../../../../ingest/sources/public-contracts-scotland.ts';
import { storePage } from '../../../../ingest/store/page.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { haveRecordings, RECORDINGS } from '../../../upstream/recordings/known.ts';
import { makeScottish, ocidOf } from '../../cells/releases.ts';
import { packageOf } from '../../compile/releases.ts';
import { countedOf, makeCatalogues, relatedOf } from './both-services.ts';

const { makeCatalogue, closeAll } = makeCatalogues();
afterAll(closeAll);

const SUPPLIER = { name: 'Bright Grounds Ltd', address: { postalCode: 'PH1 1AA' } };
const VALUE = { amount: 80_000, currency: 'GBP' };

/** An award of the Scottish service, its value on the contract alone. */
const original = (n: number) =>
  makeScottish(n, {
    day: '2026-09-03',
    type: '3',
    tag: 'award',
    more: {
      awards: [{ id: '1', status: 'active', suppliers: [{ id: 'org-3', name: SUPPLIER.name }], relatedLots: ['1'] }],
      contracts: [{ id: '1', awardID: '1', value: VALUE, dateSigned: '2026-08-28T00:00:00Z' }],
    },
  }).release;

interface CopyOptions {
  buyer?: string;
  links?: boolean;
}

/** The same as Find a Tender has it: other ids, London's zone, its own name for the buyer where one is given. */
function copy(n: number, { buyer = 'Strathexample Council', links = true }: CopyOptions = {}): JsonObject {
  return {
    ocid: `ocds-h6vhtk-06a8${n}`,
    id: `05083${n}-2026`,
    date: '2026-09-04T13:14:23+01:00',
    tag: ['award', 'contract'],
    initiationType: 'tender',
    description: `The council awarded it.\n(SC Ref:${700_000 + n})\nDownload it from the web site.`,
    parties: [
      { id: 'GB-FTS-1824', name: buyer, roles: ['buyer'], address: { postalCode: 'PH1 5AB' } },
      { id: 'GB-FTS-9', roles: ['supplier'], ...SUPPLIER },
    ],
    buyer: { id: 'GB-FTS-1824', name: buyer },
    tender: {
      id: `ocds-h6vhtk-06a8${n}`,
      title: `Grounds maintenance ${n}`,
      legalBasis: { id: '32014L0024', scheme: 'CELEX' },
    },
    awards: [{ id: '1', status: 'active', suppliers: [{ id: 'GB-FTS-9', name: SUPPLIER.name }], value: VALUE }],
    contracts: [{ id: '1', awardID: '1', dateSigned: '2026-08-28T00:00:00+01:00' }],
    ...(links
      ? { links: [{ rel: 'canonical', href: `https://api.publiccontractsscotland.gov.uk/v1/Notice?id=${ocidOf(n)}` }] }
      : {}),
  };
}

async function store(catalogue: Database, releases: readonly JsonObject[]): Promise<void> {
  for (const release of releases) {
    const isScottish = String(release.ocid).startsWith('ocds-r6ebe6');
    const source = isScottish ? scotland.id : 'find_a_tender';
    const url = isScottish
      ? scotland.cellUrl('https://example.org', { month: '2026-09', type: '3' })
      : 'https://example.org';
    const page = readOcdsPage(packageOf([release]), {
      source,
      url,
      ...(isScottish ? { adapt: scotland.adapt } : {}),
    });
    await storePage(catalogue, { source, fetchedAt: '2026-11-20T00:00:00Z', ...page, before: [], after: [] });
  }
}

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
      // A release's row bears the number by which it came.
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
    for (const { related } of copies) {
      expect(related.originals).toEqual([expect.stringMatching(/^ocds-r6ebe6-\d{10}$/)]);
      expect(related.mentions).toEqual(
        expect.arrayContaining([...related.originals, expect.stringMatching(/^pcs-\d{6}$/)]),
      );
    }
    expect(compiled.filter(({ related }) => related.mentions.some((name) => /pcs|r6ebe6/.test(name)))).toHaveLength(11);
  });
});
