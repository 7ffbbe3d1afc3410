import type { Database } from '../../../schema/db/interface.ts';
import { ExpectedFault, UsageFault } from '../../process/services.ts';
import { type RetryReport, retryQuarantine } from '../../tasks/retry-quarantine.ts';
import { parseCount, parseNumber } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withCatalogue, withServices, withSignal } from '../shared/command.ts';
import { AS_JSON, printRows } from '../shared/listing.ts';
import { parseSource } from '../shared/source.ts';
import { describeBytes, makePrintable } from '../shared/text.ts';

interface QuarantineRow {
  id: number;
  source: string;
  kind: string;
  reason: string;
  url: string;
  record_id: string | null;
  sha256: string;
  first_seen_at: string;
  last_seen_at: string;
  sightings: number;
  state: string;
  bytes: Uint8Array | null;
}

const LISTED = ['id', 'source', 'kind', 'state', 'sightings', 'last_seen_at', 'record_id', 'reason'] as const;
const SHOWN = [
  'id',
  'source',
  'kind',
  'state',
  'reason',
  'url',
  'record_id',
  'sha256',
  'first_seen_at',
  'last_seen_at',
  'sightings',
] as const;
const NO_BYTES: Record<string, string> = {
  resolved: '(read since: its bytes were dropped)',
  expired: '(its bytes have expired)',
};

interface ListFlags {
  source?: string;
  all?: boolean;
  limit: number;
  json?: boolean;
}

export const addQuarantine: AddCommand = (quarantine, cli) => {
  quarantine
    .command('list')
    .description('Unreadable records, newest first')
    .option('--source <source>', 'only of this source', parseSource)
    .option('--all', 'also what was resolved or has expired')
    .option('--limit <rows>', 'how many', parseCount, 50)
    .option(...AS_JSON)
    .action((flags: ListFlags) => list(cli, flags));
  quarantine
    .command('show')
    .description('A record with its bytes')
    .argument('<id>', 'its number in the list', parseNumber)
    .action((id: number) => show(cli, id));
  quarantine
    .command('retry')
    .description('Read records again with the current reader; store what can be read')
    .argument('[id]', 'its number in the list', parseNumber)
    .option('--source <source>', 'everything of this source', parseSource)
    .option('--all', 'everything')
    .action((id: number | undefined, flags: { source?: string; all?: boolean }) => retry(cli, id, flags));
};

function list(cli: Cli, { source, all, limit, json }: ListFlags): Promise<void> {
  return withCatalogue(cli, async (catalogue) => {
    const rows = await catalogue.read<QuarantineRow>({
      sql: `SELECT ${LISTED.join(', ')} FROM quarantine WHERE (?1 IS NULL OR source = ?1) AND (?2 = 1 OR state = 'held')
            ORDER BY last_seen_at DESC, id DESC LIMIT ?3`,
      args: [source ?? null, all ? 1 : 0, limit],
    });
    printRows(cli, { name: 'quarantine', rows, columns: LISTED, none: 'nothing is in quarantine' }, json);
  });
}

function show(cli: Cli, id: number): Promise<void> {
  return withCatalogue(cli, async (catalogue) => {
    const row = await readRow(catalogue, id);
    for (const name of SHOWN) cli.out(makePrintable(`${name.replaceAll('_', ' ')}: ${row[name] ?? '-'}`));
    cli.out('');
    cli.out(row.bytes ? describeBytes(row.bytes) : (NO_BYTES[row.state] ?? '(no bytes)'));
  });
}

async function readRow(catalogue: Database, id: number): Promise<QuarantineRow> {
  const [row] = await catalogue.read<QuarantineRow>({ sql: 'SELECT * FROM quarantine WHERE id = ?', args: [id] });
  if (!row) throw new ExpectedFault(`nothing in quarantine has the number ${id}: see \`quarantine list --all\``);
  return row;
}

function retry(cli: Cli, id: number | undefined, { source, all }: { source?: string; all?: boolean }): Promise<void> {
  const ways = [id !== undefined, source !== undefined, all === true].filter(Boolean).length;
  if (ways !== 1) throw new UsageFault('say what to read again: a number, --source <source> or --all');
  return withServices(cli, (services) =>
    withSignal(async (signal) => {
      if (id !== undefined) {
        const { state } = await readRow(services.catalogue, id);
        if (state !== 'held') return cli.out(`${id} is ${state}: there is nothing to read again`);
      }
      const onRetried = (line: string) => cli.out(makePrintable(line));
      printReport(cli, await retryQuarantine(services, { id, source, signal, onRetried }));
    }),
  );
}

function printReport(cli: Cli, { resolved, held: unreadable, synced }: RetryReport): void {
  cli.out(
    resolved + unreadable === 0
      ? 'nothing is in quarantine'
      : `${resolved} resolved, ${unreadable} still cannot be read`,
  );
  if (synced) cli.out(synced);
}
