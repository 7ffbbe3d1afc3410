import { type ChangeKind, LOGGED_KINDS } from '../../schema/catalogue/changes/kinds.ts';
import type { RowCondition } from '../../schema/catalogue/changes/read.ts';
import type { SqlValue } from '../../schema/db/interface.ts';
import { wantedBound, wantedValues } from '../filters/read.ts';
import { type ChangeFilters, filterRowsOf, type LastingRow } from './match.ts';

type Fields = Partial<Record<string, string>>;
const same = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, name]));

/** What is compared, by the field of the filter: the name of one value of those that filters read of a row. */
const COMPARED: Readonly<Partial<Record<ChangeKind, Fields>>> = {
  notice: same('buyer_id', 'nation', 'stage', 'notice_type', 'value', 'published', 'deadline', 'cpvs', 'regions'),
  contract: {
    ...same('buyer_id', 'nation', 'framework_id', 'procedure', 'value', 'starts', 'ends', 'cpvs', 'regions'),
    ...{ dated: 'sort_date', bids: 'bids_received', sources: 'source' },
  },
  framework: { ...same('buyer_id', 'nation', 'published'), sources: 'source', value: 'ceiling' },
  buyer: same('nation', 'kind'),
};

/**
 * A condition that every row meets that the filters want, and few others do: `matchesFilters` judges what passes. It saves
 * reading whole rows that nobody wants. Undefined where SQL cannot tell.
 */
export function wantedRows(kind: ChangeKind, filters: ChangeFilters): RowCondition | undefined {
  if (kind === 'company') return undefined;
  const parts = filterRowsOf(kind).flatMap((row) => {
    const name = COMPARED[kind]?.[row.field];
    const part = name === undefined ? undefined : conditionOf(row, filters);
    return name === undefined || !part ? [] : [{ ...part, name, isList: row.kind === 'prefix' }];
  });
  if (parts.length === 0) return undefined;
  const joined = (sqlOf: (part: { name: string; isList: boolean }) => string) =>
    parts.map((part) => part.sql(sqlOf(part))).join(' AND ');
  return {
    ofRow: joined(({ name }) => ofRow(kind, name)),
    ofFormer: (former) => joined(({ name, isList }) => `(${former} ${isList ? '->' : '->>'} '$.${name}')`),
    args: parts.flatMap(({ args }) => args),
  };
}

/** A value of the row `n`. A column is compared as it is: one that is a list is JSON already. */
function ofRow(kind: ChangeKind, name: string): string {
  const { from, sql } = LOGGED_KINDS[kind].view[name] ?? { from: name, sql: (row) => `${row}.${name}` };
  return from === name ? `n.${name}` : sql('n');
}

/** A condition over one value, as SQL that is made from that of the value. */
interface Condition {
  sql(value: string): string;
  args: SqlValue[];
}

function conditionOf(row: LastingRow, filters: ChangeFilters): Condition | undefined {
  if (row.kind === 'range' || row.kind === 'date') {
    const bound = wantedBound(filters, row);
    return bound === undefined ? undefined : { sql: (value) => `${value} ${row.comparison} ?`, args: [bound] };
  }
  const values = wantedValues(filters, row);
  if (values === undefined) return undefined;
  if (row.kind === 'prefix') return holdsCode(row, values);
  return { sql: (value) => `${value} IN (SELECT value FROM json_each(?))`, args: [JSON.stringify(values)] };
}

/** Names of letters that SQL lower-cases as JavaScript does, and that JSON does not escape. */
const PLAIN = /^[\w .,'()&-]*$/;

/** Whether a list has a code that begins so, or a name: both follow a quotation mark. */
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
