import { sql } from 'drizzle-orm';
import { coverageDay, source } from '../../schema/catalogue/control.ts';
import { quarantine } from '../../schema/catalogue/releases.ts';
import type { Database } from '../../schema/database.ts';
import { compileQuery, select } from '../../schema/query.ts';

const sources = compileQuery(select.select().from(source).orderBy(source.id));

const coverage = compileQuery(
  select
    .select({
      source: coverageDay.source,
      first: sql<string | null>`min(${coverageDay.day})`.as('first'),
      last: sql<string | null>`max(${coverageDay.day})`.as('last'),
      days: sql<number>`count(*)`.as('days'),
      releases: sql<number>`sum(${coverageDay.releases})`.as('releases'),
    })
    .from(coverageDay)
    .groupBy(coverageDay.source),
);

const held = compileQuery(
  select
    .select({ source: quarantine.source, held: sql<number>`count(*)`.as('held') })
    .from(quarantine)
    .where(sql`${quarantine.state} = 'held'`)
    .groupBy(quarantine.source),
);

/** The newest run of every source: SQLite answers the other columns of the row that has the maximum. */
const LAST_RUNS = `SELECT source, job, state, max(started_at) AS started_at, ended_at, requests, releases, stored, quarantined
                   FROM run WHERE source IS NOT NULL GROUP BY source`;

export interface LastRun {
  source: string;
  job: string;
  state: string;
  started_at: string;
  ended_at: string | null;
  requests: number;
  releases: number;
  stored: number;
  quarantined: number;
}

/** What each source holds, until when, and how its newest run went. */
export async function readStatus(catalogue: Database) {
  return {
    sources: await catalogue.read<typeof source.$inferSelect>(sources()),
    coverage: await catalogue.read<NonNullable<typeof coverage.row>>(coverage()),
    quarantine: await catalogue.read<NonNullable<typeof held.row>>(held()),
    runs: await catalogue.read<LastRun>({ sql: LAST_RUNS }),
  };
}
