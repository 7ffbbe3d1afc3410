import type { Database } from '../../schema/db/interface.ts';

/** Notices of a code are counted up to here: more is "at least". */
export const COUNTED_MOST = 10_000;

// Both are read from an index of the main codes of those notices that stand.
const NOTICES = `SELECT count(*) AS notices FROM
  (SELECT 1 FROM notice WHERE cpv >= ?1 AND cpv < ?2 AND gone = 0 LIMIT ${COUNTED_MOST})`;
const WORDS = `SELECT json_extract(detail, '$.cpv_descriptions."' || ?1 || '"') AS words
  FROM notice WHERE cpv = ?1 AND gone = 0 LIMIT 1`;

/** How many notices have a main code from `from` on and before `before`. */
export async function countNoticesOfCodes(catalogue: Database, from: string, before: string): Promise<number> {
  const [row] = await catalogue.read<{ notices: number }>({ sql: NOTICES, args: [from, before] });
  return row?.notices ?? 0;
}

/** What a notice with this main code of 8 digits says that the code means; null where none does. */
export async function readWordsOfCode(catalogue: Database, code: string): Promise<string | null> {
  const [row] = await catalogue.read<{ words: string | null }>({ sql: WORDS, args: [code] });
  return row?.words ?? null;
}
