import { and, eq, sql } from 'drizzle-orm';
import { alias, buyer } from '../../schema/catalogue/parties.ts';
import type { Database } from '../../schema/database.ts';
import { compileQuery, select } from '../../schema/query.ts';
import { readRow } from './rows.ts';

export type BuyerRow = typeof buyer.$inferSelect;

const buyerById = compileQuery(
  select
    .select()
    .from(buyer)
    .where(and(eq(buyer.id, sql.placeholder('id')), eq(buyer.gone, 0))),
);
const buyerByAlias = compileQuery(
  select
    .select({ target: alias.target })
    .from(alias)
    .where(and(eq(alias.kind, 'buyer'), eq(alias.alias, sql.placeholder('alias')))),
);

export function readBuyer(catalogue: Database, id: string): Promise<BuyerRow | undefined> {
  return readRow(catalogue, buyerById, { id });
}

/** The buyer that an identifier (lower case) leads to. */
export async function readBuyerByAlias(catalogue: Database, identifier: string): Promise<BuyerRow | undefined> {
  const found = await readRow(catalogue, buyerByAlias, { alias: identifier });
  return found && readBuyer(catalogue, found.target);
}
