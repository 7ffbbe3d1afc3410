import type { Database } from '../../schema/db/interface.ts';
import { collectionOf } from '../collections/index.ts';
import type { AnyHit, Matches, MatchList, MatchPlace, SearchQuery } from '../engine.ts';
import { MATCH_CHARS } from '../results/match-prints.ts';
import { describeMatching, readMatching } from './find.ts';
import { narrow } from './match/matching.ts';
import { readKeys } from './rank/field-tiers.ts';
import { readHits } from './rank/hits.ts';

/** Everything that a query matches, at the same level as its pages. The work grows with the number of matches. */
export async function matchAllEmbedded(index: Database, query: SearchQuery): Promise<Matches> {
  const found = await readMatching(index, query);
  const { from, where, args, level } = found.matching;
  // One long text, because the driver returns rows more slowly than the index finds them.
  const [row] = await index.read<{ prints: string | null }>({
    sql: `SELECT group_concat(substr(document.print, 1, ${MATCH_CHARS}), '') AS prints
      ${from} CROSS JOIN document ON document.key = entry.rowid ${where}`,
    args,
  });
  const prints = row?.prints ?? '';
  return {
    total: prints.length / MATCH_CHARS,
    prints,
    start: { engine: 'embedded', level, before: null },
    meta: { ...describeMatching(found), bounded: false },
  };
}

/** At most `most` matches from a position on, newest first. */
export async function listMatchesEmbedded(
  { index, scratch }: { index: Database; scratch: Database },
  query: SearchQuery,
  { level, before }: MatchPlace,
  most: number,
): Promise<MatchList<AnyHit>> {
  const { matching } = await readMatching(index, query, { level });
  const range = before === null ? {} : { before };
  const keys = await readKeys(index, narrow(matching, matching.expression, range), {
    sql: 'ORDER BY entry.rowid DESC LIMIT ?',
    args: [most],
  });
  const ranked = keys.map((key) => ({ key, value: null }));
  const hits = await readHits({ index, scratch, collection: collectionOf(query) }, ranked, null);
  const last = keys.length < most ? undefined : keys.at(-1);
  return { hits, next: last === undefined ? null : { engine: 'embedded', level, before: last } };
}
