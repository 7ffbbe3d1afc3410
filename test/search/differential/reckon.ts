import type { Collection } from '../../../search/collections/shape.ts';
import type { AnyDocument, SearchAnswer, SearchQuery } from '../../../search/engine.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import type { Random } from '../../upstream/sample/random.ts';

type FilterName = keyof SearchFilters;
type Value = string | number | boolean | readonly string[];

/** Random documents and queries of a collection, and what its filters mean in plain words: no code of the engines. */
export interface World<Document extends AnyDocument = AnyDocument> {
  collection: Collection<Document>;
  makeDocuments(random: Random, count: number): Document[];
  makeQuery(random: Random): SearchQuery;
  /** Whether a document is among what a query searches, and stands as it asks now. */
  isSearched(document: Document, query: SearchQuery): boolean;
  /** Whether a filter holds, of every filter by values or bounds. */
  holds: Partial<Record<FilterName, (document: Document, value: never, query: SearchQuery) => boolean>>;
  /** What a sort goes by; null for a document that lacks it. */
  sortedBy(document: Document, query: SearchQuery): string | number | null;
}

/** Hits in their order as groups of equals, each sorted by id, with what the pages say of the whole. */
export interface Reckoned {
  groups: { value: string | number | null; ids: string[] }[];
  sizes: number[];
  counts: Pick<SearchAnswer, 'total' | 'exact' | 'facets'>;
}

/** The answer to a query, by looking at every document. */
export function reckon<Document extends AnyDocument>(
  world: World<Document>,
  documents: readonly Document[],
  query: SearchQuery,
): Reckoned {
  const found = documents.filter((document) => isWanted(world, document, query));
  const descending = query.sort?.startsWith('-') ?? true;
  const values = [...new Set(found.map((document) => world.sortedBy(document, query)))].sort((one, other) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return (one < other ? -1 : 1) * (descending ? -1 : 1);
  });
  const groups = values.map((value) => ({
    value,
    ids: found.flatMap((one) => (world.sortedBy(one, query) === value ? one.id : [])).sort(),
  }));
  const pages = Math.max(1, Math.ceil(found.length / query.limit));
  return {
    groups,
    sizes: Array.from({ length: pages }, (_, page) => Math.min(query.limit, found.length - page * query.limit)),
    counts: { total: found.length, exact: true, facets: countFacets(world, found) },
  };
}

function isWanted<Document extends AnyDocument>(world: World<Document>, document: Document, query: SearchQuery) {
  const given = Object.entries(query.filters).filter(([name]) => name !== 'status') as [FilterName, Value][];
  const text = wordsOf(document);
  return (
    world.isSearched(document, query) &&
    given.every(([name, value]) => world.holds[name]?.(document, value as never, query)) &&
    [...(query.text ?? '').matchAll(/"(\w+)"/g)].every(([, word = '']) => text.has(word))
  );
}

function wordsOf({ title, description, buyer, suppliers, subjects }: AnyDocument): Set<string> {
  return new Set([title, description, buyer ?? '', ...suppliers, ...subjects].join(' ').split(' '));
}

function countFacets<Document extends AnyDocument>({ collection }: World<Document>, found: readonly Document[]) {
  const counts = Object.fromEntries(collection.facets.map((name) => [name, {} as Record<string, number>]));
  for (const document of found) {
    for (const [name, values] of Object.entries(collection.facetValues(document))) {
      const each = counts[name] ?? {};
      for (const value of values) each[value] = (each[value] ?? 0) + 1;
    }
  }
  return counts;
}

/** What the filters that all collections have mean. */
export const COMMON = {
  buyer_id: ({ buyer_id }: AnyDocument, wanted: string) => buyer_id === wanted,
  nation: ({ nation }: AnyDocument, wanted: readonly string[]) => nation !== null && wanted.includes(nation),
  source: ({ sources }: AnyDocument, wanted: readonly string[]) => sources.some((one) => wanted.includes(one)),
  cpv: ({ cpvs }: AnyDocument, branches: readonly string[]) =>
    cpvs.some((code) => branches.some((branch) => code.startsWith(branch))),
  region: ({ regions }: AnyDocument, wanted: readonly string[]) =>
    regions.some(({ code = '', name }) =>
      wanted.some(
        (one) => code.toLowerCase().startsWith(one.toLowerCase()) || name.toLowerCase() === one.toLowerCase(),
      ),
    ),
};

/** Whether something known is on the right side of a bound. */
export function isWithin<T extends string | number>(known: T | null, comparison: '>=' | '<=', bound: T): boolean {
  if (known === null) return false;
  return comparison === '>=' ? known >= bound : known <= bound;
}

/** What is drawn often, or not at all. */
export function maybe<T>(random: Random, share: number, make: () => T): T | undefined {
  return random.chance(share) ? make() : undefined;
}

/** One value, or two: one of them is enough. */
export function some(values: readonly string[]): (random: Random) => string[] {
  return (random) => Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => random.pick(values));
}

/** Filters, how often each is asked for, and with what. */
export type Asking = readonly [name: FilterName, share: number, choose: (random: Random) => Value][];

/** Some filters. */
export function drawFilters(random: Random, asking: Asking): SearchFilters {
  return Object.fromEntries(
    asking.flatMap(([name, share, choose]) => (random.chance(share) ? [[name, choose(random)]] : [])),
  );
}

/** A day of the year that the worlds are of. */
export function drawDay(random: Random): string {
  return new Date(Date.UTC(2026, 0, 1 + random.int(0, 299))).toISOString().slice(0, 10);
}

/** What is drawn alike in every collection. */
export const DRAWN = {
  words: ['gravel', 'lantern', 'orchard', 'pigment', 'turbine', 'harness', 'lattice', 'monsoon'],
  cpvs: ['45000000', '45210000', '45233140', '71000000', '90911200', '90910000', '33100000', '4523'],
  regions: [
    { code: 'UKI31', name: 'Camden' },
    { code: 'UKI', name: 'London' },
    { code: 'UKE42', name: 'Leeds' },
    { code: 'UK', name: 'United Kingdom' },
    { name: 'South West' },
    { name: 'Isles | and\ttabs' },
  ],
  sources: ['find_a_tender', 'contracts_finder'],
  nations: ['england', 'scotland', 'uk'],
  buyers: ['gb-ppon-1', 'gb-ppon-12', 'gb-coh-00000001', 'b:odd/one "x"'],
  values: [0, 0.5, 9_999.99, 10_000, 99_999, 100_000, 250_000, 1e6, 3.5e7, 1e8, 2e9],
  branches: ['45', '452', '4521', '45233', '452331', '909112', '99'],
  places: ['UKI', 'UKI31', 'UKE4', 'south west', 'London', 'UK'],
} as const;

/** What every document has, as drawn. */
export function drawCommon(random: Random) {
  const { words, values, cpvs, regions, nations, sources, buyers } = DRAWN;
  const value = maybe(random, 0.7, () => random.pick(values) + (random.chance(0.5) ? random.int(0, 999) : 0)) ?? null;
  const [source, other] = random.chance(0.5) ? sources : [sources[1], sources[0]];
  return {
    title: `${random.pick(words)} ${random.pick(words)}`,
    description: Array.from({ length: random.int(0, 5) }, () => random.pick(words)).join(' '),
    value,
    currency: value === null ? null : random.pick(['GBP', 'GBP', 'GBP', 'EUR']),
    cpvs: [...new Set(Array.from({ length: random.int(0, 2) }, () => random.pick(cpvs)))],
    regions: [...new Set(Array.from({ length: random.int(0, 2) }, () => random.pick(regions)))],
    nation: maybe(random, 0.8, () => random.pick(nations)) ?? null,
    source,
    sources: random.chance(0.2) ? [source, other] : [source],
    buyer_id: maybe(random, 0.8, () => random.pick(buyers)) ?? null,
  };
}

/** Words that every engine matches alike, or none. */
export function drawText(random: Random): { text?: string } {
  const word = () => `"${random.pick(DRAWN.words)}"`;
  return random.chance(0.5) ? { text: random.chance(0.5) ? word() : `${word()} ${word()}` } : {};
}

/** The instant of a question. */
export function drawNow(random: Random): Date {
  return new Date(Date.UTC(2026, 0, 1 + random.int(0, 299), random.int(0, 23), 30, random.int(0, 59)));
}
