import { Command } from 'commander';
import { addAccount } from './account.ts';
import { addBackup, addRestore } from './backup.ts';
import { type AddCommand, type Cli, parseWords } from './command.ts';
import { addContacts } from './contacts.ts';
import { addCoverage } from './coverage.ts';
import { addCredits } from './credits.ts';
import { addExplain } from './explain.ts';
import { addExport } from './export.ts';
import { addIngest } from './ingest.ts';
import { addKey } from './key.ts';
import { addLedger } from './ledger.ts';
import { addMigrate } from './migrate.ts';
import { addPayments } from './payments.ts';
import { addProbe, addWitness } from './probe.ts';
import { addQuarantine } from './quarantine.ts';
import { addRebuild } from './rebuild.ts';
import { addReopen } from './reopen.ts';
import { addRuns } from './runs.ts';
import { addSearch } from './search.ts';
import { addSettings } from './settings.ts';
import { addStatus } from './status.ts';
import { addTakedown } from './takedown.ts';

/** Every command, in the order in which `--help` lists them. */
const COMMANDS: readonly AddCommand[] = [
  addStatus,
  addIngest,
  addReopen,
  addCoverage,
  addWitness,
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
  addBackup,
  addRestore,
  addMigrate,
  addSettings,
];

/** The operator's command line. */
export function makeProgram(cli: Cli): Command {
  const program = new Command('cli').description('Operates the house: ingest, search index, accounts, ledger');
  // Before the commands are added, which take it over: the front door ends the process.
  program.exitOverride();
  program.showHelpAfterError('(add --help for what is accepted)');
  for (const add of COMMANDS) add(program, cli);
  refuseEmpty(program);
  return program;
}

/** What no command reads in a way of its own is some text: the empty variable of a script must not stand for everything. */
function refuseEmpty(command: Command): void {
  for (const argument of command.registeredArguments) if (!argument.parseArg) argument.argParser(parseWords);
  for (const option of command.options) if (option.required && !option.parseArg) option.argParser(parseWords);
  for (const inner of command.commands) refuseEmpty(inner);
}
