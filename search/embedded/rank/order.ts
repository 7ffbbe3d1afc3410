import { DAY_MS } from '../../../schema/config/clocks.ts';
import type { Database, SqlValue } from '../../../schema/db/interface.ts';
import { type Order, orderOf } from '../../collections/index.ts';
import type { SearchQuery } from '../../engine.ts';
import type { ServedHits } from '../../results/served-hits.ts';
import { DAY_SPAN, RANKED_MAX, WEIGHTS } from '../layout/tables.ts';
import { type KeyRange, type Matching, narrow } from '../match/matching.ts';
import { type RankedKey, readByTier } from './field-tiers.ts';

/** With more matches than this, rows are read in order and tested one by one. With fewer, the matches are sorted. */
const SCAN_ABOVE = 10_000;

/** Where a page starts: after a document, without those after it that were already served. */
interface Place extends RankedKey {
  passed?: number[];
  /** `Matching.bound` of the first page, if documents are ranked by where the words are. */
  bound?: number | undefined;
}

/**
 * New documents change all scores a little, so neighbours may change places. So a page starts this many documents back, and
 * omits what was served before it, as far as its cursor has room for that.
 */
const BACK = 20;

const READ_PRINTS = 'SELECT key, print FROM document WHERE key IN (SELECT value FROM json_each(?))';

/** Where the next page starts. */
export function nextPlace(
  ranked: readonly RankedKey[],
  before: Place | undefined,
  order: Order | null,
  { scoring, bound }: Matching,
): Place | undefined {
  const last = ranked.at(-1);
  if (order !== null || !last) return last;
  // New documents do not change a ranking by where the words are.
  if (scoring.by === 'place') return { ...last, bound };
  const passed = [...(before?.passed ?? []), ...ranked.map(({ key }) => key)];
  return { ...(ranked[Math.max(0, ranked.length - 1 - BACK)] ?? last), passed };
}

/** One page of matches without those that the other engine has already served. */
export async function skipServed(
  index: Database,
  matching: Matching,
  query: SearchQuery,
  after: Place | undefined,
  seen: ServedHits | undefined,
): Promise<RankedKey[]> {
  if (!seen) return readPage(index, matching, query, after);
  // Twice as many, as a short print may stand for another document too.
  const page = await readPage(index, matching, { ...query, limit: query.limit + 2 * seen.size }, after);
  const prints = await readPrints(index, page);
  return page.filter(({ key }) => !seen.hasPrinted(prints.get(key) ?? '')).slice(0, query.limit);
}

/** One page of matches in the requested order, after the document of the cursor. */
async function readPage(
  index: Database,
  matching: Matching,
  query: SearchQuery,
  after: Place | undefined,
): Promise<RankedKey[]> {
  const order = orderOf(query, matching.scored);
  if (order === null) return readRanked(index, matching, query, after);
  if (order.column === null) return readDated(index, matching, order, query.limit, after?.key);
  return readSorted(index, matching, { ...order, column: `facet.${order.column}`, limit: query.limit }, after);
}

/**
 * A page in order of rank. The cursor's document is scored again among the current documents, so that the page starts right
 * after it, even if others arrived meanwhile. If it has gone, its old score is used.
 */
async function readRanked(
  index: Database,
  matching: Matching,
  query: SearchQuery,
  after: Place | undefined,
): Promise<RankedKey[]> {
  if (matching.scoring.by === 'place') return readByTier(index, matching, query.limit, after);
  const ranked = rankedTable(matching, query.now);
  const next = after
    ? `WHERE (value, key) < (coalesce((SELECT value FROM ranked WHERE key = ?), ?), ?)
        AND key NOT IN (SELECT value FROM json_each(?))`
    : '';
  const start = after ? [after.key, after.value ?? 0, after.key, JSON.stringify(after.passed ?? [])] : [];
  return index.read<RankedKey>({
    sql: `${ranked.sql} SELECT key, value FROM ranked ${next} ORDER BY value DESC, key DESC LIMIT ?`,
    args: [...ranked.args, ...start, query.limit],
  });
}

/** A page in order of days, which is the order of keys. The index is read from where the last page ended. */
async function readDated(
  index: Database,
  matching: Matching,
  { descending }: Pick<Order, 'descending'>,
  limit: number,
  after: number | undefined,
): Promise<RankedKey[]> {
  const { from, where, args } = narrow(matching, matching.expression, rangeAfter(after, descending));
  const sql = `SELECT entry.rowid AS key, NULL AS value ${from} WHERE ${where}
    ORDER BY entry.rowid ${descending ? 'DESC' : 'ASC'} LIMIT ?`;
  return index.read<RankedKey>({ sql, args: [...args, limit] });
}

/** The keys that follow one in an order of days; all keys on the first page. */
function rangeAfter(after: number | undefined, descending: boolean): Partial<KeyRange> {
  if (after === undefined) return {};
  return descending ? { before: after } : { since: after + 1 };
}

/** A page in order of a number. Documents without it follow, the newest first. */
async function readSorted(
  index: Database,
  matching: Matching,
  { column, descending, limit }: { column: string; descending: boolean; limit: number },
  after: RankedKey | undefined,
): Promise<RankedKey[]> {
  const [compare, order] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
  const from =
    matching.counted.count > SCAN_ABOVE
      ? 'FROM facet CROSS JOIN entry ON entry.rowid = facet.key'
      : 'FROM entry CROSS JOIN facet ON facet.key = entry.rowid';
  const select = `SELECT facet.key AS key, ${column} AS value ${from} WHERE ${matching.where}`;
  const valued: RankedKey[] = [];
  if (!after || after.value !== null) {
    const next = after ? `AND (${column}, facet.key) ${compare} (?, ?)` : '';
    valued.push(
      ...(await index.read<RankedKey>({
        sql: `${select} AND ${column} IS NOT NULL ${next} ORDER BY ${column} ${order}, facet.key ${order} LIMIT ?`,
        args: [...matching.args, ...(after ? [after.value, after.key] : []), limit],
      })),
    );
  }
  if (valued.length === limit) return valued;
  const next = after && after.value === null ? 'AND facet.key < ?' : '';
  const rest = await index.read<RankedKey>({
    sql: `${select} AND ${column} IS NULL ${next} ORDER BY facet.key DESC LIMIT ?`,
    args: [...matching.args, ...(next && after ? [after.key] : []), limit - valued.length],
  });
  return [...valued, ...rest];
}

async function readPrints(index: Database, ranked: RankedKey[]): Promise<Map<number, string>> {
  const args = [JSON.stringify(ranked.map(({ key }) => key))];
  const rows = await index.read<{ key: number; print: string }>({ sql: READ_PRINTS, args });
  return new Map(rows.map(({ key, print }) => [key, print]));
}

/** The extra weight of a word in the title. Otherwise many occurrences in a description would outweigh it. */
const TITLE_LIFT = '2.0';

const TITLE_LENGTH = '(SELECT unicode(CAST(substr(sz, 1, 1) AS TEXT)) FROM entry_docsize WHERE id = entry.rowid)';
const BREVITY = `(5.0 / (5.0 + coalesce(${TITLE_LENGTH}, 0)))`;

/**
 * Scores by bm25, plus the title again, which counts more the shorter it is. The unary plus keeps SQLite from querying FTS5
 * for each candidate.
 */
const SCORED = `scored AS MATERIALIZED (SELECT entry.rowid AS key,
    -(bm25(entry, ${WEIGHTS}) + ${TITLE_LIFT} * bm25(entry, 1, 0, 0, 0, 0, 0) * ${BREVITY}) AS value FROM entry
  WHERE entry MATCH ? AND entry.rowid >= (SELECT min(key) FROM candidate) AND +entry.rowid IN (SELECT key FROM candidate))`;

/**
 * SQL that begins with `WITH` and defines the table `ranked (key, value)`: the newest matches with their scores. Filters do
 * not take part in scoring, as bm25 reads every document of every word in its expression.
 */
function rankedTable(matching: Matching, now: Date): { sql: string; args: SqlValue[] } {
  const { keys } = matching.counted;
  // The keys are missing if the words became common between two pages.
  const candidates = keys
    ? { sql: 'SELECT value AS key FROM json_each(?)', args: [JSON.stringify(keys)] }
    : {
        sql: `SELECT entry.rowid AS key ${matching.from} WHERE ${matching.where} ORDER BY entry.rowid DESC LIMIT ${RANKED_MAX}`,
        args: matching.args,
      };
  const candidate = `candidate AS MATERIALIZED (${candidates.sql})`;
  const tiers = matching.first.filter((keys) => keys.length > 0);
  const lifts = tiers.map(
    (_keys, index) => `+ 1e6 * ${tiers.length - index} * (candidate.key IN (SELECT value FROM json_each(?)))`,
  );
  const today = Math.floor(now.getTime() / DAY_MS);
  const recency = `(1.0 + 0.1 / (1.0 + max(0, ${today} - candidate.key / ${DAY_SPAN}) / 365.0))`;
  return {
    sql: `WITH ${[candidate, SCORED].join(', ')}, ranked AS MATERIALIZED (
      SELECT candidate.key AS key, coalesce(scored.value, 0.0) * ${recency} ${lifts.join(' ')} AS value
      FROM candidate LEFT JOIN scored ON scored.key = candidate.key)`,
    args: [...candidates.args, matching.scoring.text, ...tiers.map((keys) => JSON.stringify(keys))],
  };
}
