import { hash } from 'node:crypto';
import { vcseSql } from '../../schema/catalogue/enums.ts';

/** A run of contracts: of each column one piece. */
export const PIECE_ROWS = 16_384;

/**
 * What a column stores for a contract. `name`: the number of a name; `names`: those of several. `whole`: a whole number.
 * `day`: a London day as `yyyymmdd`. `real`: a real number. `print`: the number of the print of its id. Unknown values are
 * `NONE`, or NaN for real numbers and prints.
 */
export type ColumnKind = 'name' | 'names' | 'whole' | 'day' | 'real' | 'print';

/** Stands for an unknown name, number or day. */
export const NONE = -1;

export interface Column {
  kind: ColumnKind;
  /** SQL over a row of `contract`; for `names` a JSON list of texts. */
  sql: string;
  /** For names: columns with the same word here number theirs together. */
  of?: string;
}

const inDetail = (path: string, each: string) =>
  `json((SELECT json_group_array(${each}) FROM json_each(detail, '$.${path}')))`;

/** The widest region of `placeOf` below the whole country, by its code, or its name where it has none. */
const WIDE_PLACE = `coalesce(
  (SELECT iif(min(wide) <> max(wide), iif(max(wide IN ('UK', 'UKL', 'UKM', 'UKN')), 'UK', 'England'), max(wide))
    FROM (SELECT coalesce(substr(value ->> 'code', 1, 3), value ->> 'name') AS wide FROM json_each(detail, '$.regions'))
    WHERE wide LIKE 'UK%' OR wide = 'England'),
  detail ->> '$.regions[0].code', detail ->> '$.regions[0].name', region)`;

/**
 * The data that sums and filters read for a contract, by the field that a filter names. A name is a text that many contracts
 * share: each has a number, so that a column consists of numbers.
 */
export const COLUMNS = {
  // One of the few combinations that decide whether a value is added. Without it a place is free, as its contract has gone.
  counted: { kind: 'name', of: 'counted', sql: "json_array(value_class, currency, framework_role) || ''" },
  value: { kind: 'real', sql: 'value' },
  buyer_id: { kind: 'name', of: 'buyer', sql: 'buyer_id' },
  buyer_kind: { kind: 'name', of: 'buyer_kind', sql: 'buyer_kind' },
  company_ids: {
    kind: 'names',
    of: 'company',
    sql: "json((SELECT json_group_array(DISTINCT value ->> 'company_id') FROM json_each(suppliers)))",
  },
  framework_id: { kind: 'name', of: 'framework', sql: 'framework_id' },
  framework_role: { kind: 'name', of: 'framework_role', sql: 'framework_role' },
  /** The service under which a contract is counted and grouped; filters read all that published it. */
  source: { kind: 'name', of: 'source', sql: 'source' },
  sources: {
    kind: 'names',
    of: 'source',
    sql: 'json(iif(also_on IS NULL, json_array(source), (SELECT json_group_array(value) FROM (SELECT source AS value UNION ALL SELECT value FROM json_each(also_on)))))',
  },
  nation: { kind: 'name', of: 'nation', sql: 'nation' },
  cpv: { kind: 'name', of: 'cpv', sql: 'cpv' },
  cpvs: { kind: 'names', of: 'cpv', sql: inDetail('cpvs', 'value') },
  /** The one that contains all of its places; filters read these. */
  region: { kind: 'name', of: 'region', sql: WIDE_PLACE },
  // A name is searched as well as a code.
  regions: {
    kind: 'names',
    of: 'place',
    sql: inDetail('regions', "json_array(value ->> 'code', value ->> 'name') || ''"),
  },
  dated: { kind: 'day', sql: 'sort_date' },
  starts: { kind: 'day', sql: 'starts' },
  ends: { kind: 'day', sql: 'ends' },
  standstill_until: { kind: 'day', sql: "detail ->> '$.standstill_until'" },
  status: { kind: 'name', of: 'status', sql: 'status' },
  procedure: { kind: 'name', of: 'procedure', sql: 'procedure' },
  direct_award_grounds: { kind: 'names', of: 'ground', sql: inDetail('direct_award_grounds', 'value') },
  bids: { kind: 'whole', sql: 'bids_received' },
  sme: { kind: 'whole', sql: 'sme' },
  vcse: { kind: 'whole', sql: vcseSql('suppliers') },
  /** By which a search says what it matched. */
  print: { kind: 'print', sql: 'id' },
} as const satisfies Record<string, Column>;

export type ColumnName = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[];

/** The columns whose names are numbered together have one of these. */
export type Names = { [K in ColumnName]: (typeof COLUMNS)[K] extends { of: infer N } ? N : never }[ColumnName];

/** The names that a column's numbers stand for; undefined where it has none. */
export function namesOf(name: ColumnName): Names | undefined {
  const column = COLUMNS[name];
  return 'of' in column ? column.of : undefined;
}

/** Raised when pieces are read or written differently. */
const EDITION = 2;

/** Changes with the columns: a file with another layout is ignored. */
export const LAYOUT = hash('sha256', JSON.stringify([EDITION, PIECE_ROWS, COLUMNS])).slice(0, 12);

/** Whether its numbers take eight bytes. */
export function isWide(kind: ColumnKind): boolean {
  return kind === 'real' || kind === 'print';
}

/** A London day as a number for comparisons; `NONE` where there is none. */
export function dayOf(text: string | null): number {
  const found = /^(\d{4})-(\d\d)-(\d\d)/.exec(text ?? '');
  return found ? Number(found.slice(1).join('')) : NONE;
}
