import { BUYER_KINDS, FRAMEWORK_KINDS, RESERVED, SPECIAL_REGIMES, SUITED } from '../../../schema/catalogue/enums.ts';
import { DIRECT_AWARD_GROUNDS } from '../../../schema/reference/notice-types.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { Collection } from '../../../search/collections/shape.ts';
import type { SearchDocument, SearchQuery } from '../../../search/engine.ts';
import { FACETS } from '../../../search/filters/facets.ts';
import { someDocument } from '../documents.ts';
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

const GROUNDS = DIRECT_AWARD_GROUNDS.slice(0, 4);
const TYPES = ['UK4', 'UK6', 'tender', 'award'];
const STAGES = ['planning', 'tender', 'award', 'contract'] as const;
const STATUSES = ['open', 'cancelled', 'complete', 'awarded', 'planned'];
/** Nobody can bid in a process of these, whatever its deadline. */
const OVER = ['cancelled', 'complete', 'awarded'];

const ASKED: Asking = [
  ['buyer_id', 0.15, (random) => random.pick(DRAWN.buyers)],
  ['cpv', 0.25, some(DRAWN.branches)],
  ['region', 0.2, some(DRAWN.places)],
  ['value_min', 0.2, (random) => random.pick(DRAWN.values)],
  ['value_max', 0.2, (random) => random.pick(DRAWN.values)],
  ['published_from', 0.2, drawDay],
  ['published_to', 0.2, drawDay],
  ['deadline_from', 0.15, drawDay],
  ['deadline_to', 0.15, drawDay],
  ['ends_from', 0.1, drawDay],
  ['ends_to', 0.1, drawDay],
  ['tender_expected_from', 0.1, drawDay],
  ['tender_expected_to', 0.1, drawDay],
  ['nation', 0.15, some(DRAWN.nations)],
  ['source', 0.2, some(DRAWN.sources)],
  ['notice_type', 0.2, some(TYPES)],
  ['stage', 0.2, some(STAGES)],
  ['suitable_for', 0.2, some(SUITED)],
  ['special_regime', 0.15, some(SPECIAL_REGIMES)],
  ['reserved_for', 0.1, some(RESERVED)],
  ['direct_award_ground', 0.1, some(GROUNDS)],
  ['above_threshold', 0.15, (random) => random.chance(0.5)],
  ['framework_kind', 0.1, some(FRAMEWORK_KINDS)],
  ['buyer_kind', 0.1, some(BUYER_KINDS)],
];

function amountOf({ ceiling, value, currency }: SearchDocument, { scope }: SearchQuery): number | null {
  if (scope === 'frameworks') return ceiling;
  return currency === 'GBP' ? value : null;
}

function isOpen({ is_tender, deadline_at, status }: SearchDocument, now: Date): boolean {
  return is_tender && deadline_at !== null && new Date(deadline_at) > now && !OVER.includes(status);
}

/** Notices, of them tenders and frameworks. */
export const NOTICES: World<SearchDocument> = {
  collection: COLLECTIONS.notices as unknown as Collection<SearchDocument>,
  makeDocuments: (random, count) =>
    Array.from({ length: count }, (_, index) => {
      const deadline = maybe(random, 0.7, () => drawDay(random)) ?? null;
      const hour = String(random.int(0, 23)).padStart(2, '0');
      return someDocument({
        ...drawCommon(random),
        notice_id: `d-${index}`,
        published: drawDay(random),
        deadline,
        deadline_at: deadline && `${deadline}T${hour}:30:${10 + random.int(0, 49)}Z`,
        ceiling: maybe(random, 0.5, () => random.pick(DRAWN.values)) ?? null,
        ends: maybe(random, 0.7, () => drawDay(random)) ?? null,
        notice_type: random.pick(TYPES),
        stage: random.pick(STAGES),
        status: random.pick(STATUSES),
        is_tender: random.chance(0.6),
        joint_buyer_ids: DRAWN.buyers.filter(() => random.chance(0.1)),
        suitable_for: SUITED.filter(() => random.chance(0.5)),
        special_regimes: SPECIAL_REGIMES.filter(() => random.chance(0.3)),
        reserved_for: RESERVED.filter(() => random.chance(0.5)),
        direct_award_grounds: GROUNDS.filter(() => random.chance(0.3)),
        above_threshold: maybe(random, 0.6, () => random.chance(0.5)) ?? null,
        tender_expected: maybe(random, 0.7, () => drawDay(random)) ?? null,
        framework_id: maybe(random, 0.2, () => `fw-${index}`) ?? null,
        buyer_kind: maybe(random, 0.8, () => random.pick(BUYER_KINDS)) ?? null,
        framework_kind: maybe(random, 0.6, () => random.pick(FRAMEWORK_KINDS)) ?? null,
      });
    }),
  makeQuery(random) {
    const scope = random.pick(['notices', 'tenders', 'frameworks'] as const);
    const filters = drawFilters(random, ASKED);
    if (scope === 'tenders' && random.chance(0.6)) filters.status = random.pick(['open', 'closed', 'any']);
    return {
      scope,
      filters,
      ...drawText(random),
      sort: random.pick([
        'published',
        '-published',
        'deadline',
        '-deadline',
        'ends',
        '-ends',
        'tender_expected',
        '-tender_expected',
        'value',
        '-value',
      ] as const),
      limit: 1 + random.int(0, 39),
      facets: [...FACETS],
      now: drawNow(random),
    };
  },
  isSearched(document, { scope, filters, now }) {
    if (scope === 'notices') return true;
    if (scope === 'frameworks') return document.framework_id !== null;
    const { status = 'open' } = filters;
    return document.is_tender && (status === 'any' || isOpen(document, now) === (status === 'open'));
  },
  holds: {
    ...COMMON,
    buyer_id: ({ buyer_id, joint_buyer_ids }, wanted: string) => [buyer_id, ...joint_buyer_ids].includes(wanted),
    value_min: (document, least: number, query) => isWithin(amountOf(document, query), '>=', least),
    value_max: (document, most: number, query) => isWithin(amountOf(document, query), '<=', most),
    published_from: ({ published }, day: string) => isWithin(published, '>=', day),
    published_to: ({ published }, day: string) => isWithin(published, '<=', day),
    deadline_from: ({ deadline }, day: string) => isWithin(deadline, '>=', day),
    deadline_to: ({ deadline }, day: string) => isWithin(deadline, '<=', day),
    ends_from: ({ ends }, day: string) => isWithin(ends, '>=', day),
    ends_to: ({ ends }, day: string) => isWithin(ends, '<=', day),
    tender_expected_from: ({ tender_expected }, day: string) => isWithin(tender_expected, '>=', day),
    tender_expected_to: ({ tender_expected }, day: string) => isWithin(tender_expected, '<=', day),
    notice_type: ({ notice_type }, wanted: readonly string[]) => wanted.includes(notice_type),
    stage: ({ stage }, wanted: readonly string[]) => wanted.includes(stage),
    suitable_for: ({ suitable_for }, wanted: readonly string[]) => suitable_for.some((one) => wanted.includes(one)),
    special_regime: ({ special_regimes }, wanted: readonly string[]) =>
      special_regimes.some((one) => wanted.includes(one)),
    reserved_for: ({ reserved_for }, wanted: readonly string[]) => reserved_for.some((one) => wanted.includes(one)),
    direct_award_ground: ({ direct_award_grounds: grounds }, wanted: readonly string[]) =>
      grounds.some((one) => wanted.includes(one)),
    above_threshold: ({ above_threshold }, wanted: boolean) => above_threshold === wanted,
    buyer_kind: ({ buyer_kind }, wanted: readonly string[]) => wanted.includes(String(buyer_kind)),
    framework_kind: ({ framework_kind }, wanted: readonly string[]) => wanted.includes(String(framework_kind)),
  },
  sortedBy(document, query) {
    const { sort = 'published' } = query;
    if (sort.endsWith('published')) return document.published;
    if (sort.endsWith('ends')) return document.ends;
    if (sort.endsWith('expected')) return document.tender_expected;
    return sort.endsWith('deadline') ? document.deadline_at : amountOf(document, query);
  },
};
