import { readClosedUntil } from '../../ingest/closing.ts';
import { sources } from '../../ingest/sources/index.ts';
import { isoInstant, makeClocks } from '../../schema/clocks.ts';
import type { Database } from '../../schema/database.ts';
import { tellHolder } from '../lease.ts';
import { type AddCommand, type Cli, withDatabases } from './command.ts';
import { makePrintable } from './printable.ts';
import { formatTable } from './table.ts';

interface SourceRow {
  id: string;
  timetable: string;
  releases: number;
  quarantined: number;
  as_of: string | null;
  last_success_at: string | null;
  last_error: string | null;
}

const DAY_MS = 86_400_000;
const COUNTED = ['notice', 'contract', 'company', 'buyer', 'framework'] as const;
const HELD_AS = {
  notice: 'notices',
  contract: 'contracts',
  company: 'suppliers',
  buyer: 'buyers',
  framework: 'frameworks',
};

export const addStatus: AddCommand = (program, cli) => {
  program
    .command('status')
    .description('Sources with their freshness, what is held, which jobs are at work')
    .action(() => withDatabases(cli, ({ catalogue, accounts }) => describe(cli, catalogue, accounts)));
};

async function describe(cli: Cli, catalogue: Database, accounts: Database): Promise<void> {
  const rows = await catalogue.read<SourceRow>({
    sql: 'SELECT id, timetable, releases, quarantined, as_of, last_success_at, last_error FROM source ORDER BY id',
  });
  const columns = ['id', 'timetable', 'releases', 'quarantined', 'as_of', 'last_success_at'] as const;
  for (const line of formatTable(rows, columns)) cli.out(line);
  for (const { id, last_error: error } of rows)
    if (error) cli.out(`${id}: the last run failed: ${makePrintable(error)}`);
  await describeClosed(cli, catalogue);
  cli.out('');
  for (const table of COUNTED) {
    const [row] = await catalogue.read<{ held: number }>({
      sql: `SELECT count(*) AS held FROM ${table} WHERE gone = 0`,
    });
    tell(cli, HELD_AS[table], row?.held);
  }
  const [row] = await accounts.read<{ waiting: number }>({
    sql: "SELECT count(*) AS waiting FROM export WHERE status = 'processing'",
  });
  tell(cli, 'exports waiting', row?.waiting);
  await describeRuns(cli, catalogue);
  for (const database of [catalogue, accounts]) await describeLeases(cli, database);
}

function tell(cli: Cli, what: string, count = 0): void {
  cli.out(`${what.padEnd(15)}  ${String(count).padStart(9)}`);
}

interface RunningRow {
  job: string;
  source: string | null;
  started_at: string;
  requests: number;
  releases: number;
}

/** What `runs` tells at length. */
async function describeRuns(cli: Cli, catalogue: Database): Promise<void> {
  const running = await catalogue.read<RunningRow>({
    sql: "SELECT job, source, started_at, requests, releases FROM run WHERE state = 'running' ORDER BY started_at",
  });
  for (const { job, source, started_at: since, requests, releases } of running)
    cli.out(`running: ${job} of ${source} since ${since} (${requests} requests, ${releases} releases)`);
  const dayAgo = isoInstant(new Date(makeClocks().wallNow().getTime() - DAY_MS));
  const [row] = await catalogue.read<{ failed: number }>({
    sql: "SELECT count(*) AS failed FROM run WHERE state IN ('failed', 'abandoned') AND started_at >= ?",
    args: [dayAgo],
  });
  if (row?.failed) cli.out(`failed in the last day: ${row.failed} runs (see \`runs --failed\`)`);
}

async function describeLeases(cli: Cli, database: Database): Promise<void> {
  const leases = await database.read<{ name: string; holder: string; expires_at: number }>({
    sql: "SELECT name, holder, expires_at FROM lease WHERE expires_at > unixepoch('subsec') * 1000 ORDER BY name",
  });
  for (const { name, holder, expires_at: endsMs } of leases)
    cli.out(`at work: ${name} (${tellHolder({ holder, until: isoInstant(new Date(endsMs)) })})`);
}

/** Sources that forbade us, and until when nothing is asked of them. */
async function describeClosed(cli: Cli, catalogue: Database): Promise<void> {
  for (const { id, cliName } of sources) {
    const until = await readClosedUntil(catalogue, id, makeClocks().wallNow());
    if (until) cli.out(`closed until ${isoInstant(until)}: ${id} (\`reopen ${cliName}\` opens it before)`);
  }
}
