import type { SqlValue } from '../../../schema/db/interface.ts';
import { DAY_SPAN, RANKED_MAX, WEIGHTS } from '../layout/tables.ts';
import type { Matching } from '../match/matching.ts';

const DAY_MS = 86_400_000;

/** What a hit in the title counts for besides, by itself: else many mentions in a description would outweigh it. */
const TITLE_LIFT = '2.0';

const TITLE_LENGTH = `(SELECT unicode(CAST(substr(sz, 1, 1) AS TEXT)) FROM entry_docsize WHERE id = entry.rowid)`;
const BREVITY = `(5.0 / (5.0 + coalesce(${TITLE_LENGTH}, 0)))`;

/** By the words that tell: bm25, and once more of the title, the more the shorter it is. The sign keeps SQLite from asking FTS5 again for every candidate. */
const SCORED = `scored AS MATERIALIZED (SELECT entry.rowid AS key,
    -(bm25(entry, ${WEIGHTS}) + ${TITLE_LIFT} * bm25(entry, 1, 0, 0, 0, 0, 0) * ${BREVITY}) AS value FROM entry
  WHERE entry MATCH ? AND entry.rowid >= (SELECT min(key) FROM candidate) AND +entry.rowid IN (SELECT key FROM candidate))`;

/**
 * The table `ranked (key, value)` of a query, as SQL that begins `WITH`: the newest matches with their scores. Filters choose
 * the matches and are no part of scoring, as bm25 reads every document of every word it is given.
 */
export function rankedTable(matching: Matching, now: Date): { sql: string; args: SqlValue[] } {
  const { keys } = matching.counted;
  // Those that grew many between two pages are looked for again.
  const candidates = keys
    ? { sql: 'SELECT value AS key FROM json_each(?)', args: [JSON.stringify(keys)] }
    : {
        sql: `SELECT entry.rowid AS key ${matching.from} ${matching.where} ORDER BY entry.rowid DESC LIMIT ${RANKED_MAX}`,
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
