import { SUITED, vcseSql } from '../enums.ts';

/** The kinds of row in the change log. Each is a table of the same name, with `id`, `seq` and `gone`. */
export const CHANGE_KINDS = ['notice', 'contract', 'company', 'buyer', 'framework'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** SQL for a value of one row, where the row has the given name. */
type ValueSql = (row: string) => string;

/** A value that filters read, and the column that it is read from: while that is unchanged, so is the value. */
interface ViewValue {
  from: string;
  sql: ValueSql;
}

interface LoggedKind {
  /** Fields by the names under which changes are listed, each with its columns. */
  fields: Readonly<Record<string, readonly string[]>>;
  /** The values that filters read, by name. */
  view: Readonly<Record<string, ViewValue>>;
}

const column =
  (name: string): ValueSql =>
  (row) =>
    `${row}.${name}`;
const columns = (...names: string[]) =>
  Object.fromEntries(names.map((name): [string, ViewValue] => [name, { from: name, sql: column(name) }]));
const fields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, [name]]));
/** A column that is JSON, as JSON. */
const list = (name: string) => ({ [name]: { from: name, sql: (row: string) => `json(${row}.${name})` } });
const inDetail = (name: string): ViewValue => ({ from: 'detail', sql: (row) => `(${row}.detail -> '$.${name}')` });
/** Whom a notice suits, as a list. */
const suitedInDetail: ViewValue = {
  from: 'detail',
  sql: (row) =>
    `(SELECT json_group_array(value) FROM json_each('${JSON.stringify(SUITED)}') WHERE ${row}.detail ->> ('$.suitable_for_' || value))`,
};

/** The register's data about a company, under the names that lists use. */
const REGISTER_VIEW: Readonly<Record<string, ValueSql>> = {
  register_status: column('status'),
  has_left: column('gone'),
  incorporated: column('incorporated'),
  register_postcode: column('postcode'),
  accounts: (row) => `(${row}.record ->> '$.accounts.category')`,
  sic: (row) => `(${row}.record -> '$.sic_codes')`,
};
const REGISTER_FIELDS: Readonly<Record<string, ValueSql>> = {
  name: column('name'),
  status: (row) => `${row}.status || ${row}.gone`,
  locality: column('locality'),
  region: column('postcode'),
  incorporated: column('incorporated'),
  is_sme: (row) => `(${row}.record ->> '$.accounts.category')`,
  sic_codes: (row) => `(${row}.record -> '$.sic_codes')`,
};
const OWN_COMPANY_VIEW: Readonly<Record<string, ViewValue>> = {
  ...columns('postcode', 'is_sme'),
  won: { from: 'contract_count', sql: (row) => `(${row}.contract_count > 0)` },
};
/** The same values for a supplier's row in the register. */
const ofRegister = (sql: ValueSql): ViewValue => ({
  from: 'company_number',
  sql: (row) => `(SELECT ${sql('r')} FROM registered_company r WHERE r.company_number = ${row}.company_number)`,
});

/** How the rows of each kind are compared. A view has the columns of the table, and values from its JSON. */
export const LOGGED_KINDS: Readonly<Record<ChangeKind, LoggedKind>> = {
  notice: {
    fields: {
      ...fields('stage', 'notice_type', 'title', 'description', 'buyer_id', 'buyer', 'published', 'published_at'),
      ...fields('deadline', 'deadline_at', 'value', 'currency', 'value_basis'),
      cpv: ['cpvs'],
      region: ['regions'],
      ...fields('nation', 'buyer_kind', 'status', 'url', 'is_tender', 'copy_of'),
      ...fields('also_on'),
      detail: ['detail', 'joint_buyer_ids'],
    },
    view: {
      ...columns('buyer_id', 'value', 'currency', 'published', 'source', 'notice_type', 'stage', 'deadline'),
      ...columns('deadline_at', 'status', 'is_tender', 'nation', 'buyer_kind', 'copy_of'),
      ...list('cpvs'),
      ...list('regions'),
      ...list('also_on'),
      ...list('joint_buyer_ids'),
      suitable_for: suitedInDetail,
      special_regimes: inDetail('special_regimes'),
      reserved_for: inDetail('reserved_for'),
      direct_award_grounds: inDetail('direct_award_grounds'),
      above_threshold: { from: 'detail', sql: (row) => `(${row}.detail ->> '$.above_threshold')` },
      tender_expected: { from: 'detail', sql: (row) => `(${row}.detail ->> '$.dates.tender_expected')` },
    },
  },
  contract: {
    fields: {
      ...fields('notice_id', 'title', 'buyer_id', 'buyer', 'buyer_kind'),
      supplier: ['supplier'],
      suppliers: ['suppliers'],
      ...fields('value', 'currency', 'value_basis', 'value_class', 'awarded', 'signed', 'starts', 'ends', 'status'),
      dated: ['sort_date'],
      ...fields(
        'cpv',
        'region',
        'nation',
        'url',
        'framework_id',
        'framework_role',
        'ends_latest',
        'ends_basis',
        'procedure',
      ),
      bids: ['bids_received', 'bids_from_smes'],
      ...fields('sme', 'also_on', 'detail'),
    },
    view: {
      ...columns('buyer_id', 'value', 'currency', 'value_class', 'sort_date', 'starts', 'ends', 'status', 'procedure'),
      ...columns('bids_received', 'sme', 'framework_id', 'source', 'nation', 'buyer_kind'),
      cpvs: inDetail('cpvs'),
      regions: inDetail('regions'),
      ...list('also_on'),
      vcse: { from: 'suppliers', sql: (row) => vcseSql(`${row}.suppliers`) },
      standstill_until: { from: 'detail', sql: (row) => `(${row}.detail ->> '$.standstill_until')` },
      direct_award_grounds: inDetail('direct_award_grounds'),
      company_ids: {
        from: 'suppliers',
        sql: (row) => `(SELECT json_group_array(value ->> '$.company_id') FROM json_each(${row}.suppliers))`,
      },
    },
  },
  company: {
    fields: {
      ...fields('name', 'company_number', 'is_sme', 'locality'),
      region: ['postcode'],
      ...fields('contract_count', 'framework_places', 'totals', 'detail'),
    },
    view: {
      ...OWN_COMPANY_VIEW,
      ...Object.fromEntries(Object.entries(REGISTER_VIEW).map(([name, sql]) => [name, ofRegister(sql)])),
    },
  },
  buyer: {
    fields: fields(
      'name',
      'region',
      'region_code',
      'nation',
      'kind',
      'contract_count',
      'framework_places',
      'totals',
      'detail',
    ),
    view: {
      ...columns('kind', 'region', 'region_code', 'nation'),
      scope: { from: 'detail', sql: (row) => `(${row}.detail ->> '$.scope')` },
    },
  },
  framework: {
    fields: fields(
      'notice_id',
      'title',
      'kind',
      'buyer_id',
      'buyer',
      'buyer_kind',
      'starts',
      'ends',
      'ceiling',
      'currency',
      'cpv',
      'region',
      'nation',
      'url',
      'published',
      'copy_of',
      'also_on',
      'lots',
      'detail',
    ),
    view: {
      ...columns(
        'buyer_id',
        'kind',
        'ends',
        'ceiling',
        'currency',
        'published',
        'source',
        'nation',
        'buyer_kind',
        'copy_of',
      ),
      joint_buyer_ids: inDetail('joint_buyer_ids'),
      cpvs: inDetail('cpvs'),
      regions: inDetail('regions'),
      ...list('also_on'),
    },
  },
};

/** A supplier before its row of the register changed from `old`; `c` is the supplier. */
export function registeredView(old: string | null): string {
  const own = Object.entries(OWN_COMPANY_VIEW).map(([name, { sql }]) => `'${name}', ${sql('c')}`);
  const registered = Object.entries(REGISTER_VIEW).map(([name, sql]) => `'${name}', ${old ? sql(old) : 'NULL'}`);
  return `json_object(${[...own, ...registered].join(', ')})`;
}

/** Names of the changed fields between two rows of the register; `register` where lists show none of them. */
export function registeredFields(old: string, now: string): string {
  const names = Object.entries(REGISTER_FIELDS).map(
    ([name, sql]) => `iif(${sql(old)} IS NOT ${sql(now)}, '${name} ', '')`,
  );
  return `trim(${names.join(' || ')} || 'register')`;
}

/** Whether a value that filters read differs between two rows of the register. */
export function registeredViewDiffers(old: string, now: string): string {
  return Object.values(REGISTER_VIEW)
    .map((sql) => `${sql(old)} IS NOT ${sql(now)}`)
    .join(' OR ');
}
