import type { Statement } from '../../schema/db/interface.ts';

/**
 * The latest instant up to which a walk is known to have asked: windows that were asked by now, each up to its end or,
 * where its end was still to come, up to when it was asked.
 */
const KNOWN = `SELECT max(min(until, completed_at)) FROM window
  WHERE source = ?1 AND state <> 'split' AND completed_at <= ?2`;

const MEND = [
  // Nothing is known where every window comes from the future: the source begins anew.
  `DELETE FROM cursor WHERE source = ?1 AND value > ?2 AND (${KNOWN}) IS NULL`,
  `UPDATE cursor SET value = (${KNOWN}) WHERE source = ?1 AND value > ?2`,
  `UPDATE source SET as_of = (${KNOWN}) WHERE id = ?1 AND as_of > ?2`,
  `DELETE FROM window WHERE source = ?1 AND completed_at > ?2 AND (${KNOWN}) IS NULL`,
  `UPDATE window SET completed_at = (${KNOWN}) WHERE source = ?1 AND completed_at > ?2`,
];

/**
 * Mends what a clock that was ahead has left behind, once it is right again (`now`, ISO 8601 UTC): a cursor in the
 * future would never be passed, and a window asked in the future would count as held when its time really comes. Both
 * go back to what is known, so that what was published since is asked for; nothing happens where the clock was right.
 */
export function mendFutureStatements(source: string, now: string): Statement[] {
  return MEND.map((sql) => ({ sql, args: [source, now] }));
}
