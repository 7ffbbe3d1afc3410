import { inArray } from 'drizzle-orm';
import { NOTICE_SOURCES } from '../../schema/catalogue/enums.ts';
import { source } from '../../schema/catalogue/tables/ingest-state.ts';
import type { Database } from '../../schema/db/interface.ts';
import { compileQuery, select } from '../../schema/db/query.ts';
import { readRows } from './compiled-query.ts';

const freshness = compileQuery(
  select
    .select({ id: source.id, as_of: source.as_of })
    .from(source)
    .where(inArray(source.id, [...NOTICE_SOURCES])),
);

/** Per procurement source, the instant before which we have everything published; null where we have nothing yet. */
export async function readFreshness(catalogue: Database): Promise<Record<string, string | null>> {
  const rows = await readRows(catalogue, freshness);
  return Object.fromEntries(rows.map((row) => [row.id, row.as_of]));
}
