/** The kinds of row that own contracts. Filters may match an owner by its contracts, so a change of these may be a change of the owner. */
export const OWNER_KINDS = ['buyer', 'company'] as const;
export type OwnerKind = (typeof OWNER_KINDS)[number];

/** Named as the changed field of an owner whose contracts alone changed. */
export const CONTRACTS = 'contracts';

/** The ids of a contract's owners, as a JSON list in SQL. */
const OWNERS: Readonly<Record<OwnerKind, (contract: string) => string>> = {
  buyer: (contract) => `iif(${contract}.buyer_id IS NULL, '[]', json_array(${contract}.buyer_id))`,
  company: (contract) => `(SELECT json_group_array(value ->> '$.company_id') FROM json_each(${contract}.suppliers))`,
};

/** What was before, and what is now: names of rows in SQL. */
export interface Rows {
  old: string;
  now: string;
}

/** SQL that lists the owners of a contract, before and now. @param from - where its rows are from; absent in a trigger */
export function ownersSql(kind: OwnerKind, { old, now }: Rows, from = ''): string {
  const list = `json_array(json(${OWNERS[kind](old)}), json(${OWNERS[kind](now)}))`;
  return `SELECT owner.value FROM ${from} json_each(${list}) side, json_each(side.value) owner`;
}

/**
 * Whether a change of a contract concerns its owners: one of them lost it, or its codes or its day differ. A new contract and
 * its value change their own rows anyway.
 */
export function isOwnersNews({ old, now }: Rows): string {
  const differs = (value: (row: string) => string) => `${value(old)} IS NOT ${value(now)}`;
  const within = (column: string, value: (row: string) => string) =>
    `(${differs((row) => `${row}.${column}`)} AND ${differs(value)})`;
  return `${old}.gone = 0 AND (${now}.gone = 1 OR ${differs((row) => `${row}.buyer_id`)}
    OR ${differs((row) => `${row}.sort_date`)} OR ${within('suppliers', OWNERS.company)}
    OR ${within('detail', (row) => `(${row}.detail -> '$.cpvs')`)})`;
}

export const LOST_COLUMNS = 'kind, owner_id, seq, contract_id';

/** SQL that lists those who lost a contract, as rows of `lost_contract`; a condition may follow. @param from - as for `ownersSql` */
export function lostOwnersSql(kind: OwnerKind, { old, now }: Rows, from = ''): string {
  return `SELECT '${kind}', owner.value, ${now}.seq, ${now}.id FROM ${from} json_each(${OWNERS[kind](old)}) owner
    WHERE (${now}.gone = 1 OR owner.value NOT IN (SELECT value FROM json_each(${OWNERS[kind](now)})))`;
}
