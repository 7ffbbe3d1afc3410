import { isoInstant, londonDate } from '../../config/clocks.ts';
import type { Database } from '../../db/interface.ts';
import { placeOf, type Region } from '../../reference/regions.ts';
import {
  type Cell,
  type Column,
  type Dataset,
  type ExportCells,
  type ExportDataset,
  overDatasets,
} from './datasets.ts';

const SELECTS = overDatasets(selectOf);
/** The column that names the place of something; -1 where a dataset has none. */
const PLACES = overDatasets(({ columns }) => Object.values(columns).findIndex(({ ofPlaces }) => ofPlaces));

/**
 * The rows for some keys (a JSON list) as they are at `now`, in the order of the keys. A row that has been removed is left out.
 * Each row comes from the database as one JSON text, which is faster than one value at a time.
 */
export async function readExportRows(
  catalogue: Database,
  dataset: ExportDataset,
  keys: string,
  now: Date,
): Promise<ExportCells[]> {
  const args = [isoInstant(now), londonDate(now), keys];
  const rows = await catalogue.read<{ cells: string }>({ sql: SELECTS[dataset], args });
  const place = PLACES[dataset];
  return rows.map(({ cells: text }) => {
    const cells = JSON.parse(text) as Cell[];
    if (place >= 0) cells[place] = namePlace(cells[place]);
    return cells;
  });
}

function namePlace(regions: unknown): string | null {
  return placeOf((regions as Region[] | null) ?? [])?.name ?? null;
}

/** Forces SQLite to read the list of keys from its start and to look up each row, whatever its planner estimates. */
function selectOf({ table, columns, joined }: Dataset): string {
  const rows = joined ?? `CROSS JOIN ${table} ON ${table}.id = row_key WHERE gone = 0`;
  return `WITH asked (now, today) AS (VALUES (?, ?)) SELECT json_array(${Object.values(columns).map(toSql).join(', ')}) AS cells
    FROM (SELECT key AS at, value AS row_key FROM json_each(?)) ${rows} ORDER BY at`;
}

/** Numbers are written with all their digits; SQLite's own JSON keeps fifteen. */
function toSql({ sql, kind }: Column): string {
  if (kind === 'flag') return `json(iif(${sql} IS NULL, 'null', iif(${sql} = 1, 'true', 'false')))`;
  return kind === 'number' ? `json(iif(${sql} IS NULL, NULL, format('%!.17g', ${sql})))` : sql;
}
