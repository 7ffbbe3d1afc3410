import type { Database } from '../../../schema/db/interface.ts';
import { FACET_VALUES_MAX } from '../../documents/facets.ts';
import type { FacetName, SearchAnswer } from '../../engine.ts';
import { countCodes, readFacetValues } from '../layout/facet-codes.ts';
import { COUNT_MAX } from '../match/counts.ts';
import { type Matching, narrow } from '../match/matching.ts';

/** Counts by facet over the newest matches, all of them while the total is exact. */
export async function readFacets(
  index: Database,
  matching: Matching,
  wanted: FacetName[],
): Promise<NonNullable<SearchAnswer['facets']>> {
  const { where, args } = narrow(matching, matching.expression, { since: matching.reach });
  // One long text instead of thousands of rows: the driver takes longer over rows than the index over finding them.
  const sql = `SELECT group_concat(facets) AS facets FROM (SELECT facet.facets AS facets
    FROM entry CROSS JOIN facet ON facet.key = entry.rowid ${where} ORDER BY entry.rowid DESC LIMIT ${COUNT_MAX})`;
  const [row] = await index.read<{ facets: string | null }>({ sql, args });
  const values = await readFacetValues(index);
  const counted = countCodes(row?.facets ?? '', values.length - 1, wanted, FACET_VALUES_MAX);
  return Object.fromEntries([...counted].map(([name, counts]) => [name, sortCounts(counts, values)]));
}

/** By count, then by value: of those that are equally frequent the texts alone are sorted, which is quick. */
function sortCounts(counts: [number, number][], values: string[]): Record<string, number> {
  const sorted: Record<string, number> = {};
  for (let from = 0; from < counts.length; ) {
    const count = counts[from]?.[1] ?? 0;
    let to = from;
    while (counts[to]?.[1] === count) to += 1;
    const equals = counts.slice(from, to).map(([code]) => values[code] ?? '');
    for (const value of equals.sort()) sorted[value] = count;
    from = to;
  }
  return sorted;
}
