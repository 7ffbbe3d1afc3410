import { asc, eq } from 'drizzle-orm';
import type { SourceKind } from '../../schema/catalogue/enums.ts';
import { source } from '../../schema/catalogue/tables/ingest-state.ts';
import type { Database } from '../../schema/db/interface.ts';
import { compileQuery, readRows, select } from '../../schema/db/query.ts';

/** A source as callers and pages know it. */
export interface KnownSource {
  id: string;
  title: string;
  kind: SourceKind;
  /** Other words for its id, in lower case and without spaces. */
  aliases: readonly string[];
}

const known = compileQuery(
  select
    .select({ id: source.id, title: source.title, kind: source.kind, aliases: source.aliases })
    .from(source)
    .orderBy(asc(source.id)),
);
const freshness = compileQuery(
  select
    .select({ id: source.id, as_of: source.as_of })
    .from(source)
    .where(eq(source.kind, 'notices'))
    .orderBy(asc(source.id)),
);

/** Every source of the catalogue, by id. */
export async function readSources(catalogue: Database): Promise<KnownSource[]> {
  const rows = await readRows(catalogue, known);
  return rows.map((row) => ({ ...row, aliases: JSON.parse(row.aliases) as string[] }));
}

/** Per source of notices, the instant before which we have everything published; null where we have nothing yet. */
export async function readFreshness(catalogue: Database): Promise<Record<string, string | null>> {
  const rows = await readRows(catalogue, freshness);
  return Object.fromEntries(rows.map((row) => [row.id, row.as_of]));
}
