import { BUYER_KINDS, PROCEDURES } from '../../../schema/catalogue/enums.ts';
import { DIRECT_AWARD_GROUNDS } from '../../../schema/reference/notice-types.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { Collection } from '../../../search/collections/shape.ts';
import type { ContractDocument } from '../../../search/engine.ts';
import { CONTRACT_FACETS } from '../../../search/filters/facets.ts';
import { someContract } from '../contract/contracts.ts';
import {
  type Asking,
  COMMON,
  DRAWN,
  drawCommon,
  drawDay,
  drawFilters,
  drawNow,
  drawText,
  isWithin,
  maybe,
  some,
  type World,
} from './reckon.ts';

const COMPANIES = ['GB-COH-01234567', 'GB-COH-SC000001', 'name:odd one & co', 'gb-fts-12', 'gb-fts-1'];
const FRAMEWORKS = ['ocds-h6vhtk-0a1b2c', 'ocds-h6vhtk-0a1b2', 'fw/odd "1"'];

const GROUNDS = DIRECT_AWARD_GROUNDS.slice(0, 4);

const ASKED: Asking = [
  ['buyer_id', 0.15, (random) => random.pick(DRAWN.buyers)],
  ['company_number', 0.15, (random) => (random.chance(0.5) ? random.pick(COMPANIES) : some(COMPANIES)(random))],
  ['framework_id', 0.1, (random) => random.pick(FRAMEWORKS)],
  ['cpv', 0.2, some(DRAWN.branches)],
  ['region', 0.2, some(DRAWN.places)],
  ['nation', 0.15, some(DRAWN.nations)],
  ['source', 0.15, some(DRAWN.sources)],
  ['value_min', 0.15, (random) => random.pick(DRAWN.values)],
  ['value_max', 0.15, (random) => random.pick(DRAWN.values)],
  ['awarded_from', 0.1, drawDay],
  ['awarded_to', 0.1, drawDay],
  ['starts_from', 0.1, drawDay],
  ['starts_to', 0.1, drawDay],
  ['ends_from', 0.1, drawDay],
  ['ends_to', 0.1, drawDay],
  ['procedure', 0.2, some(PROCEDURES)],
  ['buyer_kind', 0.15, some(BUYER_KINDS)],
  ['direct_award_ground', 0.1, some(GROUNDS)],
  ['standstill_from', 0.08, drawDay],
  ['standstill_to', 0.08, drawDay],
  ['bids_max', 0.15, (random) => random.int(0, 6)],
  ['sme', 0.15, (random) => random.chance(0.5)],
  ['vcse', 0.15, (random) => random.chance(0.5)],
  ['status', 0.3, (random) => random.pick(['any', 'active', 'ended', 'terminated'])],
];

const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });

function pounds({ value, currency }: ContractDocument): number | null {
  return currency === 'GBP' ? value : null;
}

/** Contracts, each award once. */
export const CONTRACTS: World<ContractDocument> = {
  collection: COLLECTIONS.contracts as unknown as Collection<ContractDocument>,
  makeDocuments: (random, count) =>
    Array.from({ length: count }, (_, index) =>
      someContract({
        ...drawCommon(random),
        // As the id of a contract whose buyers share an ocid.
        id: `c~${index}`,
        suppliers: Array.from({ length: random.int(0, 2) }, () => random.pick(DRAWN.words)),
        company_ids: [...new Set(Array.from({ length: random.int(0, 3) }, () => random.pick(COMPANIES)))],
        framework_id: maybe(random, 0.3, () => random.pick(FRAMEWORKS)) ?? null,
        dated: drawDay(random),
        starts: maybe(random, 0.7, () => drawDay(random)) ?? null,
        ends: maybe(random, 0.7, () => drawDay(random)) ?? null,
        is_terminated: random.chance(0.2),
        procedure: maybe(random, 0.7, () => random.pick(PROCEDURES)) ?? null,
        buyer_kind: maybe(random, 0.8, () => random.pick(BUYER_KINDS)) ?? null,
        direct_award_grounds: GROUNDS.filter(() => random.chance(0.6)),
        standstill_until: maybe(random, 0.8, () => drawDay(random)) ?? null,
        bids: maybe(random, 0.6, () => random.int(0, 8)) ?? null,
        sme: maybe(random, 0.7, () => random.chance(0.5)) ?? null,
        vcse: maybe(random, 0.7, () => random.chance(0.5)) ?? null,
      }),
    ),
  makeQuery: (random) => ({
    scope: 'contracts',
    filters: drawFilters(random, ASKED),
    ...drawText(random),
    sort: random.pick(['awarded', '-awarded', 'ends', '-ends', 'value', '-value'] as const),
    limit: 1 + random.int(0, 39),
    facets: [...CONTRACT_FACETS],
    now: drawNow(random),
  }),
  isSearched({ ends, is_terminated }, { filters: { status = 'any' }, now }) {
    if (status === 'any') return true;
    if (status === 'terminated' || is_terminated) return is_terminated && status === 'terminated';
    if (ends === null) return false;
    return ends >= london.format(now) ? status === 'active' : status === 'ended';
  },
  holds: {
    ...COMMON,
    company_number: ({ company_ids }, wanted: string | readonly string[]) =>
      [wanted].flat().some((one) => company_ids.includes(one)),
    framework_id: ({ framework_id }, wanted: string) => framework_id === wanted,
    value_min: (document, least: number) => isWithin(pounds(document), '>=', least),
    value_max: (document, most: number) => isWithin(pounds(document), '<=', most),
    awarded_from: ({ dated }, day: string) => isWithin(dated, '>=', day),
    awarded_to: ({ dated }, day: string) => isWithin(dated, '<=', day),
    starts_from: ({ starts }, day: string) => isWithin(starts, '>=', day),
    starts_to: ({ starts }, day: string) => isWithin(starts, '<=', day),
    ends_from: ({ ends }, day: string) => isWithin(ends, '>=', day),
    ends_to: ({ ends }, day: string) => isWithin(ends, '<=', day),
    procedure: ({ procedure }, wanted: readonly string[]) => procedure !== null && wanted.includes(procedure),
    buyer_kind: ({ buyer_kind }, wanted: readonly string[]) => buyer_kind !== null && wanted.includes(buyer_kind),
    direct_award_ground: ({ direct_award_grounds }, wanted: readonly string[]) =>
      direct_award_grounds.some((one) => wanted.includes(one)),
    standstill_from: ({ standstill_until }, day: string) => isWithin(standstill_until, '>=', day),
    standstill_to: ({ standstill_until }, day: string) => isWithin(standstill_until, '<=', day),
    bids_max: ({ bids }, most: number) => isWithin(bids, '<=', most),
    sme: ({ sme }, wanted: boolean) => sme === wanted,
    vcse: ({ vcse }, wanted: boolean) => vcse === wanted,
  },
  sortedBy(document, { sort = '-awarded' }) {
    if (sort.endsWith('awarded')) return document.dated;
    return sort.endsWith('ends') ? document.ends : pounds(document);
  },
};
