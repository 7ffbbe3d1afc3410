import { CONTRACT_VALUE, COUNTED_AS, vcseSql } from '../../catalogue/enums.ts';
import { contractStatusNowSql, statusNowSql } from '../../catalogue/live.ts';
import { SUPPLIER_NAMES } from '../../catalogue/supplier-names.ts';
import { smeByAccountsSql } from '../../reference/company-size.ts';
import { SHAPES, type Shape } from './json-shapes.ts';

/** What can be exported. */
export const EXPORT_DATASETS = ['notices', 'tenders', 'contracts', 'companies', 'buyers', 'frameworks'] as const;
export type ExportDataset = (typeof EXPORT_DATASETS)[number];

/** The format of an export, which is also the extension of its file. */
export const EXPORT_FORMATS = ['csv', 'csv.gz', 'jsonl', 'jsonl.gz', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The type of a column's cells: plain text, JSON text (lists and objects), a boolean, a number, a London date or an instant. */
export type ColumnKind = 'text' | 'json' | 'flag' | 'whole' | 'number' | 'day' | 'instant';

export interface ExportColumn {
  name: string;
  kind: ColumnKind;
  /** The shape of the JSON in a JSON column. */
  shape?: Shape | undefined;
}

/** One value of a row: JSON columns as their text, days and instants as ISO 8601, flags as booleans. */
export type Cell = string | number | boolean | null;

/** A row's cells in the order of its dataset's columns. */
export type ExportCells = readonly Cell[];

export interface Column {
  /** SQL over the dataset's table. Constants of this file, never input. */
  sql: string;
  kind: ColumnKind;
  shape?: Shape;
  /** Whether its SQL lists places, and its cells name the region that contains them all. */
  ofPlaces?: true;
}

export interface Dataset {
  table: string;
  /** How a row is found by its key; by default, by its id in the table. */
  joined?: string;
  columns: Record<string, Column>;
}

const as =
  (kind: ColumnKind) =>
  (...names: string[]): Record<string, Column> =>
    Object.fromEntries(names.map((name) => [name, { sql: name, kind }]));
const text = as('text');
const number = as('number');
const whole = as('whole');
const day = as('day');
const instant = as('instant');
/** Text of a JSON column. SQLite would nest it as JSON; concatenated with an empty text it stays text. */
const json = (sql: string, shape: Shape): Column => ({ sql: `(${sql}) || ''`, kind: 'json', shape });
const of = (kind: ColumnKind, sql: string): Column => ({ sql, kind });
const placeIn = (sql: string): Column => ({ sql: `json(${sql})`, kind: 'text', ofPlaces: true });
/** The words that answers use for classes of values. */
const COUNTED_AS_SQL = `CASE value_class ${Object.entries(COUNTED_AS)
  .map(([valueClass, word]) => `WHEN '${valueClass}' THEN '${word}'`)
  .join(' ')} ELSE value_class END`;
/** A company is named as in the register, where it has it; its other names are those of notices. */
const COMPANY_NAME = 'coalesce(r.name, c.name)';
const COMPANY_OTHER_NAMES = `(SELECT json_group_array(DISTINCT value)
  FROM json_each(json_insert(detail -> '$.also_known_as', '$[#]', c.name)) WHERE value <> ${COMPANY_NAME})`;
const SME_BY_ACCOUNTS = `iif(r.gone = 0, ${smeByAccountsSql("r.record ->> '$.accounts.category'")}, NULL)`;
const inDetail = (path: string, kind: ColumnKind = 'text') => of(kind, `detail ->> '$.${path}'`);

const NOTICE = {
  ...text('notice_id', 'ocid', 'title', 'description', 'buyer', 'buyer_id', 'buyer_kind'),
  joint_buyers: json("detail -> '$.joint_buyers'", SHAPES.texts),
  ...day('published'),
  ...instant('published_at'),
  ...day('deadline'),
  ...instant('deadline_at'),
  ...text('stage', 'notice_type'),
  status: of('text', statusNowSql('(SELECT now FROM asked)')),
  ...number('value'),
  ...text('currency', 'value_basis', 'cpv'),
  cpvs: json('cpvs', SHAPES.texts),
  region: placeIn('regions'),
  regions: json('regions', SHAPES.regions),
  ...text('nation', 'url', 'source'),
  also_on: json('also_on', SHAPES.texts),
};

const DATASETS: Record<ExportDataset, Dataset> = {
  notices: {
    table: 'notice',
    columns: {
      ...NOTICE,
      tender_expected: inDetail('dates.tender_expected', 'day'),
      direct_award_grounds: json("detail -> '$.direct_award_grounds'", SHAPES.texts),
    },
  },
  tenders: {
    table: 'notice',
    columns: {
      ...NOTICE,
      starts: inDetail('dates.starts', 'day'),
      ends: inDetail('dates.ends', 'day'),
      value_min: inDetail('value_min', 'number'),
      procedure: inDetail('procedure_code'),
      procedure_details: inDetail('procedure'),
      accelerated: inDetail('accelerated', 'flag'),
      accelerated_reason: inDetail('accelerated_reason'),
      apply_url: inDetail('how_to_apply.url'),
      recurrence: inDetail('recurrence'),
      lots: json("detail -> '$.lots'", SHAPES.lots),
      extends_to: inDetail('dates.extends_to', 'day'),
      suitable_for_sme: inDetail('suitable_for_sme', 'flag'),
      suitable_for_vcse: inDetail('suitable_for_vcse', 'flag'),
      /** What is said of the whole; what is said of a lot stands in `lots`. */
      award_criteria: json("detail -> '$.award_criteria'", SHAPES.criteria),
      award_criteria_text: inDetail('award_criteria_text'),
      selection_criteria: json("detail -> '$.selection_criteria'", SHAPES.conditions),
      selection_criteria_text: inDetail('selection_criteria_text'),
      participation_fees: json("detail -> '$.participation_fees'", SHAPES.fees),
      reserved_for: json("detail -> '$.reserved_for'", SHAPES.texts),
      reserved_places: json("detail -> '$.reserved_places'", SHAPES.texts),
      bid_valid_days: inDetail('bid_valid_days', 'whole'),
      bid_valid_until: inDetail('bid_valid_until', 'day'),
    },
  },
  contracts: {
    table: 'contract',
    columns: {
      contract_id: of('text', 'id'),
      ...text('notice_id', 'ocid', 'title'),
      description: inDetail('description'),
      ...text('buyer', 'buyer_id', 'buyer_kind'),
      supplier: of('text', `coalesce(${SUPPLIER_NAMES}, supplier)`),
      suppliers: json('suppliers', SHAPES.suppliers),
      value: of('number', CONTRACT_VALUE),
      stated_value: of('number', `iif(${CONTRACT_VALUE} IS NULL, value, NULL)`),
      ...text('currency', 'value_basis', 'value_class'),
      counted_as: of('text', COUNTED_AS_SQL),
      /** The date that `newest first` and the bounds on the day of award use. */
      dated: of('day', 'sort_date'),
      ...day('awarded', 'signed', 'starts', 'ends'),
      standstill_until: of('day', "detail ->> '$.standstill_until'"),
      ...text('ends_basis'),
      ...day('ends_latest'),
      ends_latest_basis: inDetail('ends_latest_basis'),
      ...text('procedure'),
      procedure_details: inDetail('procedure'),
      justification: inDetail('justification.text'),
      justification_grounds: json("detail -> '$.justification.grounds'", SHAPES.texts),
      direct_award_grounds: json("detail -> '$.direct_award_grounds'", SHAPES.texts),
      ...whole('bids_received', 'bids_from_smes'),
      kpis: json("detail -> '$.kpis'", SHAPES.kpis),
      sme: of('flag', 'sme'),
      vcse: of('flag', vcseSql('suppliers')),
      status: of('text', contractStatusNowSql('(SELECT today FROM asked)')),
      stated_status: of('text', 'status'),
      ...text('cpv'),
      region: placeIn("detail -> '$.regions'"),
      lots: json("detail -> '$.lots'", SHAPES.lotTitles),
      ...text('framework_id', 'framework_role'),
      warnings: json("detail -> '$.warnings'", SHAPES.texts),
      ...text('nation', 'url', 'source'),
      also_on: json('also_on', SHAPES.texts),
    },
  },
  companies: {
    table: 'company',
    // A company that never won anything appears in the register only.
    joined: `LEFT JOIN company c ON c.id = row_key AND c.gone = 0
      LEFT JOIN registered_company r ON r.company_number =
        iif(c.id IS NULL, iif(row_key LIKE 'GB-COH-%', substr(row_key, 8), NULL), c.company_number)
      WHERE c.id IS NOT NULL OR r.company_number IS NOT NULL`,
    columns: {
      company_id: of('text', 'row_key'),
      name: of('text', COMPANY_NAME),
      companies_house_number: of('text', 'coalesce(c.company_number, r.company_number)'),
      is_sme: of('flag', `coalesce(c.is_sme, ${SME_BY_ACCOUNTS})`),
      locality: of('text', 'coalesce(c.locality, r.locality)'),
      postcode: of('text', 'coalesce(c.postcode, r.postcode)'),
      contract_count: of('whole', 'coalesce(c.contract_count, 0)'),
      framework_places: of('whole', 'coalesce(c.framework_places, 0)'),
      /** The date that `newest first` uses: a company without a contract is ordered by its day of incorporation. */
      last_award: of('day', '(SELECT max(s.sort_date) FROM contract_supplier s WHERE s.company_id = row_key)'),
      incorporated: of('day', 'r.incorporated'),
      totals: json("totals -> '$.sum'", SHAPES.sums),
      identifiers: json("detail -> '$.identifiers'", SHAPES.identifiers),
      also_known_as: json(`iif(c.id IS NULL, NULL, ${COMPANY_OTHER_NAMES})`, SHAPES.texts),
    },
  },
  buyers: {
    table: 'buyer',
    columns: {
      buyer_id: of('text', 'id'),
      ...text('name', 'region', 'region_code', 'nation', 'kind'),
      scope: of('text', "detail ->> '$.scope'"),
      ...whole('contract_count', 'framework_places'),
      last_award: of(
        'day',
        '(SELECT sort_date FROM contract c WHERE c.buyer_id = row_key AND c.gone = 0 ORDER BY sort_date DESC LIMIT 1)',
      ),
      totals: json("totals -> '$.sum'", SHAPES.sums),
      identifiers: json("detail -> '$.identifiers'", SHAPES.identifiers),
      also_known_as: json("detail -> '$.also_known_as'", SHAPES.texts),
    },
  },
  frameworks: {
    table: 'framework',
    columns: {
      framework_id: of('text', 'id'),
      ...text('title', 'kind', 'buyer', 'buyer_id', 'buyer_kind'),
      ...day('starts', 'ends'),
      ...number('ceiling'),
      ...text('currency', 'cpv'),
      region: placeIn("detail -> '$.regions'"),
      lots: json('lots', SHAPES.frameworkLots),
      references: json("detail -> '$.references'", SHAPES.texts),
      participation_fees: json("detail -> '$.participation_fees'", SHAPES.fees),
      ...text('notice_id', 'ocid'),
      ...day('published'),
      ...text('nation', 'url', 'source'),
      also_on: json('also_on', SHAPES.texts),
    },
  },
};

/** The columns of each dataset, in the order they are written. */
export const EXPORT_COLUMNS = overDatasets(({ columns }): readonly ExportColumn[] =>
  Object.entries(columns).map(([name, { kind, shape }]) => ({ name, kind, shape })),
);

/** Something of each dataset. */
export function overDatasets<T>(derive: (dataset: Dataset) => T): Record<ExportDataset, T> {
  const pairs = EXPORT_DATASETS.map((name) => [name, derive(DATASETS[name])] as const);
  return Object.fromEntries(pairs) as Record<ExportDataset, T>;
}
