import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import { CONTRACT_VALUE, vcseSql } from '../../../schema/catalogue/enums.ts';
import { OVER_STATUSES_SQL } from '../../../schema/catalogue/live.ts';
import { addDays, isoInstant, londonDate } from '../../../schema/config/clocks.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { allRowsOf } from '../../../search/filters/listed.ts';
import { BOUND_ROWS, rowOf, wantedBound } from '../../../search/filters/read.ts';
import type { AnyFilterRow, BoundRow, ExactRow, FlagRow, PrefixRow } from '../../../search/filters/row.ts';
import { splitList } from '../../../search/filters/shapes.ts';
import { InvalidInput } from '../../contract/errors.ts';
import { type Condition, type KeyQuery, ORDERED_BY, type RowDataset } from '../../reads/export-rows/keys.ts';
import { findValue } from '../../validation/words.ts';
import type { GivenFilters } from '../filters/apply.ts';

type FilterName = keyof SearchFilters;
type FilterValue = string | number | boolean | readonly string[];

/** Refuses a filter that the dataset does not take, and a value of another dataset's filter. @throws InvalidInput with the accepted ones. */
export function checkDatasetFilters(dataset: ExportDataset, filters: GivenFilters): void {
  const rows: readonly AnyFilterRow[] = allRowsOf(dataset);
  const known = rows.map(({ name }) => name);
  const faults = Object.entries(filters)
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name, input]) => {
      const meant = rows.find(({ aliases }) => aliases.includes(name))?.name;
      const hint = meant ? `did you mean '${meant}'?` : `they take ${[...known, 'query'].join(', ')}`;
      return { path: [name], msg: `${dataset} have no filter ${name}; ${hint}`, type: 'extra_forbidden', input };
    });
  if (faults.length > 0) throw new InvalidInput(...faults);
  if (filters.status !== undefined) checkStatus(dataset, filters.status);
}

/** The words of a status differ by dataset; companies take several. */
function checkStatus(dataset: ExportDataset, given: string): void {
  const row = allRowsOf(dataset).find(({ name }) => name === 'status');
  const choices = row?.choices ?? [];
  const values = row?.several ? splitList(given) : [given];
  const wrong = values.find((value) => !choices.includes(value));
  if (wrong === undefined && values.length > 0) return;
  const expected = choices.map((one) => `'${one}'`).join(', ');
  const meant = wrong && findValue(wrong, choices);
  const msg = `Input should be one of ${expected}${meant ? `; did you mean '${meant}'?` : ''}`;
  throw new InvalidInput({ path: ['status'], msg, type: 'literal_error', input: given, ctx: { expected } });
}

/** As in the tender search. */
const OPEN = `deadline_at > ? AND status NOT IN (${OVER_STATUSES_SQL})`;

/** Where a filter's field is read in the table of a dataset; by default, a column with the same name. */
interface Columns extends Partial<Record<ExactRow['field'] | BoundRow['field'] | FlagRow['field'], string>> {
  cpvs: string;
  regions: string;
}

/** A copy on another service counts with its original, which is found under either service. */
const SOURCES = 'source = ? OR (also_on IS NOT NULL AND ? IN (SELECT value FROM json_each(also_on)))';
/** Any of several buyers finds a notice; each part is read from an index. */
const ANY_BUYER = `buyer_id = ? OR rowid IN (
  SELECT n.rowid FROM notice AS n INDEXED BY notice_joint CROSS JOIN json_each(n.joint_buyer_ids) AS j
  WHERE n.joint_buyer_ids IS NOT NULL AND j.value = ?)`;
const GROUNDS = "EXISTS (SELECT 1 FROM json_each(detail, '$.direct_award_grounds') WHERE value = ?)";
const NOTICE: Columns = {
  buyer_id: ANY_BUYER,
  sources: SOURCES,
  cpvs: 'json_each(cpvs)',
  regions: 'json_each(regions)',
  suitable_for: "detail ->> ('$.suitable_for_' || ?)",
  special_regimes: "EXISTS (SELECT 1 FROM json_each(detail, '$.special_regimes') WHERE value = ?)",
  reserved_for: "EXISTS (SELECT 1 FROM json_each(detail, '$.reserved_for') WHERE value = ?)",
  direct_award_grounds: GROUNDS,
  above_threshold: "detail ->> '$.above_threshold'",
  tender_expected: "detail ->> '$.dates.tender_expected'",
};
const LISTS_IN_DETAIL = { cpvs: "json_each(detail, '$.cpvs')", regions: "json_each(detail, '$.regions')" };
const COLUMNS: Record<RowDataset, Columns> = {
  notices: NOTICE,
  tenders: NOTICE,
  contracts: {
    sources: SOURCES,
    dated: 'sort_date',
    value: CONTRACT_VALUE,
    bids: 'bids_received',
    company_ids: 'id IN (SELECT contract_id FROM contract_supplier WHERE company_id = ?)',
    vcse: vcseSql('suppliers'),
    standstill_until: "detail ->> '$.standstill_until'",
    direct_award_grounds: GROUNDS,
    ...LISTS_IN_DETAIL,
  },
  frameworks: {
    buyer_id: "buyer_id = ? OR EXISTS (SELECT 1 FROM json_each(detail, '$.joint_buyer_ids') WHERE value = ?)",
    sources: SOURCES,
    value: 'ceiling',
    framework_kind: 'kind',
    ...LISTS_IN_DETAIL,
  },
};

/** Conditions on every row, as in the searches: a copy is found through its original. */
const ALWAYS: Partial<Record<RowDataset, readonly string[]>> = {
  notices: ['copy_of IS NULL'],
  tenders: ['is_tender = 1'],
  frameworks: [
    'copy_of IS NULL',
    `NOT EXISTS (SELECT 1 FROM notice AS n WHERE n.notice_id = framework.notice_id
      AND n.process_id = framework.process_id AND n.copy_of IS NOT NULL)`,
  ],
};

/** The query for the keys of a dataset's rows, by filters that apply as in the searches. */
export function makeKeyQuery(dataset: RowDataset, filters: SearchFilters, now: Date): KeyQuery {
  const conditions: Condition[] = (ALWAYS[dataset] ?? []).map((sql) => ({ sql, args: [] }));
  for (const [name, value] of Object.entries(filters) as [FilterName, FilterValue][]) {
    conditions.push(conditionOf(dataset, name, value, now));
  }
  return { dataset, conditions, bounds: boundsOf(dataset, filters) };
}

function conditionOf(dataset: RowDataset, name: FilterName, value: FilterValue, now: Date): Condition {
  const columns = COLUMNS[dataset];
  const row = rowOf(name, dataset);
  if (!row) throw new Error(`no filter of ${dataset} is named ${name}`);
  if (row.kind === 'clock') {
    return dataset === 'contracts' ? contractStatusCondition(String(value), now) : statusCondition(String(value), now);
  }
  if (row.kind === 'flag') return { sql: `${columns[row.field] ?? row.field} = ?`, args: [Number(value === true)] };
  const values = typeof value === 'object' ? value : [value];
  if (row.kind === 'exact') return exactCondition(columns[row.field] ?? row.field, values.map(String));
  if (row.kind === 'prefix') return codeCondition(row, values.map(String), columns);
  return boundCondition(row, typeof value === 'number' ? value : String(value), columns);
}

function boundCondition({ field, comparison }: BoundRow, value: string | number, columns: Columns): Condition {
  const sql = `${columns[field] ?? field} ${comparison} ?`;
  return { sql: field === 'value' ? `currency = 'GBP' AND ${sql}` : sql, args: [value] };
}

/** One of several values is enough. `?` marks the place of the value in a comparison of its own, once or several times. */
function exactCondition(column: string, values: readonly string[]): Condition {
  const one = column.includes('?') ? column : `${column} = ?`;
  const places = one.split('?').length - 1;
  return {
    sql: values.length === 1 ? one : values.map(() => `(${one})`).join(' OR '),
    args: values.flatMap((value) => Array.from({ length: places }, () => value)),
  };
}

/** A code stands for everything that begins with it. Places are objects with a code and a name; either finds them. */
function codeCondition({ names, field }: PrefixRow, values: readonly string[], columns: Columns): Condition {
  const any = (condition: string) => values.map(() => `(${condition})`).join(' OR ');
  if (!names) {
    const sql = `EXISTS (SELECT 1 FROM ${columns[field]} AS c WHERE ${any('c.value LIKE ?')})`;
    return { sql, args: values.map((branch) => `${branch}%`) };
  }
  const either = any("lower(r.value ->> 'name') = ? OR lower(r.value ->> 'code') LIKE ?");
  const texts = values.map((region) => region.toLowerCase());
  return {
    sql: `EXISTS (SELECT 1 FROM ${columns[field]} AS r WHERE ${either})`,
    args: texts.flatMap((text) => [text, `${text}%`]),
  };
}

function statusCondition(status: string, now: Date): Condition {
  const args = [isoInstant(now)];
  if (status === 'open') return { sql: OPEN, args };
  return status === 'closed' ? { sql: `NOT coalesce(${OPEN}, 0)`, args } : { sql: '1', args: [] };
}

/** The state of a contract on the London day of `now`, as in `contractStatusNow`. */
function contractStatusCondition(status: string, now: Date): Condition {
  if (status === 'any') return { sql: '1', args: [] };
  if (status === 'terminated') return { sql: "status = 'terminated'", args: [] };
  const sql = `status <> 'terminated' AND ends ${status === 'active' ? '>=' : '<'} ?`;
  return { sql, args: [londonDate(now)] };
}

/** A bound on the day that orders the rows. A notice's London date is the UTC date of its instant or, in summer, the day after. */
function boundsOf(dataset: RowDataset, filters: SearchFilters): Condition[] {
  const { at } = ORDERED_BY[dataset];
  return BOUND_ROWS.filter(({ field }) => field === 'published' || field === 'dated').flatMap((row) => {
    const day = wantedBound(filters, row);
    if (day === undefined) return [];
    return [
      { sql: `${at} ${row.comparison} ?`, args: [row.comparison === '>=' ? addDays(String(day), -1) : `${day}T~`] },
    ];
  });
}
