import { Command } from 'commander';
import { parseWords } from './shared/arguments.ts';
import type { AddCommand, Cli } from './shared/command.ts';

/** A command, or a word with commands of its own: its line in `--help`, and its code, which is loaded when it is used. */
interface Row {
  says: string;
  load(): Promise<AddCommand>;
}

/** Every command, in the order in which `--help` lists them. */
const COMMANDS: Readonly<Record<string, Row>> = {
  status: {
    says: 'How fresh each source is, what is stored, which jobs are running',
    load: async () => (await import('./installation/status.ts')).addStatus,
  },
  ingest: {
    says: 'Ingest a source from its cursor, or a span of it, and update the search index',
    load: async () => (await import('./sources/ingest.ts')).addIngest,
  },
  reopen: {
    says: 'Reopen a source that is closed until midnight after a 403',
    load: async () => (await import('./sources/reopen.ts')).addReopen,
  },
  coverage: {
    says: 'What is stored of each source, day by day, and what is missing; exits with 3 while anything is',
    load: async () => (await import('./sources/coverage.ts')).addCoverage,
  },
  witness: {
    says: "Compare days with the source's own daily file; `probe` fetches what is missing",
    load: async () => (await import('./sources/probe.ts')).addDailyListing,
  },
  probe: {
    says: 'Fetch the notices known to be missing by id',
    load: async () => (await import('./sources/probe.ts')).addProbe,
  },
  runs: {
    says: 'The last runs, and why one failed',
    load: async () => (await import('./sources/runs.ts')).addRuns,
  },
  quarantine: {
    says: 'What could not be read, with its bytes and the reason',
    load: async () => (await import('./sources/quarantine.ts')).addQuarantine,
  },
  explain: {
    says: 'How every field of a notice and its process was decided',
    load: async () => (await import('./catalogue/explain.ts')).addExplain,
  },
  takedown: {
    says: 'Remove what must not be stored, for good',
    load: async () => (await import('./catalogue/takedown.ts')).addTakedown,
  },
  contacts: {
    says: 'Contact points of open tenders that KEEP_CONTACTS keeps; shown nowhere else',
    load: async () => (await import('./catalogue/contacts.ts')).addContacts,
  },
  search: {
    says: 'The search index',
    load: async () => (await import('./catalogue/search.ts')).addSearch,
  },
  rebuild: {
    says: 'Recompile the whole catalogue from its stored releases, while everything else runs',
    load: async () => (await import('./catalogue/rebuild.ts')).addRebuild,
  },
  ledger: {
    says: 'Balances, ledger lines, and the proof of both',
    load: async () => (await import('./customers/ledger.ts')).addLedger,
  },
  account: {
    says: 'Customers',
    load: async () => (await import('./customers/account.ts')).addAccount,
  },
  credits: {
    says: 'Credits of an account',
    load: async () => (await import('./customers/credits.ts')).addCredits,
  },
  key: {
    says: 'API keys',
    load: async () => (await import('./customers/key.ts')).addKey,
  },
  payments: {
    says: 'Top-ups by card, what refunds and disputes took back, and what is owed',
    load: async () => (await import('./customers/payments.ts')).addPayments,
  },
  export: {
    says: 'Bulk exports: what was asked for, and how it ended',
    load: async () => (await import('./customers/export.ts')).addExport,
  },
  watches: {
    says: 'Saved searches that deliver what changes',
    load: async () => (await import('./customers/watches.ts')).addWatches,
  },
  backup: {
    says: 'Copy the accounts (or the catalogue) to a file while everything else runs, and prove the copy',
    load: async () => (await import('./installation/backup.ts')).addBackup,
  },
  restore: {
    says: 'Replace the accounts of a stopped installation with a backup',
    load: async () => (await import('./installation/backup.ts')).addRestore,
  },
  migrate: {
    says: 'Bring both databases to the version of this program, or make new ones',
    load: async () => (await import('./installation/migrate.ts')).addMigrate,
  },
  machines: {
    says: 'What all machines must have in common, and whether this one has it',
    load: async () => (await import('./installation/machines.ts')).addMachines,
  },
  settings: {
    says: 'Every setting and its default: the text of .env.example',
    load: async () => (await import('./installation/settings.ts')).addSettings,
  },
};

/**
 * The operator's command line, with the commands that are among `words`: all of their code would take a second to load.
 * Without `words`, with every command.
 */
export async function makeProgram(cli: Cli, words = Object.keys(COMMANDS)): Promise<Command> {
  const program = new Command('cli').description('Operates the service: ingest, search index, accounts, ledger');
  // Set before the commands are added, as they inherit it: the front door ends the process.
  program.exitOverride();
  program.showHelpAfterError('(add --help for what is accepted)');
  for (const [name, { says, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(says);
    if (words.includes(name)) (await load())(command, cli);
  }
  refuseEmpty(program);
  return program;
}

/** Options and arguments without a parser of their own take text: an empty variable in a script must not mean everything. */
function refuseEmpty(command: Command): void {
  for (const argument of command.registeredArguments) if (!argument.parseArg) argument.argParser(parseWords);
  for (const option of command.options) if (option.required && !option.parseArg) option.argParser(parseWords);
  for (const inner of command.commands) refuseEmpty(inner);
}
