import { BatchRefused } from '../../../schema/db/interface.ts';
import { chargeLeft, failedStatements, WAITING_COLUMNS, type WaitingExport } from '../../exports/endings.ts';
import { ExpectedFault } from '../../process/services.ts';
import { parseCount } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withAccounts } from '../shared/command.ts';
import { AS_JSON, printRows } from '../shared/listing.ts';
import { countOf } from '../shared/text.ts';

const COLUMNS = [
  'id',
  'account_id',
  'dataset',
  'format',
  'rows',
  'credits_charged',
  'refunded',
  'created_at',
  'status',
  'error',
] as const;
const READ = `SELECT ${COLUMNS.join(', ')} FROM export WHERE status <> 'staged' ORDER BY created_at DESC, id DESC LIMIT ?`;
const READ_WAITING = `SELECT ${WAITING_COLUMNS} FROM export
  WHERE id = ? AND status = 'processing'`;

export const addExport: AddCommand = (exports, cli) => {
  exports
    .command('list')
    .description('The last exports, newest first')
    .option('--limit <exports>', 'how many', parseCount, 20)
    .option(...AS_JSON)
    .action((flags: { limit: number; json?: boolean }) => list(cli, flags));
  exports
    .command('cancel')
    .description('End an unfinished export; its charge is refunded in full')
    .argument('<id>', 'the export')
    .action((id: string) => cancel(cli, id));
};

function list(cli: Cli, { limit, json }: { limit: number; json?: boolean }): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    const rows = await accounts.read<Record<(typeof COLUMNS)[number], string | number | null>>({
      sql: READ,
      args: [limit],
    });
    printRows(cli, { name: 'exports', rows, columns: COLUMNS, none: 'there are no exports' }, json);
  });
}

function cancel(cli: Cli, id: string): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    const [job] = await accounts.read<WaitingExport>({ sql: READ_WAITING, args: [id] });
    if (!job) throw notWaiting(id);
    const ending = failedStatements(job, 'the export was cancelled by the operator', new Date());
    await accounts.write(ending).catch((error: unknown) => {
      // It was read as waiting, and has ended since.
      throw error instanceof BatchRefused ? notWaiting(id) : error;
    });
    const credits = chargeLeft(job);
    cli.out(
      `cancelled ${id}; ${countOf(credits, 'credit')} ${credits === 1 ? 'was' : 'were'} refunded to ${job.account_id}`,
    );
  });
}

const notWaiting = (id: string) =>
  new ExpectedFault(`no export ${id} is waiting or being written: see \`export list\``);
