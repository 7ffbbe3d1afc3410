import { readClosedUntil } from '../../../ingest/http/refusals.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { DAY_MS, isoInstant, makeClocks } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { describeHolder, IS_AT_WORK, IS_HELD } from '../../process/lease.ts';
import { type AddCommand, withDatabases } from '../shared/command.ts';
import { AS_JSON, printJson } from '../shared/listing.ts';
import { countOf, formatTable, makePrintable } from '../shared/text.ts';

interface SourceRow {
  id: string;
  timetable: string;
  releases: number;
  quarantined: number;
  as_of: string | null;
  last_success_at: string | null;
  last_error: string | null;
}

interface RunningRow {
  job: string;
  source: string | null;
  started_at: string;
  requests: number;
  releases: number;
}

interface Status {
  sources: SourceRow[];
  /** Sources that refused us, and until when they are not asked. */
  closed: { source: string; until: string; reopen: string }[];
  held: Record<string, number>;
  exports_waiting: number;
  /** For watches that are not paused. */
  deliveries_waiting: number;
  watches: { active: number; waiting: number; paused: number };
  running: RunningRow[];
  failed_last_day: number;
  leases: { name: string; holder: string; until: string }[];
}

const TABLE_TITLES = {
  notice: 'notices',
  contract: 'contracts',
  company: 'suppliers',
  buyer: 'buyers',
  framework: 'frameworks',
};
const SOURCES =
  'SELECT id, timetable, releases, quarantined, as_of, last_success_at, last_error FROM source ORDER BY id';
const RUNNING = `SELECT job, source, started_at, requests, releases FROM run
  WHERE state = 'running' AND ${IS_AT_WORK} ORDER BY started_at`;
/** By their end: a long run may have begun days before, and a job that fails again in the same way keeps its row. */
const FAILED = "SELECT count(*) AS rows FROM run WHERE state IN ('failed', 'abandoned') AND ended_at >= ?";
const WAITING = "SELECT count(*) AS rows FROM export WHERE status = 'processing'";
const DELIVERIES = `SELECT count(*) AS rows FROM watch_delivery d JOIN watch w ON w.id = d.watch_id
  WHERE d.status = 'waiting' AND w.state <> 'paused'`;
const WATCHES = 'SELECT count(*) AS rows FROM watch WHERE state = ?';
const LEASES = `SELECT name, holder, expires_at FROM lease WHERE ${IS_HELD} ORDER BY name`;

export const addStatus: AddCommand = (command, cli) => {
  command.option(...AS_JSON).action(({ json }: { json?: boolean }) =>
    withDatabases(cli, async ({ catalogue, accounts }) => {
      const status = await readStatus(catalogue, accounts);
      if (json) printJson(cli, status);
      else for (const line of describe(status)) cli.out(line);
    }),
  );
};

async function readStatus(catalogue: Database, accounts: Database): Promise<Status> {
  const now = makeClocks().wallNow();
  const count = async (database: Database, sql: string, args: string[] = []) =>
    (await database.read<{ rows: number }>({ sql, args }))[0]?.rows ?? 0;
  const held: Record<string, number> = {};
  for (const [table, title] of Object.entries(TABLE_TITLES))
    held[title] = await count(catalogue, `SELECT count(*) AS rows FROM ${table} WHERE gone = 0`);
  const closed: Status['closed'] = [];
  for (const { id, cliName } of sources) {
    const until = await readClosedUntil(catalogue, id, now);
    if (until) closed.push({ source: id, until: isoInstant(until), reopen: cliName });
  }
  return {
    sources: await catalogue.read<SourceRow>({ sql: SOURCES }),
    closed,
    held,
    exports_waiting: await count(accounts, WAITING),
    deliveries_waiting: await count(accounts, DELIVERIES),
    watches: {
      active: await count(accounts, WATCHES, ['active']),
      waiting: await count(accounts, WATCHES, ['waiting']),
      paused: await count(accounts, WATCHES, ['paused']),
    },
    running: await catalogue.read<RunningRow>({ sql: RUNNING }),
    failed_last_day: await count(catalogue, FAILED, [isoInstant(new Date(now.getTime() - DAY_MS))]),
    leases: [...(await readLeases(catalogue)), ...(await readLeases(accounts))],
  };
}

async function readLeases(database: Database): Promise<Status['leases']> {
  const rows = await database.read<{ name: string; holder: string; expires_at: number }>({ sql: LEASES });
  return rows.map(({ name, holder, expires_at: endsMs }) => ({ name, holder, until: isoInstant(new Date(endsMs)) }));
}

function describe(status: Status): string[] {
  const columns = ['id', 'timetable', 'releases', 'quarantined', 'as_of', 'last_success_at'] as const;
  const failed = status.failed_last_day;
  const { active, waiting, paused } = status.watches;
  return [
    ...formatTable(status.sources, columns),
    ...status.sources.flatMap(({ id, last_error: error }) =>
      error ? `${id}: the last run failed: ${makePrintable(error)}` : [],
    ),
    ...status.closed.map(
      ({ source, until, reopen }) => `closed until ${until}: ${source} (\`reopen ${reopen}\` opens it before)`,
    ),
    '',
    ...Object.entries({
      ...status.held,
      'exports waiting': status.exports_waiting,
      'active watches': active,
      'deliveries waiting': status.deliveries_waiting,
    }).map(([what, count]) => `${what.padEnd(18)}  ${String(count).padStart(9)}`),
    ...(waiting + paused > 0
      ? [
          `stopped: ${countOf(waiting, 'watch waits', 'watches wait')}, ${paused} paused (see \`watches list --stopped\`)`,
        ]
      : []),
    ...status.running.map(
      ({ job, source, started_at: since, requests, releases }) =>
        `running: ${job}${source ? ` of ${source}` : ''} since ${since} (${countOf(requests, 'request')}, ${countOf(releases, 'release')})`,
    ),
    ...(failed ? [`failed in the last day: ${countOf(failed, 'run')} (see \`runs --failed\`)`] : []),
    ...status.leases.map((lease) => `at work: ${lease.name} (${describeHolder(lease)})`),
  ];
}
