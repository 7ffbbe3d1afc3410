import { Option } from 'commander';
import { formatHead } from '../../../schema/accounts/ledger/seal.ts';
import type { LedgerReport } from '../../../schema/accounts/ledger/verify.ts';
import { backUp } from '../../backup/accounts.ts';
import { backUpCatalogue } from '../../backup/catalogue.ts';
import { restore } from '../../backup/restore.ts';
import { type AddCommand, type Cli, note } from '../shared/command.ts';
import { countOf } from '../shared/text.ts';

export const addBackup: AddCommand = (command, cli) => {
  command
    .argument('<file>', 'where the copy goes; it must not exist')
    .option('--answers', 'with the answers remembered for an Idempotency-Key, which are left out otherwise', false)
    .addOption(new Option('--catalogue', 'the catalogue instead of the accounts').conflicts('answers'))
    .action((file: string, { answers, catalogue }: { answers: boolean; catalogue?: true }) =>
      catalogue ? copyCatalogue(cli, file) : makeBackup(cli, file, answers),
    );
};

export const addRestore: AddCommand = (command, cli) => {
  command
    .argument('<file>', 'what `backup` wrote')
    .option(
      '--force',
      'also where ledger lines newer than the backup are lost, or the present file cannot be read',
      false,
    )
    .action((file: string, { force }: { force: boolean }) => restoreBackup(cli, file, force));
};

async function makeBackup(cli: Cli, to: string, withAnswers: boolean): Promise<void> {
  const { file, bytes, ledger } = await backUp(cli.settings(), to, { withAnswers });
  cli.out(`${file} written, ${(bytes / 1e6).toFixed(1)} MB, and proved: ${describe(ledger)}`);
  printHead(cli, ledger);
  await note(cli, 'accounts_backup');
}

async function copyCatalogue(cli: Cli, to: string): Promise<void> {
  const { file, bytes, releases, digest } = await backUpCatalogue(cli.settings(), to);
  cli.out(
    `${file} written, ${(bytes / 1e6).toFixed(1)} MB, and proved: ${countOf(releases, 'release')}, digest ${digest} as the catalogue's at that instant`,
  );
  await note(cli, 'catalogue_backup');
}

const LOG = /-(wal|journal)$/;

async function restoreBackup(cli: Cli, file: string, force: boolean): Promise<void> {
  const { movedTo, revived, ledger } = await restore(cli.settings(), file, force);
  if (movedTo) cli.out(`${LOG.test(movedTo) ? 'the log of ' : ''}the database before it lies at ${movedTo}`);
  cli.out(`restored and proved: ${describe(ledger)}`);
  for (const what of revived ?? []) cli.out(`ended since the backup, works again: ${what}`);
  if (!revived)
    cli.out(
      'the database before it cannot be read: end again the keys and accounts that were ended since the backup, and repeat takedowns',
    );
  printHead(cli, ledger);
}

const describe = ({ accounts, credits: held, lines }: LedgerReport) =>
  `${countOf(accounts, 'account')} ${accounts === 1 ? 'holds' : 'hold'} ${countOf(held, 'credit')}; ${countOf(lines, 'line')}`;

/** For keeping elsewhere, to use with `ledger verify --head`. Lines follow it where they could not be sealed. */
function printHead(cli: Cli, { head, lines }: LedgerReport): void {
  if (!head) return;
  const since = lines - head.line;
  cli.out(`head ${formatHead(head)}${since > 0 ? `; ${countOf(since, 'line')} since` : ''}`);
}
