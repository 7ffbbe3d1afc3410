import { compareText } from '../../schema/text/ids.ts';
import { collectionOf, type Order, orderOf } from '../collections/index.ts';
import type { ShownDocument } from '../collections/shape.ts';
import { BadCursor, type SearchAnswer, type SearchQuery } from '../engine.ts';
import type { FacetName } from '../filters/facets.ts';
import { asksForWords, countParts, describeSynonyms, type ParsedQuery, parseQuery } from '../query/parse.ts';
import { spellingsOf } from '../query/pieces.ts';
import { isTechnology } from '../query/pronouns.ts';
import { COUNT_MAX, makeCursor, type Position, parseCursor } from '../results/cursor.ts';
import { CLOSE_MARK, OPEN_MARK, renderHighlight } from '../results/highlight.ts';
import { NONE_SERVED, printOf } from '../results/served-hits.ts';
import { isCode, mayBeCorrected, readCorrections } from './corrections.ts';
import type { IndexedDocument } from './documents.ts';
import { afterCondition, attributeOf, filterConditions, identifierCondition, orderedBy, sortRules } from './filters.ts';
import type { Found, RunSearches, SearchRequest } from './run.ts';
import { SEARCHED } from './settings.ts';
import { countUnread, waysToMatch } from './ways.ts';

/** How far around its old position a page boundary is searched, in documents; then everywhere before it. */
const SLACK = 100;
/** Matches everything, as no text has the excluded word: the server merges no results with those of an empty text. */
const ALL_OF_THEM = '-nothinghasthisword ';
const SNIPPET_WORDS = 32;
const MARKS_AND_CUTS = new RegExp(`^…|…$|[${OPEN_MARK}${CLOSE_MARK}]`, 'g');

/** The result of one query: one hit more than its page shows if there are more pages, and the total. */
interface Page {
  counted: Found;
  hits: Found['hits'];
  more: boolean;
}

/** An answer without what it shows of its hits. */
type FoundAnswer = Omit<SearchAnswer, 'hits'> & { found: Found['hits'] };

/**
 * Answers one query. Pages start after the last document of the previous page, wherever it is by
 * now. @throws BadCursor
 */
export async function findWithMeilisearch(run: RunSearches, query: SearchQuery): Promise<FoundAnswer> {
  const position = query.cursor === undefined ? undefined : parseCursor(query.cursor, query);
  const parsed = parseQuery(query.text);
  const order = orderOf(query, asksForWords(parsed));
  const request = toRequest(query, parsed, order);
  const { counted, hits, more } = position
    ? await readLater(run, query, request, order, position)
    : await readFirst(run, query, request);
  const shown = hits.slice(0, query.limit);
  const last = more ? shown.at(-1) : undefined;
  const next = last && {
    engine: 'meilisearch' as const,
    served: (position?.served ?? 0) + shown.length,
    level: 'all' as const,
    ...(order
      ? { key: last.place, value: numberOf(last, attributeOf(order)) }
      : { key: printOf(last.id), value: null }),
    seen: (position?.seen ?? NONE_SERVED).with(shown.map(({ id }) => id)),
  };
  const total = counted.totalHits ?? 0;
  return {
    found: shown,
    total: Math.min(total, COUNT_MAX),
    exact: total <= COUNT_MAX,
    nextCursor: next ? makeCursor(next, query) : null,
    ...(query.facets ? { facets: readFacets(counted, query.facets) } : {}),
    meta: describeFound(query, parsed, hits),
  };
}

/** How a query was understood, as an answer reports it; corrections are read from the hits. */
export function describeFound({ match }: SearchQuery, parsed: ParsedQuery, hits: Found['hits']): SearchAnswer['meta'] {
  return {
    engine: 'meilisearch',
    bounded: false,
    corrections: readCorrections(parsed, hits.flatMap(textsOf)),
    ...describeSynonyms(parsed),
    matched: match === 'any' && countParts(parsed) > 1 ? 'any' : 'all',
    ignoredWords: parsed.ignoredWords + countUnread(parsed, match),
  };
}

async function readFirst(run: RunSearches, query: SearchQuery, request: SearchRequest): Promise<Page> {
  // Requesting pages by number makes the server count exactly.
  const [all] = await run([
    { ...request, ...retrievedOf(query), ...facetsOf(query), paging: { page: 1, hitsPerPage: query.limit + 1 } },
  ]);
  if (!all) throw new Error('Meilisearch gave no result for a search');
  return toPage(all, all, query);
}

async function readLater(
  run: RunSearches,
  query: SearchQuery,
  request: SearchRequest,
  order: Order | null,
  position: Position,
): Promise<Page> {
  if (position.engine !== 'meilisearch') throw new BadCursor('this cursor belongs to another engine');
  const counting = {
    ...request,
    ...facetsOf(query),
    paging: { page: 1, hitsPerPage: 1 },
    attributesToRetrieve: ['id'],
  };
  const next = { ...request, ...retrievedOf(query), paging: { limit: query.limit + 1 } };
  if (order) {
    const after = afterCondition(order, { value: position.value, place: Number(position.key) });
    const [counted, found] = await run([counting, { ...next, filter: [...request.filter, after] }]);
    if (counted && found) return toPage(counted, found, query);
  }
  const offset = await findOffset(run, request, position);
  const [counted, found] = await run([counting, { ...next, paging: { ...next.paging, offset } }]);
  if (!counted || !found) throw new Error('Meilisearch gave no result for a search');
  const page = toPage(counted, found, query);
  return { ...page, hits: found.hits.filter(({ id }) => !position.seen?.has(id)) };
}

function toPage(counted: Found, { hits }: Found, { limit }: SearchQuery): Page {
  return { counted, hits, more: hits.length > limit };
}

/** Where the next ranked page starts: after the last served document, searched first around its old position, then from the start. */
async function findOffset(run: RunSearches, request: SearchRequest, position: Position): Promise<number> {
  const isServed = ({ id }: { id: string }) => printOf(id) === position.key || position.seen?.has(id) === true;
  for (const start of [Math.max(0, position.served - SLACK), 0]) {
    const limit = position.served - start + SLACK;
    const [around] = await run([{ ...request, paging: { offset: start, limit }, attributesToRetrieve: ['id'] }]);
    const place = around?.hits.findLastIndex(isServed) ?? -1;
    if (place >= 0) return start + place + 1;
  }
  return position.served;
}

const MARKS = {
  attributesToHighlight: SEARCHED,
  attributesToCrop: ['description'],
  cropLength: SNIPPET_WORDS,
  highlightPreTag: OPEN_MARK,
  highlightPostTag: CLOSE_MARK,
};

/** A query as the server takes it. */
export function toRequest(query: SearchQuery, parsed: ParsedQuery, order: Order | null): SearchRequest {
  const { excluded } = parsed;
  const ways = waysToMatch(parsed, query.match, order === null);
  return {
    wordings: ways.map(({ parsed: way, weight }) => {
      const { q, filter } = toWording(way);
      return { q: q === '' && ways.length > 1 ? ALL_OF_THEM : q, filter, weight };
    }),
    filter: [
      ...filterConditions(query),
      ...excluded.identifiers.map((one) => `NOT ${identifierCondition(one)}`),
      ...(excluded.words.some(isTechnology) ? ['says_technology = false'] : []),
    ],
    matchingStrategy: 'all',
    ...(order ? { sort: sortRules(order) } : {}),
  };
}

/** A query without alternatives as a text, and the conditions of what a text cannot ask for. */
function toWording({ words, phrases, identifiers, excluded, partial }: ParsedQuery): { q: string; filter: string[] } {
  // Meilisearch does not stem words, so singular and plural of a noun are excluded.
  const without = [
    ...excluded.words.filter((word) => !isTechnology(word)).flatMap(bothNumbers),
    ...excluded.phrases.flatMap(spellingsOf).map((phrase) => `"${phrase.join(' ')}"`),
  ];
  const quoted = phrases.map((phrase) => `"${phrase.join(' ')}"`);
  const text = [...without.map((one) => `-${one}`), ...quoted, ...words.map(asWritten)].join(' ');
  return {
    // A trailing space ends the last word; without one it may be the beginning of a longer one.
    q: partial !== null && words.at(-1) === partial ? text : `${text} `.trimStart(),
    filter: [...identifiers.map(identifierCondition), ...(words.some(isTechnology) ? ['says_technology = true'] : [])],
  };
}

/** In quotes no mistake is forgiven. */
function asWritten(word: string): string {
  return isCode(word) ? `"${word}"` : word;
}

function bothNumbers(word: string): string[] {
  return [word, word.endsWith('s') ? word.slice(0, -1) : `${word}s`];
}

/** Hits are highlighted on request, and where this shows which mistakes were forgiven. */
function retrievedOf(query: SearchQuery): Pick<SearchRequest, 'attributesToRetrieve'> {
  const isHighlighted = query.highlight || mayBeCorrected(parseQuery(query.text));
  return { attributesToRetrieve: ['id', ...orderedBy(collectionOf(query))], ...(isHighlighted ? MARKS : {}) };
}

/** What was marked of a hit. */
function textsOf({ _formatted: formatted }: Found['hits'][number]): string[] {
  const { title, buyer, suppliers, subjects, description } = formatted ?? {};
  return [title, buyer, description, ...(suppliers ?? []), ...(subjects ?? [])].filter(
    (text) => typeof text === 'string',
  );
}

function facetsOf({ facets }: SearchQuery): Pick<SearchRequest, 'facets'> {
  return facets ? { facets: facets.map((name) => `facet_${name}`) } : {};
}

/** The highlight of a hit whose row still says what was marked: its text may have changed since it was indexed. */
export function highlightOf(found: Found['hits'][number] | undefined, row: ShownDocument): string | null {
  const { title, description } = found?._formatted ?? {};
  if (description?.includes(OPEN_MARK) && says(row.description, description)) return renderHighlight(description);
  return title?.includes(OPEN_MARK) && says(row.title, title) ? renderHighlight(title) : null;
}

/** Whether a text contains a piece that was marked and cut out of it. */
function says(text: string, marked: string): boolean {
  return text.includes(marked.replaceAll(MARKS_AND_CUTS, ''));
}

function numberOf(hit: IndexedDocument, attribute: string): number | null {
  return (hit as unknown as Readonly<Record<string, number | undefined>>)[attribute] ?? null;
}

function readFacets(counted: Found, wanted: FacetName[]): NonNullable<SearchAnswer['facets']> {
  return Object.fromEntries(
    wanted.map((name) => {
      const counts = Object.entries(counted.facetDistribution?.[`facet_${name}`] ?? {});
      return [name, Object.fromEntries(counts.sort(([a, x], [b, y]) => y - x || compareText(a, b)))];
    }),
  );
}
