import { afterAll, expect, it } from 'vitest';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { findService } from '../../../ingest/sources/index.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { packageOf } from '../compile/releases.ts';
import { makeCatalogues } from '../store/relations/both-services.ts';
import { type Copy, PAIRS } from './copies/pairs.ts';

const { makeCatalogue, closeAll } = makeCatalogues();
afterAll(closeAll);

const BUYER = { name: 'Strathexample Council', address: { postalCode: 'PH1 5AB' } };
const SERVICES = {
  pcs: { id: 'public_contracts_scotland', prefix: 'PCS', host: 'publiccontractsscotland.gov.uk', type: '2', ref: 'SC' },
  s2w: { id: 'sell2wales', prefix: 'S2W', host: 'sell2wales.gov.wales', type: '51', ref: 'WA' },
} as const;

interface Published {
  source: string;
  type?: string;
  release: JsonObject;
}

const partiesOf = (id: string) => ({ parties: [{ id, roles: ['buyer'], ...BUYER }], buyer: { id, name: BUYER.name } });

/** A notice of a portal: `pcs 700012 of 700002 award`. */
function readPublished(text: string, more: Pick<Copy, 'title' | 'value'>): Published {
  const [, at, number = '', family = number, tag = 'tender'] =
    /^(\w+) (\d+)(?: of (\d+))?(?: (\w+))?$/.exec(text) ?? [];
  const { id: source, host, type, ref } = SERVICES[at as keyof typeof SERVICES];
  const isScottish = at === 'pcs';
  const ocid = isScottish ? `ocds-r6ebe6-${family.padStart(10, '0')}` : `ocds-kuma6s-${family}`;
  const id = `SEP${number}`;
  const url = `https://www.${host}/search/show/search_view.aspx?ID=${id}`;
  const release = {
    ocid,
    id: isScottish ? `rls-1-${id}` : `${ocid}-release-${number}`,
    date: '2026-09-03T00:00:00Z',
    tag: [tag],
    initiationType: 'tender',
    ...partiesOf('org-1'),
    tender: {
      id: 'ref',
      documents: [{ id, documentType: 'contractNotice', url }],
      ...tenderOf(more, `Notice ${number}`),
    },
    description: `Text\r\n (${ref} Ref:${number})`,
  };
  return { source, type, release };
}

function tenderOf({ title, value }: Pick<Copy, 'title' | 'value'>, otherwise: string): JsonObject {
  return { title: title ?? otherwise, ...(value ? { value: { amount: value, currency: 'GBP' } } : {}) };
}

/** The notice on Find a Tender; `serial` tells it from others. */
function readCopy(copy: Copy, serial: number): Published {
  const { x: description, links, tag = 'tender', lot, related } = copy;
  const prior = { id: '1', relationship: ['prior'], scheme: 'ocid', identifier: related };
  const release = {
    ocid: `ocds-h6vhtk-0a000${serial}`,
    id: `05000${serial}-2026`,
    date: '2026-09-04T13:14:23+01:00',
    tag: [tag],
    initiationType: 'tender',
    ...partiesOf('GB-FTS-1'),
    description,
    tender: {
      id: 'x',
      legalBasis: { id: '32014L0024', scheme: 'CELEX' },
      ...tenderOf(copy, 'Copy'),
      ...(lot ? { lots: [{ id: '1', description: lot }] } : {}),
    },
    ...(links ? { links } : {}),
    ...(related ? { relatedProcesses: [prior] } : {}),
  };
  return { source: 'find_a_tender', release };
}

async function store(catalogue: Database, { source, type, release }: Published): Promise<void> {
  const service = findService(source);
  const base = 'https://example.org';
  const url = service?.asked === 'by_cell' && type ? service.cellUrl(base, { month: '2026-09', type }) : base;
  const adapt = service?.adapt ? { adapt: service.adapt } : {};
  const page = readOcdsPage(packageOf([release]), { source, url, ...adapt });
  await storePage(catalogue, { source, fetchedAt: '2026-11-20T00:00:00Z', ...page, before: [], after: [] });
}

const COPIES = "SELECT copy_of FROM notice WHERE source = 'find_a_tender'";

/** The number of the notice that each notice on Find a Tender is a copy of, as one text: they agree. */
async function judge(published: readonly Published[]): Promise<number | null> {
  const catalogue = await makeCatalogue();
  for (const one of published) await store(catalogue, one);
  const rows = await catalogue.read<{ copy_of: string | null }>({ sql: COPIES });
  const found = new Set(rows.map(({ copy_of }) => copy_of && Number(copy_of.replace(/^\D+\d*\D+(?=\d)/, ''))));
  expect(found.size).toBe(1);
  return [...found][0] || null;
}

it.each(PAIRS)('$name', async ({ held, copy, right }) => {
  const originals = held.map((one) => readPublished(one, copy));
  const copies = [readCopy(copy, 1), ...(copy.twin ? [readCopy(copy, 2)] : [])];
  expect(right).toContain(await judge([...originals, ...copies]));
  expect(right).toContain(await judge([...copies, ...originals]));
});
