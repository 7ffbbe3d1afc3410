import { and, asc, eq, sql } from 'drizzle-orm';
import { framework, frameworkReference } from '../../schema/catalogue/tables/procurement.ts';
import type { Database } from '../../schema/db/interface.ts';
import { compileQuery, readRow, readRows, select } from '../../schema/db/query.ts';

export type FrameworkRow = typeof framework.$inferSelect;

const frameworkById = compileQuery(
  select
    .select()
    .from(framework)
    .where(and(eq(framework.id, sql.placeholder('id')), eq(framework.gone, 0))),
);
/** Two are enough to know that a reference is not one framework's alone. */
const frameworksByReference = compileQuery(
  select
    .select({ framework_id: frameworkReference.framework_id })
    .from(frameworkReference)
    .where(eq(frameworkReference.reference, sql.placeholder('reference')))
    .orderBy(asc(frameworkReference.framework_id))
    .limit(6),
);
const frameworksAmong = compileQuery(
  select
    .select()
    .from(framework)
    .where(
      and(sql`${framework.id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`, eq(framework.gone, 0)),
    ),
);

/** The framework with this id. */
export function readFramework(catalogue: Database, id: string): Promise<FrameworkRow | undefined> {
  return readRow(catalogue, frameworkById, { id });
}

/** Ids of the frameworks that a reference (`RM3764`) names. */
export async function readFrameworksByReference(catalogue: Database, reference: string): Promise<string[]> {
  const rows = await readRows(catalogue, frameworksByReference, { reference });
  return rows.map((row) => row.framework_id);
}

/** The frameworks of a page of hits, by id. */
export async function readFrameworksAmong(
  catalogue: Database,
  ids: readonly string[],
): Promise<Map<string, FrameworkRow>> {
  const rows = await readRows(catalogue, frameworksAmong, { ids: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.id, row]));
}
