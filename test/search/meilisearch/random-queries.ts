import type { SearchDocument, SearchQuery } from '../../../search/engine.ts';
import { FACETS } from '../../../search/filters/facets.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import type { Random } from '../../upstream/sample/random.ts';
import { someDocument } from '../documents.ts';

const WORDS = ['gravel', 'lantern', 'orchard', 'pigment', 'turbine', 'harness', 'lattice', 'monsoon'];
const CPVS = ['45000000', '45210000', '45233140', '71000000', '90911200', '90910000', '33100000', '4523'];
const REGIONS = [
  { code: 'UKI31', name: 'Camden' },
  { code: 'UKI', name: 'London' },
  { code: 'UKE42', name: 'Leeds' },
  { code: 'UK', name: 'United Kingdom' },
  { name: 'South West' },
  { name: 'Isles | and\ttabs' },
];
const SOURCES = ['find_a_tender', 'contracts_finder'];
const TYPES = ['UK4', 'UK6', 'tender', 'award'];
const STAGES = ['planning', 'tender', 'award', 'contract'] as const;
const STATUSES = ['open', 'cancelled', 'complete', 'awarded', 'planned'];
const BUYERS = ['gb-ppon-1', 'gb-ppon-12', 'gb-coh-00000001', 'b:odd/one "x"'];
const VALUES = [0, 0.5, 9_999.99, 10_000, 99_999, 100_000, 250_000, 1e6, 3.5e7, 1e8, 2e9];

const maybe = <T>(random: Random, share: number, make: () => T): T | undefined =>
  random.chance(share) ? make() : undefined;
const day = (random: Random) => new Date(Date.UTC(2026, 0, 1 + random.int(0, 299))).toISOString().slice(0, 10);

/** Documents in which everything that can be filtered by comes in many ways. */
export function randomDocuments(random: Random, count: number): SearchDocument[] {
  return Array.from({ length: count }, (_, index) => {
    const deadline = maybe(random, 0.7, () => day(random)) ?? null;
    const value = maybe(random, 0.7, () => random.pick(VALUES) + (random.chance(0.5) ? random.int(0, 999) : 0)) ?? null;
    return someDocument({
      notice_id: `d-${index}`,
      title: `${random.pick(WORDS)} ${random.pick(WORDS)}`,
      description: Array.from({ length: random.int(0, 5) }, () => random.pick(WORDS)).join(' '),
      published: day(random),
      deadline,
      deadline_at:
        deadline && `${deadline}T${String(random.int(0, 23)).padStart(2, '0')}:30:${10 + random.int(0, 49)}Z`,
      value,
      currency: value === null ? null : random.pick(['GBP', 'GBP', 'GBP', 'EUR']),
      ceiling: maybe(random, 0.5, () => random.pick(VALUES)) ?? null,
      cpvs: [...new Set(Array.from({ length: random.int(0, 2) }, () => random.pick(CPVS)))],
      regions: [...new Set(Array.from({ length: random.int(0, 2) }, () => random.pick(REGIONS)))],
      source: random.pick(SOURCES),
      notice_type: random.pick(TYPES),
      stage: random.pick(STAGES),
      status: random.pick(STATUSES),
      buyer_id: maybe(random, 0.8, () => random.pick(BUYERS)) ?? null,
      is_tender: random.chance(0.6),
      framework_id: maybe(random, 0.2, () => `fw-${index}`) ?? null,
    });
  });
}

/** One value, or two of which one is enough. */
function some(values: readonly string[]): (random: Random) => string[] {
  return (random) => Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => random.pick(values));
}

/** Filters, how often each is asked for, and with what. */
const FILTERED: readonly [keyof SearchFilters, number, (random: Random) => string | number | string[]][] = [
  ['buyer_id', 0.15, (random) => random.pick(BUYERS)],
  ['cpv', 0.25, some(['45', '452', '4521', '45233', '452331', '909112', '99'])],
  ['region', 0.2, some(['UKI', 'UKI31', 'UKE4', 'south west', 'London', 'UK'])],
  ['value_min', 0.2, (random) => random.pick(VALUES)],
  ['value_max', 0.2, (random) => random.pick(VALUES)],
  ['published_from', 0.2, day],
  ['published_to', 0.2, day],
  ['deadline_from', 0.15, day],
  ['deadline_to', 0.15, day],
  ['source', 0.2, some(SOURCES)],
  ['notice_type', 0.2, some(TYPES)],
  ['stage', 0.2, some(STAGES)],
];

/** A query of any scope, with any filters and any order but relevance, whose words are matched alike by every engine. */
export function randomQuery(random: Random): SearchQuery {
  const scope = random.pick(['notices', 'tenders', 'frameworks'] as const);
  const filters: Record<string, unknown> = {};
  for (const [name, share, choose] of FILTERED) {
    if (random.chance(share)) filters[name] = choose(random);
  }
  if (scope === 'tenders' && random.chance(0.6)) filters.status = random.pick(['open', 'closed', 'any']);
  const text = maybe(random, 0.5, () =>
    random.pick([`"${random.pick(WORDS)}"`, `"${random.pick(WORDS)}" "${random.pick(WORDS)}"`]),
  );
  return {
    scope,
    filters: filters as SearchFilters,
    ...(text === undefined ? {} : { text }),
    sort: random.pick(['published', '-published', 'deadline', '-deadline', 'value', '-value'] as const),
    limit: 1 + random.int(0, 39),
    facets: [...FACETS],
    now: new Date(Date.UTC(2026, 0, 1 + random.int(0, 299), 12, 30, random.int(0, 59))),
  };
}
