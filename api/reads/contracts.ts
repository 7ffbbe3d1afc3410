import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { contract, contractSupplier } from '../../schema/catalogue/tables/procurement.ts';
import type { Database } from '../../schema/db/interface.ts';
import { compileQuery, readRow, readRows, select } from '../../schema/db/query.ts';

/** Sorts after every date and every id: where a list that runs backwards begins. */
export const LIST_START: Position = { date: '~', id: '~' };

/** The position in a list: the sort date and id of the last row given. */
export interface Position {
  date: string;
  id: string;
}

export type ContractRow = typeof contract.$inferSelect;

const contractById = compileQuery(
  select
    .select()
    .from(contract)
    .where(and(eq(contract.id, sql.placeholder('id')), eq(contract.gone, 0))),
);
const contractsOfProcess = compileQuery(
  select
    .select()
    .from(contract)
    .where(and(eq(contract.process_id, sql.placeholder('processId')), eq(contract.gone, 0)))
    .orderBy(asc(contract.award_id)),
);
const contractsOfOcid = compileQuery(
  select
    .select()
    .from(contract)
    .where(and(eq(contract.ocid, sql.placeholder('ocid')), eq(contract.gone, 0))),
);
const contractsOfCompany = compileQuery(
  select
    .select(getTableColumns(contract))
    .from(contractSupplier)
    .innerJoin(contract, and(eq(contract.id, contractSupplier.contract_id), eq(contract.gone, 0)))
    .where(
      and(
        eq(contractSupplier.company_id, sql.placeholder('companyId')),
        sql`(${contractSupplier.sort_date}, ${contractSupplier.contract_id}) < (${sql.placeholder('date')}, ${sql.placeholder('id')})`,
      ),
    )
    .orderBy(desc(contractSupplier.sort_date), desc(contractSupplier.contract_id))
    .limit(sql.placeholder('limit')),
);
const contractsOfBuyer = compileQuery(
  select
    .select()
    .from(contract)
    .where(
      and(
        eq(contract.buyer_id, sql.placeholder('buyerId')),
        eq(contract.gone, 0),
        sql`(${contract.sort_date}, ${contract.id}) < (${sql.placeholder('date')}, ${sql.placeholder('id')})`,
      ),
    )
    .orderBy(desc(contract.sort_date), desc(contract.id))
    .limit(sql.placeholder('limit')),
);
/** In the words of the index that holds call-offs alone. */
const IS_CALL_OFF = sql`framework_role = 'call_off' AND gone = 0`;
const callOffs = compileQuery(
  select
    .select()
    .from(contract)
    .where(
      and(
        eq(contract.framework_id, sql.placeholder('frameworkId')),
        IS_CALL_OFF,
        sql`(${contract.sort_date}, ${contract.id}) < (${sql.placeholder('date')}, ${sql.placeholder('id')})`,
      ),
    )
    .orderBy(desc(contract.sort_date), desc(contract.id))
    .limit(sql.placeholder('limit')),
);
const callOffCount = compileQuery(
  select
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(contract)
    .where(and(eq(contract.framework_id, sql.placeholder('frameworkId')), IS_CALL_OFF)),
);

/** The contract with this id, unless it has gone. */
export function readContract(catalogue: Database, id: string): Promise<ContractRow | undefined> {
  return readRow(catalogue, contractById, { id });
}

/** Every award of one process. */
export function readContractsOfProcess(catalogue: Database, processId: string): Promise<ContractRow[]> {
  return readRows(catalogue, contractsOfProcess, { processId });
}

/** Contracts of every process of an ocid (lower case). */
export function readContractsOfOcid(catalogue: Database, ocid: string): Promise<ContractRow[]> {
  return readRows(catalogue, contractsOfOcid, { ocid });
}

/** Contracts a company won, newest first, after a position. */
export function readContractsOfCompany(
  catalogue: Database,
  companyId: string,
  after: Position,
  limit: number,
): Promise<ContractRow[]> {
  return readRows(catalogue, contractsOfCompany, { companyId, ...after, limit });
}

/** Contracts a buyer issued, newest first, after a position. */
export function readContractsOfBuyer(
  catalogue: Database,
  buyerId: string,
  after: Position,
  limit: number,
): Promise<ContractRow[]> {
  return readRows(catalogue, contractsOfBuyer, { buyerId, ...after, limit });
}

/** Call-offs of a framework, newest first, after a position. */
export function readCallOffs(
  catalogue: Database,
  frameworkId: string,
  after: Position,
  limit: number,
): Promise<ContractRow[]> {
  return readRows(catalogue, callOffs, { frameworkId, ...after, limit });
}

/** How many call-offs a framework has: counted in an index of call-offs alone. */
export async function countCallOffs(catalogue: Database, frameworkId: string): Promise<number> {
  return (await readRow(catalogue, callOffCount, { frameworkId }))?.count ?? 0;
}
