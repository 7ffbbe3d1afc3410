import type { Database } from '../../schema/database.ts';
import type { FacetName, SearchAnswer } from '../engine.ts';
import { FACET_VALUES_MAX } from '../facets.ts';
import { COUNT_MAX } from './counts.ts';
import { countCodes, readFacetValues } from './facet-codes.ts';
import type { Matching } from './matching.ts';

/** Counts by facet over the newest matches, all of them while the total is exact. */
export async function readFacets(
  index: Database,
  matching: Matching,
  wanted: FacetName[],
): Promise<NonNullable<SearchAnswer['facets']>> {
  // One long text instead of thousands of rows: the driver takes longer over rows than the index over finding them.
  const sql = `SELECT group_concat(facets) AS facets, (SELECT max(code) FROM facet_value) AS last
    FROM (SELECT facet.facets AS facets
    FROM entry CROSS JOIN facet ON facet.key = entry.rowid ${matching.where} ORDER BY entry.rowid DESC LIMIT ${COUNT_MAX})`;
  const [row] = await index.read<{ facets: string | null; last: number | null }>({ sql, args: matching.args });
  const counted = countCodes(row?.facets ?? '', row?.last ?? 0, wanted, FACET_VALUES_MAX);
  const values = await readFacetValues(
    index,
    [...counted.values()].flat().map(([code]) => code),
  );
  return Object.fromEntries(
    [...counted].map(([name, counts]) => [
      name,
      sortCounts(counts.map(([code, count]) => [values.get(code) ?? '', count])),
    ]),
  );
}

function sortCounts(counts: [string, number][]): Record<string, number> {
  return Object.fromEntries(counts.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
