import { and, asc, eq, sql } from 'drizzle-orm';
import { buyer, company, registeredCompany } from '../../schema/catalogue/parties.ts';
import type { Database } from '../../schema/database.ts';
import { compileQuery, select } from '../../schema/query.ts';
import { readRows } from './rows.ts';

export interface NamedRow {
  id: string;
  name: string;
}

const companies = compileQuery(
  select
    .select({ id: company.id, name: company.name })
    .from(company)
    .where(and(eq(company.name_key, sql.placeholder('key')), eq(company.gone, 0)))
    .orderBy(asc(company.name_key))
    .limit(6),
);
const registered = compileQuery(
  select
    .select({ id: sql<string>`${registeredCompany.company_number}`.as('id'), name: registeredCompany.name })
    .from(registeredCompany)
    .where(eq(registeredCompany.name_key, sql.placeholder('key')))
    .orderBy(asc(registeredCompany.name_key))
    .limit(6),
);
const buyers = compileQuery(
  select
    .select({ id: buyer.id, name: buyer.name })
    .from(buyer)
    .where(and(eq(buyer.name_key, sql.placeholder('key')), eq(buyer.gone, 0)))
    .orderBy(asc(buyer.name_key))
    .limit(6),
);

/** Companies whose cleaned name is exactly this: suppliers first, then the register. */
export async function readCompaniesNamed(catalogue: Database, key: string): Promise<NamedRow[]> {
  return [...(await readRows(catalogue, companies, { key })), ...(await readRows(catalogue, registered, { key }))];
}

/** Buyers whose cleaned name is exactly this. */
export function readBuyersNamed(catalogue: Database, key: string): Promise<NamedRow[]> {
  return readRows(catalogue, buyers, { key });
}
