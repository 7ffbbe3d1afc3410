import type { Database } from './database.ts';

/** What can be exported. */
export const EXPORT_DATASETS = ['notices', 'tenders', 'contracts', 'companies', 'buyers', 'frameworks'] as const;
export type ExportDataset = (typeof EXPORT_DATASETS)[number];

/** One exported row: column to value; lists and objects as they are, JSON in a CSV cell. */
export type ExportRecord = Record<string, unknown>;

interface Column {
  /** SQL over the dataset's table. Constants of this file, never input. */
  sql: string;
  kind?: 'json' | 'flag';
}

interface Dataset {
  table: string;
  columns: Record<string, Column>;
}

const plain = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { sql: name }]));
const json = (sql: string): Column => ({ sql, kind: 'json' });
/** A ceiling, or an amount that is not believed, is no contract's value. */
export const CONTRACT_VALUE = "iif(value_class IN ('framework_ceiling', 'absurd'), NULL, value)";
const inDetail = (path: string): Column => ({ sql: `detail ->> '$.${path}'` });

const NOTICE = {
  ...plain('notice_id', 'ocid', 'title', 'description', 'buyer', 'buyer_id', 'published', 'published_at'),
  ...plain('deadline', 'deadline_at', 'stage', 'notice_type', 'status', 'value', 'currency', 'value_basis', 'cpv'),
  cpvs: json('cpvs'),
  region: { sql: "coalesce(regions ->> '$[0].name', region)" },
  regions: json('regions'),
  ...plain('url', 'source'),
};

const DATASETS: Record<ExportDataset, Dataset> = {
  notices: { table: 'notice', columns: NOTICE },
  tenders: {
    table: 'notice',
    columns: {
      ...NOTICE,
      starts: inDetail('dates.starts'),
      ends: inDetail('dates.ends'),
      procedure: inDetail('procedure'),
      apply_url: inDetail('how_to_apply.url'),
      lots: json("detail -> '$.lots'"),
    },
  },
  contracts: {
    table: 'contract',
    columns: {
      contract_id: { sql: 'id' },
      ...plain('notice_id', 'ocid', 'title'),
      description: inDetail('description'),
      ...plain('buyer', 'buyer_id', 'supplier'),
      suppliers: json('suppliers'),
      value: { sql: CONTRACT_VALUE },
      stated_value: { sql: `iif(${CONTRACT_VALUE} IS NULL, value, NULL)` },
      ...plain('currency', 'value_basis', 'value_class', 'awarded', 'signed', 'starts', 'ends', 'status', 'cpv'),
      region: { sql: "coalesce(detail ->> '$.regions[0].name', region)" },
      lots: json("detail -> '$.lots'"),
      ...plain('framework_id', 'framework_role'),
      warnings: json("detail -> '$.warnings'"),
      ...plain('url', 'source'),
    },
  },
  companies: {
    table: 'company',
    columns: {
      company_id: { sql: 'id' },
      name: { sql: 'name' },
      companies_house_number: { sql: 'company_number' },
      is_sme: { sql: 'is_sme', kind: 'flag' },
      ...plain('locality', 'postcode', 'contract_count'),
      totals: json("totals -> '$.sum'"),
      identifiers: json("detail -> '$.identifiers'"),
      also_known_as: json("detail -> '$.also_known_as'"),
    },
  },
  buyers: {
    table: 'buyer',
    columns: {
      buyer_id: { sql: 'id' },
      ...plain('name', 'region', 'region_code', 'kind', 'contract_count'),
      totals: json("totals -> '$.sum'"),
      identifiers: json("detail -> '$.identifiers'"),
      also_known_as: json("detail -> '$.also_known_as'"),
    },
  },
  frameworks: {
    table: 'framework',
    columns: {
      framework_id: { sql: 'id' },
      ...plain('title', 'kind', 'buyer', 'buyer_id', 'starts', 'ends', 'ceiling', 'currency', 'cpv'),
      region: { sql: "coalesce(detail ->> '$.regions[0].name', region)" },
      lots: json('lots'),
      references: json("detail -> '$.references'"),
      ...plain('notice_id', 'ocid'),
      published: { sql: 'published' },
      ...plain('url', 'source'),
    },
  },
};

/** The columns of each dataset, in the order they are written. */
export const EXPORT_COLUMNS = overDatasets(({ columns }): readonly string[] => Object.keys(columns));

const SELECTS = overDatasets(selectOf);

/** The rows of some keys as they stand now, in the order of the keys. A row that has gone since is left out. */
export async function readExportRows(
  catalogue: Database,
  dataset: ExportDataset,
  keys: readonly string[],
): Promise<ExportRecord[]> {
  const rows = await catalogue.read<ExportRecord & { row_key: string }>({
    sql: SELECTS[dataset],
    args: [JSON.stringify(keys)],
  });
  const byKey = new Map(rows.map((row) => [row.row_key, row]));
  const { columns } = DATASETS[dataset];
  return keys.flatMap((key) => {
    const row = byKey.get(key);
    return row ? [toRecord(row, columns)] : [];
  });
}

function overDatasets<T>(derive: (dataset: Dataset) => T): Record<ExportDataset, T> {
  const pairs = EXPORT_DATASETS.map((name) => [name, derive(DATASETS[name])] as const);
  return Object.fromEntries(pairs) as Record<ExportDataset, T>;
}

function selectOf({ table, columns }: Dataset): string {
  const list = Object.entries(columns).map(([name, { sql }]) => `${sql} AS "${name}"`);
  return `SELECT id AS row_key, ${list.join(', ')} FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0`;
}

function toRecord(row: ExportRecord, columns: Dataset['columns']): ExportRecord {
  return Object.fromEntries(Object.entries(columns).map(([name, { kind }]) => [name, toValue(row[name], kind)]));
}

function toValue(value: unknown, kind: Column['kind']): unknown {
  if (value === null || value === undefined || kind === undefined) return value ?? null;
  return kind === 'flag' ? value === 1 : JSON.parse(value as string);
}
