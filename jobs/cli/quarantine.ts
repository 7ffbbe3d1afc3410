import { ExpectedFault } from '../house.ts';
import { type AddCommand, type Cli, parseCount, withDatabases } from './command.ts';
import { formatTable } from './table.ts';

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

export const addQuarantine: AddCommand = (program, cli) => {
  const quarantine = program.command('quarantine').description('What could not be read, with its bytes and the reason');
  quarantine
    .command('list')
    .description('Newest first')
    .option('--source <source>', 'only of this source (its id)')
    .option('--all', 'also what was resolved or has expired')
    .option('--limit <rows>', 'how many', parseCount, 50)
    .action((flags: { source?: string; all?: boolean; limit: number }) => list(cli, flags));
  quarantine
    .command('show')
    .description('One record with its bytes')
    .argument('<id>', 'its number in the list', parseCount)
    .action((id: number) => show(cli, id));
};

function list(cli: Cli, { source, all, limit }: { source?: string; all?: boolean; limit: number }): Promise<void> {
  return withDatabases(cli, async ({ catalogue }) => {
    const rows = await catalogue.read<QuarantineRow>({
      sql: `SELECT ${LISTED.join(', ')} FROM quarantine WHERE (? IS NULL OR source = ?) AND (? = 1 OR state = 'held')
            ORDER BY last_seen_at DESC, id DESC LIMIT ?`,
      args: [source ?? null, source ?? null, all ? 1 : 0, limit],
    });
    if (rows.length === 0) return cli.out('nothing is in quarantine');
    for (const line of formatTable(rows, LISTED)) cli.out(line);
  });
}

function show(cli: Cli, id: number): Promise<void> {
  return withDatabases(cli, async ({ catalogue }) => {
    const [row] = await catalogue.read<QuarantineRow>({ sql: 'SELECT * FROM quarantine WHERE id = ?', args: [id] });
    if (!row) throw new ExpectedFault(`nothing in quarantine has the number ${id}`);
    for (const name of SHOWN) cli.out(`${name.replaceAll('_', ' ')}: ${row[name] ?? '-'}`);
    cli.out('');
    cli.out(row.bytes ? makePrintable(new TextDecoder().decode(row.bytes)) : '(its bytes have expired)');
  });
}

/** Foreign bytes must not steer the operator's terminal: control characters but tab and line feed are shown by their code. */
function makePrintable(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
