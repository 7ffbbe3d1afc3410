import { knownDayNumber, secondsOf } from '../documents/days.ts';
import { facetValues } from '../documents/facets.ts';
import {
  DESCRIPTION_SHOWN,
  makeDocument,
  mayBeOpen,
  SHOWN_FIELDS,
  showNotice,
  valueInPounds,
} from '../documents/from-row.ts';
import type { Scope, SearchDocument, SearchQuery } from '../engine.ts';
import { FACETS } from '../filters/facets.ts';
import { type Collection, type IndexToken, namesAsColumns, selectColumns } from './shape.ts';
import { monthTokens, valueTokens, wantedMonths, wantedValues } from './tokens.ts';

/** The framework `f` for which a notice `n` is the main one: only that notice carries it, so that a framework search names each once. */
export const OWN_FRAMEWORK =
  'framework f ON f.id = n.process_id AND f.notice_id = n.notice_id AND f.gone = 0 AND f.copy_of IS NULL';
/** What documents and hits read of a row as it is. */
const SAME = namesAsColumns(
  `id notice_id ocid source stage notice_type title buyer_id buyer published published_at deadline deadline_at
  currency cpvs regions nation status url is_tender also_on`.split(/\s+/),
);
const FOUND = { gone: '(n.gone = 1 OR n.copy_of IS NOT NULL)', framework_id: 'f.id' };
const OPEN: IndexToken = { letter: 'p', value: 'open' };

/** Notices; some are tenders, and some set up a framework. */
export const NOTICES: Collection<SearchDocument> = {
  name: 'notices',
  stem: 'search',
  datasets: ['notices', 'tenders', 'frameworks'],
  drained: {
    table: 'notice',
    columns: selectColumns({
      ...SAME,
      ...FOUND,
      ...namesAsColumns(['description', 'value', 'joint_buyer_ids', 'buyer_kind', 'detail', 'seq']),
      ceiling: 'f.ceiling',
      ceiling_currency: 'f.currency',
      ends: 'f.ends',
      framework_kind: 'f.kind',
      framework_references: "json_extract(f.detail, '$.references')",
    }),
    join: `LEFT JOIN ${OWN_FRAMEWORK}`,
    // A copy on another service is found as its original.
    absent: ['gone = 1', 'copy_of IS NOT NULL AND gone = 0'],
    // When a framework moves to another notice, documents change whose own rows did not.
    others: {
      changed:
        'SELECT process_id AS id FROM framework WHERE seq > ? AND seq <= ? AND process_id > ? ORDER BY process_id',
      concerns: 'n.process_id IN (SELECT value FROM json_each(?))',
    },
    toDocument: makeDocument,
    shown: {
      columns: {
        ...SAME,
        ...FOUND,
        description: `substr(n.description, 1, ${DESCRIPTION_SHOWN})`,
        // SQLite's JSON keeps 15 digits of a number.
        value: "CASE WHEN n.value IS NOT NULL THEN format('%!.17g', n.value) END",
        tender_expected: "n.detail ->> '$.dates.tender_expected'",
        bids_until: "n.detail ->> '$.bids_until'",
        within_framework: "n.detail ->> '$.framework_id'",
      },
      toShown: showNotice,
    },
  },
  day: { of: ({ published }) => published, at: ({ published_at }) => published_at, field: 'published' },
  facets: FACETS,
  facetValues,
  shown: SHOWN_FIELDS,
  compared: [
    { name: 'open_until', of: (document) => (mayBeOpen(document) ? deadlineOf(document) : null) },
    { name: 'deadline_seconds', of: deadlineOf, sorts: true },
    { name: 'deadline_day', of: ({ deadline }) => knownDayNumber(deadline) },
    { name: 'pounds', of: valueInPounds, sorts: true },
    { name: 'ceiling_pounds', of: ({ ceiling }) => ceiling, sorts: true },
    { name: 'ends_day', of: ({ ends }) => knownDayNumber(ends), sorts: true },
    { name: 'expected_day', of: ({ tender_expected }) => knownDayNumber(tender_expected), sorts: true },
  ],
  boundColumn: (field, scope) => (field === 'value' ? valueColumn(scope) : (BOUNDS[field] ?? null)),
  sortColumn: (field, scope) => (field === 'value' ? valueColumn(scope) : (SORTS[field] ?? null)),
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
    ...monthTokens('e', document.ends),
    ...monthTokens('x', document.tender_expected),
  ],
  wantedTokens,
};

const DAYS = { ends: 'ends_day', tender_expected: 'expected_day' };
const BOUNDS: Readonly<Record<string, string>> = { ...DAYS, deadline: 'deadline_day' };
const SORTS: Readonly<Record<string, string>> = { ...DAYS, deadline: 'deadline_seconds' };

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
    ...wantedMonths('e', filters.ends_from, filters.ends_to),
    ...wantedMonths('x', filters.tender_expected_from, filters.tender_expected_to),
  ];
}
