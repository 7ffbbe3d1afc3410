import type { SupplierDetail, ValueClass } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { IdentityKind } from '../../party/sighting.ts';
import type { Row } from '../../rows/versioned.ts';
import type { CountedContract } from './totals.ts';

/** A buyer or supplier of a contract, as that contract spells its name. */
type Named = CountedContract['others'][number];

/** A contract as the totals of its buyer and of its suppliers count it. */
export interface CountedAward extends Omit<CountedContract, 'others'> {
  /** One, or none where the buyer is not known. */
  buyers: Named[];
  suppliers: Named[];
}

/** What a batch does to contracts. One that only gets another framework title is on both sides. */
export interface AwardChanges {
  /** Contracts that change or go, as they are stored. */
  before: CountedAward[];
  /** Contracts that come or change, as they will stand. */
  after: CountedAward[];
}

interface ContractColumns {
  buyer_id: string | null;
  buyer: string | null;
  value: number | null;
  currency: string | null;
  value_class: ValueClass;
  sort_date: string;
  notice_id: string;
  framework_id: string | null;
  framework_role: string | null;
  suppliers: string;
}

const STORED = `SELECT id, buyer_id, buyer, value, currency, value_class, sort_date, notice_id, framework_id, framework_role, suppliers
FROM contract WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0`;

/** The contracts among the rows that a batch compiled. */
export function awardsAmong(rows: readonly Row[]): CountedAward[] {
  return rows.flatMap(({ table, id, columns }) =>
    table === 'contract' ? [readAward(id, columns as unknown as ContractColumns)] : [],
  );
}

function readAward(id: string, columns: ContractColumns): CountedAward {
  const { buyer_id, value, currency, value_class: valueClass, sort_date: sortDate, notice_id: noticeId } = columns;
  const suppliers = JSON.parse(columns.suppliers) as SupplierDetail[];
  return {
    id,
    value,
    currency,
    valueClass,
    sortDate,
    noticeId,
    framework: columns.framework_role === 'establishes' ? columns.framework_id : null,
    buyers: buyer_id ? [{ id: buyer_id, name: columns.buyer ?? buyer_id }] : [],
    suppliers: suppliers.map(({ company_id, name }) => ({ id: company_id, name })),
  };
}

/**
 * The contracts that a batch changes, before and after it.
 * @param awards all contracts of the processes that it compiled
 * @param changed `table id` of every row that changes or goes
 */
export async function readAwardChanges(
  catalogue: Database,
  awards: readonly CountedAward[],
  changed: ReadonlySet<string>,
): Promise<AwardChanges> {
  const after = awards.filter(
    ({ id, framework }) =>
      changed.has(`contract ${id}`) || (framework !== null && changed.has(`framework ${framework}`)),
  );
  const keys = [...changed].flatMap((key) => (key.startsWith('contract ') ? key.slice('contract '.length) : []));
  const ids = [...new Set([...keys, ...after.map(({ id }) => id)])];
  return { before: ids.length === 0 ? [] : await readAwards(catalogue, ids), after };
}

/** The stored contracts of these ids, without those that are gone. */
export async function readAwards(catalogue: Database, ids: readonly string[]): Promise<CountedAward[]> {
  const rows = await catalogue.read<ContractColumns & { id: string }>({ sql: STORED, args: [JSON.stringify(ids)] });
  return rows.map(({ id, ...columns }) => readAward(id, columns));
}

/** Contracts of each buyer, or of each company, as its totals count them. */
export function groupByOwner(kind: IdentityKind, awards: readonly CountedAward[]): Map<string, CountedContract[]> {
  const found = new Map<string, CountedContract[]>();
  for (const { buyers, suppliers, ...award } of awards) {
    const [owners, others] = kind === 'company' ? [suppliers, buyers] : [buyers, suppliers];
    const contract = { ...award, others };
    for (const { id: owner } of owners) {
      const known = found.get(owner);
      if (known) known.push(contract);
      else found.set(owner, [contract]);
    }
  }
  return found;
}
