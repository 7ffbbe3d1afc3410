import type { Database, SqlValue } from '../../db/interface.ts';
import { LOGGED_KINDS } from './kinds.ts';
import type { OwnerKind } from './owners.ts';
import type { FilterView } from './read.ts';

/** A buyer or supplier, and the last `seq` of the log before what is asked of it. */
export interface AskedOwner {
  id: string;
  after: number;
}

/** A condition on contracts `c`, as SQL. */
export interface ContractCondition {
  sql: string;
  args: readonly SqlValue[];
}

const NOT_SINCE = 'c.gone = 0 AND +c.seq <= asked.value ->> 1';
const HAS: Readonly<Record<OwnerKind, (condition: string) => string>> = {
  buyer: (condition) =>
    `SELECT 1 FROM contract c WHERE c.buyer_id = asked.value ->> 0 AND ${NOT_SINCE} AND ${condition}`,
  company: (condition) => `SELECT 1 FROM contract_supplier s CROSS JOIN contract c ON c.id = s.contract_id
    WHERE s.company_id = asked.value ->> 0 AND ${NOT_SINCE} AND ${condition}`,
};

/** The ids of those that have a contract which meets a condition and did not change since. */
export async function readMatchingOwners(
  catalogue: Database,
  kind: OwnerKind,
  asked: readonly AskedOwner[],
  { sql: condition, args }: ContractCondition,
): Promise<Set<string>> {
  const sql = `SELECT asked.value ->> 0 AS id FROM json_each(?) asked WHERE EXISTS (${HAS[kind](condition)})`;
  const rows = await catalogue.read<{ id: string }>({ sql, args: [pairsOf(asked), ...args] });
  return new Set(rows.map(({ id }) => id));
}

/** An entry of a contract: when it was new, or what filters read of it before. */
interface ContractEntry {
  seq: number;
  isNew: boolean;
  former: FilterView | null;
}

/** A contract that changed, with what the log says of it since. */
interface ChangedContract {
  seq: number;
  gone: number;
  view: FilterView;
  entries: ContractEntry[];
}

/** An owner's sum in pounds, as in its row, and every contract that changed since: those that it has, and those that it had. */
export interface OwnerChanges {
  pounds: number | null;
  contracts: ChangedContract[];
}

const SINCE: Readonly<Record<OwnerKind, string>> = {
  buyer: 'SELECT c.id FROM contract c WHERE c.buyer_id = asked.value ->> 0 AND +c.seq > asked.value ->> 1',
  company: `SELECT c.id FROM contract_supplier s CROSS JOIN contract c ON c.id = s.contract_id
    WHERE s.company_id = asked.value ->> 0 AND +c.seq > asked.value ->> 1`,
};
const READ = ['company_ids', 'buyer_id', 'cpvs', 'sort_date', 'value', 'currency', 'value_class'];
const VIEW = READ.map((name) => `'${name}', ${LOGGED_KINDS.contract.view[name]?.sql('c')}`).join(', ');
const ENTRIES = `SELECT seq, change = 'new' AS is_new, former FROM change
    WHERE kind = 'contract' AND id = c.id AND former IS NOT NULL AND seq > asked.value ->> 1
  UNION ALL SELECT seq, 1, NULL FROM change INDEXED BY change_of_new_contract
    WHERE kind = 'contract' AND change = 'new' AND id = c.id AND former IS NULL AND seq > asked.value ->> 1`;
const changesSql = (kind: OwnerKind) => `SELECT asked.value ->> 0 AS id,
  (SELECT totals ->> '$.sum.GBP.value' FROM ${kind} WHERE id = asked.value ->> 0) AS pounds,
  (SELECT json_group_array(json_object('seq', c.seq, 'gone', c.gone, 'view', json_object(${VIEW}), 'entries',
      (SELECT json_group_array(json_object('seq', seq, 'isNew', json(iif(is_new, 'true', 'false')), 'former', json(former)))
        FROM (SELECT * FROM (${ENTRIES}) ORDER BY seq))))
    FROM contract c WHERE c.id IN (${SINCE[kind]} UNION SELECT contract_id FROM lost_contract
      WHERE kind = '${kind}' AND owner_id = asked.value ->> 0 AND seq > asked.value ->> 1)) AS contracts
  FROM json_each(?) asked`;

/** What changed of the contracts of each of these, by id. */
export async function readOwnerChanges(
  catalogue: Database,
  kind: OwnerKind,
  asked: readonly AskedOwner[],
): Promise<Map<string, OwnerChanges>> {
  const rows = await catalogue.read<{ id: string; pounds: number | null; contracts: string }>({
    sql: changesSql(kind),
    args: [pairsOf(asked)],
  });
  return new Map(
    rows.map(({ id, pounds, contracts }) => [id, { pounds, contracts: JSON.parse(contracts) as ChangedContract[] }]),
  );
}

/** What filters read of a contract when everything up to a `seq` was visible; null where there was none, or it is not known. */
export function viewAt({ seq, gone, view, entries }: ChangedContract, at: number): FilterView | null | 'unknown' {
  if (seq <= at) return gone === 1 ? null : view;
  const next = entries.find((entry) => entry.seq > at);
  if (next?.isNew) return null;
  return next ? (next.former ?? 'unknown') : view;
}

/** What was visible before a `seq` was, and with it: the last of each, as several become visible at once after a rebuild. */
interface Step {
  before: number;
  with: number;
}

const STEPS = `SELECT asked.value AS seq, coalesce((SELECT max(seq) FROM change_instant WHERE seq < asked.value), 0) AS before,
  coalesce((SELECT min(seq) FROM change_instant WHERE seq >= asked.value), asked.value) AS "with" FROM json_each(?) asked`;

/** The steps of these, by `seq`. */
export async function readSteps(catalogue: Database, seqs: ReadonlySet<number>): Promise<Map<number, Step>> {
  const rows = await catalogue.read<Step & { seq: number }>({ sql: STEPS, args: [JSON.stringify([...seqs])] });
  return new Map(rows.map(({ seq, ...step }) => [seq, step]));
}

const countsSql = (kind: OwnerKind) => `SELECT id, contract_count + framework_places AS contracts FROM ${kind}
  WHERE id IN (SELECT value FROM json_each(?))`;

/** How many contracts each of these has; one without a row is absent. */
export async function countOwned(
  catalogue: Database,
  kind: OwnerKind,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await catalogue.read<{ id: string; contracts: number }>({
    sql: countsSql(kind),
    args: [JSON.stringify(ids)],
  });
  return new Map(rows.map(({ id, contracts }) => [id, contracts]));
}

function pairsOf(asked: readonly AskedOwner[]): string {
  return JSON.stringify(asked.map(({ id, after }) => [id, after]));
}
