import { dayNumber, secondsOf } from '../documents/days.ts';
import { facetValues } from '../documents/facets.ts';
import { DESCRIPTION_SHOWN, makeDocument, mayBeOpen, SHOWN_FIELDS, valueInPounds } from '../documents/from-row.ts';
import type { Scope, SearchDocument, SearchQuery } from '../engine.ts';
import { FACETS } from '../filters/facets.ts';
import type { Collection, IndexToken } from './shape.ts';
import { monthTokens, valueTokens, wantedMonths, wantedValues } from './tokens.ts';

/** Only a framework's own notice carries the framework, so that a framework search names each once. */
const JOIN =
  'LEFT JOIN framework f ON f.id = n.process_id AND f.notice_id = n.notice_id AND f.gone = 0 AND f.copy_of IS NULL';
const columns = (read: {
  description: string;
  detail: string;
}) => `n.id, n.notice_id, n.ocid, n.process_id, n.source, n.stage,
  n.notice_type, n.title, ${read.description} AS description, n.buyer_id, n.buyer, n.published, n.published_at, n.deadline,
  n.deadline_at, n.value, n.currency, n.cpvs, n.regions, n.nation, n.status, n.url, n.is_tender, n.also_on, ${read.detail} AS detail,
  n.seq, (n.gone = 1 OR n.copy_of IS NOT NULL) AS gone, f.id AS framework_id, f.ceiling, f.currency AS ceiling_currency,
  json_extract(f.detail, '$.references') AS framework_references`;
/** A value in a notice's detail, which is parsed only where it may have one. */
const partOfDetail = (name: string) => `CASE WHEN instr(n.detail, '"${name}"') THEN n.detail ->> '$.${name}' END`;
const SHOWN = {
  description: `substr(n.description, 1, ${DESCRIPTION_SHOWN})`,
  detail: `json_object('bids_until', ${partOfDetail('bids_until')}, 'framework_id', ${partOfDetail('framework_id')})`,
};
const OPEN: IndexToken = { letter: 'p', value: 'open' };

/** Notices; some are tenders, and some set up a framework. */
export const NOTICES: Collection<SearchDocument> = {
  name: 'notices',
  stem: 'search',
  datasets: ['notices', 'tenders', 'frameworks'],
  drained: {
    table: 'notice',
    columns: columns({ description: 'n.description', detail: 'n.detail' }),
    join: JOIN,
    // A copy on another service is found as its original.
    absent: ['gone = 1', 'copy_of IS NOT NULL AND gone = 0'],
    // When a framework moves to another notice, documents change whose own rows did not.
    others: {
      changed:
        'SELECT process_id AS id FROM framework WHERE seq > ? AND seq <= ? AND process_id > ? ORDER BY process_id',
      concerns: 'n.process_id IN (SELECT value FROM json_each(?))',
    },
    toDocument: makeDocument,
    shown: { columns: columns(SHOWN), toShown: makeDocument },
  },
  day: { of: ({ published }) => published, field: 'published' },
  facets: FACETS,
  facetValues,
  shown: SHOWN_FIELDS,
  compared: [
    { name: 'open_until', of: (document) => (mayBeOpen(document) ? deadlineOf(document) : null) },
    { name: 'deadline_seconds', of: deadlineOf, sorts: true },
    { name: 'deadline_day', of: ({ deadline }) => (deadline ? dayNumber(deadline) : null) },
    { name: 'pounds', of: valueInPounds, sorts: true },
    { name: 'ceiling_pounds', of: ({ ceiling }) => ceiling, sorts: true },
  ],
  boundColumn: (field, scope) =>
    field === 'value' ? valueColumn(scope) : field === 'deadline' ? 'deadline_day' : null,
  sortColumn: (field, scope) =>
    field === 'value' ? valueColumn(scope) : field === 'deadline' ? 'deadline_seconds' : null,
  newest: '-published',
  clock,
  flags: ({ is_tender, framework_id }) => [...(is_tender ? ['tenders'] : []), ...(framework_id ? ['frameworks'] : [])],
  // Anything that may be open is a tender.
  wantedFlag: (query) => (query.scope === 'notices' || asksForOpen(query) ? null : query.scope),
  tokens: (document) => [
    ...(mayBeOpen(document) ? [OPEN] : []),
    ...monthTokens('d', document.deadline),
    ...valueTokens('v', valueInPounds(document)),
    ...valueTokens('w', document.ceiling),
  ],
  wantedTokens,
};

/** The value of a framework is its ceiling, whatever the notice says through which it is found. */
function valueColumn(scope: Scope): string {
  return scope === 'frameworks' ? 'ceiling_pounds' : 'pounds';
}

function deadlineOf({ deadline_at }: SearchDocument): number | null {
  return deadline_at ? secondsOf(deadline_at) : null;
}

function statusOf({ scope, filters }: SearchQuery) {
  return scope === 'tenders' ? (filters.status ?? 'open') : 'any';
}

function asksForOpen(query: SearchQuery): boolean {
  return statusOf(query) === 'open';
}

function clock(query: SearchQuery): ReturnType<Collection['clock']> {
  const until = { column: 'open_until', value: query.now.getTime() / 1_000 };
  if (asksForOpen(query)) return [{ ...until, operator: '>' }];
  return statusOf(query) === 'closed' ? [{ ...until, operator: '<=', orNone: true }] : [];
}

function wantedTokens(query: SearchQuery): IndexToken[][] {
  const { filters, scope, now } = query;
  return [
    ...wantedValues(scope === 'frameworks' ? 'w' : 'v', filters),
    // London's month is never behind UTC's, so the months from now on include every future deadline.
    ...(asksForOpen(query) ? [[OPEN], ...wantedMonths('d', now.toISOString())] : []),
    ...wantedMonths('d', filters.deadline_from, filters.deadline_to),
  ];
}
