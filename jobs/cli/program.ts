import { Command } from 'commander';
import { addContacts } from './catalogue/contacts.ts';
import { addExplain } from './catalogue/explain.ts';
import { addRebuild } from './catalogue/rebuild.ts';
import { addSearch } from './catalogue/search.ts';
import { addTakedown } from './catalogue/takedown.ts';
import { addAccount } from './customers/account.ts';
import { addCredits } from './customers/credits.ts';
import { addExport } from './customers/export.ts';
import { addKey } from './customers/key.ts';
import { addLedger } from './customers/ledger.ts';
import { addPayments } from './customers/payments.ts';
import { addWatches } from './customers/watches.ts';
import { addBackup, addRestore } from './installation/backup.ts';
import { addMachines } from './installation/machines.ts';
import { addMigrate } from './installation/migrate.ts';
import { addSettings } from './installation/settings.ts';
import { addStatus } from './installation/status.ts';
import { type AddCommand, type Cli, parseWords } from './shared/command.ts';
import { addCoverage } from './sources/coverage.ts';
import { addIngest } from './sources/ingest.ts';
import { addDailyListing, addProbe } from './sources/probe.ts';
import { addQuarantine } from './sources/quarantine.ts';
import { addReopen } from './sources/reopen.ts';
import { addRuns } from './sources/runs.ts';

/** Every command, in the order in which `--help` lists them. */
const COMMANDS: readonly AddCommand[] = [
  addStatus,
  addIngest,
  addReopen,
  addCoverage,
  addDailyListing,
  addProbe,
  addRuns,
  addQuarantine,
  addExplain,
  addTakedown,
  addContacts,
  addSearch,
  addRebuild,
  addLedger,
  addAccount,
  addCredits,
  addKey,
  addPayments,
  addExport,
  addWatches,
  addBackup,
  addRestore,
  addMigrate,
  addMachines,
  addSettings,
];

/** The operator's command line. */
export function makeProgram(cli: Cli): Command {
  const program = new Command('cli').description('Operates the service: ingest, search index, accounts, ledger');
  // Set before the commands are added, as they inherit it: the front door ends the process.
  program.exitOverride();
  program.showHelpAfterError('(add --help for what is accepted)');
  for (const add of COMMANDS) add(program, cli);
  refuseEmpty(program);
  return program;
}

/** Options and arguments without a parser of their own take text: an empty variable in a script must not mean everything. */
function refuseEmpty(command: Command): void {
  for (const argument of command.registeredArguments) if (!argument.parseArg) argument.argParser(parseWords);
  for (const option of command.options) if (option.required && !option.parseArg) option.argParser(parseWords);
  for (const inner of command.commands) refuseEmpty(inner);
}
