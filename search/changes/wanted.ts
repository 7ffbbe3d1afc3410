import { type ChangeKind, LOGGED_KINDS } from '../../schema/catalogue/changes/kinds.ts';
import type { RowCondition } from '../../schema/catalogue/changes/read.ts';
import type { SqlValue } from '../../schema/db/interface.ts';
import { wantedBound, wantedValues } from '../filters/read.ts';
import { type ChangeFilters, filterRowsOf, type LastingRow } from './match.ts';

type Fields = Partial<Record<string, string | readonly string[]>>;
const same = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, name]));

/** Every service that published a row, and every buyer: the main one as text, the others as a list. */
const SOURCES = { sources: ['source', 'also_on'] } as const;
const BUYERS = { buyer_id: ['buyer_id', 'joint_buyer_ids'] } as const;

/** By the field of the filter, the value of a row that is compared. Of a list of values, the texts are searched. */
const COMPARED: Readonly<Partial<Record<ChangeKind, Fields>>> = {
  notice: {
    ...BUYERS,
    ...same('nation', 'buyer_kind', 'stage', 'notice_type', 'value', 'published', 'deadline', 'cpvs', 'regions'),
    ...SOURCES,
    suitable_for: ['suitable_for'],
    special_regimes: ['special_regimes'],
    reserved_for: ['reserved_for'],
    direct_award_grounds: ['direct_award_grounds'],
    ...same('above_threshold', 'tender_expected'),
  },
  contract: {
    ...same(
      'buyer_id',
      'buyer_kind',
      'nation',
      'framework_id',
      'procedure',
      'value',
      'starts',
      'ends',
      'cpvs',
      'regions',
    ),
    dated: 'sort_date',
    bids: 'bids_received',
    ...same('sme', 'vcse'),
    direct_award_grounds: ['direct_award_grounds'],
    standstill_until: 'standstill_until',
    ...SOURCES,
  },
  framework: {
    ...BUYERS,
    ...same('nation', 'buyer_kind', 'published', 'ends', 'cpvs', 'regions'),
    ...SOURCES,
    value: 'ceiling',
    framework_kind: 'kind',
  },
  buyer: same('nation', 'kind'),
};

/** By kind, the part of the filters that SQL can express. */
export function wantedByKind({
  kinds,
  filters,
}: {
  kinds: readonly ChangeKind[];
  filters: ChangeFilters;
}): Partial<Record<ChangeKind, RowCondition>> {
  const conditions = kinds.flatMap((kind) => {
    const condition = wantedRows(kind, filters);
    return condition ? [[kind, condition]] : [];
  });
  return Object.fromEntries(conditions);
}

/**
 * An SQL condition that every matching row meets, and few others; `matchesFilters` then judges the rows that meet it. It saves
 * reading rows that do not match. Undefined where SQL cannot express the filters.
 */
export function wantedRows(kind: ChangeKind, filters: ChangeFilters): RowCondition | undefined {
  if (kind === 'company') return undefined;
  const parts = filterRowsOf(kind).flatMap((row) => {
    const compared = COMPARED[kind]?.[row.field] ?? [];
    const names = [compared].flat();
    const part = names.length === 0 ? undefined : conditionOf(row, filters, Array.isArray(compared));
    return part ? [{ ...part, names, isList: row.kind === 'prefix' }] : [];
  });
  if (parts.length === 0) return undefined;
  const joined = (sqlOf: (name: string, isList: boolean) => string) =>
    parts.map(({ sql, names, isList }) => sql(textOf(names.map((name) => sqlOf(name, isList))))).join(' AND ');
  return {
    ofRow: joined((name) => ofRow(kind, name)),
    ofFormer: (former) => joined((name, isList) => `(${former} ${isList ? '->' : '->>'} '$.${name}')`),
    args: parts.flatMap(({ args }) => args),
  };
}

/** One value as it is; several as their concatenated texts. */
function textOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `(${values.map((one) => `coalesce(${one}, '')`).join(' || ')})`;
}

/** A value of the row `n`. A column is compared as it is: a list is already JSON. */
function ofRow(kind: ChangeKind, name: string): string {
  const { from, sql } = LOGGED_KINDS[kind].view[name] ?? { from: name, sql: (row) => `${row}.${name}` };
  return from === name ? `n.${name}` : sql('n');
}

/** A condition over one value, as SQL around the SQL of the value. */
interface Condition {
  sql(value: string): string;
  args: SqlValue[];
}

/** @param isText whether the filter's values are searched for in a text */
function conditionOf(row: LastingRow, filters: ChangeFilters, isText: boolean): Condition | undefined {
  if (row.kind === 'range' || row.kind === 'date') {
    const bound = wantedBound(filters, row);
    return bound === undefined ? undefined : { sql: (value) => `${value} ${row.comparison} ?`, args: [bound] };
  }
  const values = wantedValues(filters, row);
  if (values === undefined) return undefined;
  if (row.kind === 'prefix') return holdsCode(row, values);
  if (row.kind === 'flag') return { sql: (value) => `${value} = ?`, args: [values.includes('true') ? 1 : 0] };
  if (isText) return { sql: (text) => `(${values.map(() => `instr(${text}, ?)`).join(' OR ')})`, args: [...values] };
  return { sql: (value) => `${value} IN (SELECT value FROM json_each(?))`, args: [JSON.stringify(values)] };
}

/** Names with letters that SQL lower-cases like JavaScript, and that JSON does not escape. */
const PLAIN = /^[\w .,'()&-]*$/;

/** Whether a list has a code with this beginning, or a name: both follow a quotation mark. */
function holdsCode(row: LastingRow & { kind: 'prefix' }, values: readonly string[]): Condition | undefined {
  const named = values.filter((value) => row.names && !row.names.never.test(value));
  if (!named.every((name) => PLAIN.test(name))) return undefined;
  const sql = (list: string) => {
    const codes = values.map(() => `instr(${list}, ?)`);
    const names = named.map(() => `instr(lower(${list}), ?)`);
    return `(${[...codes, ...names].join(' OR ')})`;
  };
  return { sql, args: [...values.map((value) => `"${value}`), ...named.map((name) => `"${name.toLowerCase()}"`)] };
}
