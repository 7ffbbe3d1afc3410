import { readOcdsPage } from '../../../../ingest/parse/page.ts';
import { publicContractsScotland as scotland } from '../../../../ingest/sources/public-contracts-scotland.ts';
import { storePage } from '../../../../ingest/store/page.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { packageOf } from '../../compile/releases.ts';
import { makeScottish, ocidOf } from '../../crawl/cells/releases.ts';

const SUPPLIER = { name: 'Bright Grounds Ltd', address: { postalCode: 'PH1 1AA' } };
export const VALUE = { amount: 80_000, currency: 'GBP' };

/** An award of the Scottish service, its value on the contract alone. */
export const originalAward = (n: number): JsonObject =>
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
  /** What it is of; an award otherwise. */
  tender?: JsonObject;
}

/** What Find a Tender has of a Scottish release: other ids, London's zone, its own name for the buyer where one is given. */
export function copy(
  n: number,
  { buyer = 'Strathexample Council', links = true, tender }: CopyOptions = {},
): JsonObject {
  return {
    ocid: `ocds-h6vhtk-06a8${n}`,
    id: `05083${n}-2026`,
    date: '2026-09-04T13:14:23+01:00',
    tag: tender ? ['tender'] : ['award', 'contract'],
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
      ...tender,
    },
    ...(tender
      ? {}
      : {
          awards: [{ id: '1', status: 'active', suppliers: [{ id: 'GB-FTS-9', name: SUPPLIER.name }], value: VALUE }],
          contracts: [{ id: '1', awardID: '1', dateSigned: '2026-08-28T00:00:00+01:00' }],
        }),
    ...(links
      ? { links: [{ rel: 'canonical', href: `https://api.publiccontractsscotland.gov.uk/v1/Notice?id=${ocidOf(n)}` }] }
      : {}),
  };
}

/** Stores releases one by one, each of the service that its ocid tells. */
export async function store(catalogue: Database, releases: readonly JsonObject[]): Promise<void> {
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
