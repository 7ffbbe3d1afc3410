import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { createAccount, readAccounts, setAccountState } from '../../schema/accounts-store.ts';
import { isoInstant, makeClocks } from '../../schema/clocks.ts';
import { closeAccount } from '../../schema/close-account.ts';
import { grantStatement, readBalance } from '../../schema/ledger.ts';
import { readSecret } from '../../schema/secret.ts';
import { findAccount, findOpenAccount } from '../customers.ts';
import { exportAccount } from '../export-account.ts';
import { type AddCommand, type Cli, parseCount, withDatabases } from './command.ts';
import { formatTable } from './table.ts';

const at = () => isoInstant(makeClocks().wallNow());

export const addAccount: AddCommand = (program, cli) => {
  const account = program.command('account').description('Customers');
  account
    .command('create')
    .description('Open an account with its free credits')
    .argument('<name>', 'whose it is')
    .option('--credits <credits>', 'free credits instead of SIGNUP_CREDITS; 0 for none', parseCredits)
    .action((name: string, { credits }: { credits?: number }) => create(cli, name, credits));
  account
    .command('list')
    .description('All accounts, oldest first')
    .action(() => list(cli));
  for (const [word, state] of [
    ['freeze', 'frozen'],
    ['unfreeze', 'active'],
  ] as const) {
    account
      .command(word)
      .description(
        state === 'frozen' ? 'Stop an account from calling; its ledger stays' : 'Let a frozen account call again',
      )
      .argument('<account>', 'id of an account')
      .action((id: string) => changeState(cli, id, state));
  }
  account
    .command('export')
    .description('Write all that is held of a customer to a file of JSON')
    .argument('<account>', 'id of an account')
    .argument('<file>', 'where it goes; it must not exist')
    .action((id: string, file: string) => writeExport(cli, id, file));
  account
    .command('close')
    .description('Export, then erase who a customer is and stop the keys, for good; the ledger stays')
    .argument('<account>', 'id of an account')
    .requiredOption('--export <file>', 'where what is held goes first; it must not exist')
    .action((id: string, flags: { export: string }) => close(cli, id, flags.export));
};

export const addCredits: AddCommand = (program, cli) => {
  program
    .command('credits')
    .description('Credits of an account')
    .command('grant')
    .description('Give credits to an account')
    .argument('<account>', 'id of an account')
    .argument('<credits>', 'how many', parseCount)
    .option('--note <text>', 'why, for its ledger')
    .option('--once <key>', 'gives them once, however often the command runs with this key')
    .action((id: string, credits: number, flags: { note?: string; once?: string }) => grant(cli, id, credits, flags));
};

function create(cli: Cli, name: string, credits: number | undefined): Promise<void> {
  return withDatabases(cli, async ({ accounts, settings }) => {
    const signupCredits = credits ?? settings.SIGNUP_CREDITS;
    const { id, balance } = await createAccount(accounts, { name, signupCredits, at: at() });
    cli.out(`account ${id} (${name}) opened with ${balance} credits`);
  });
}

function list(cli: Cli): Promise<void> {
  return withDatabases(cli, async ({ accounts }) => {
    const rows = await readAccounts(accounts);
    for (const line of formatTable(rows, ['id', 'name', 'state', 'balance', 'created_at'])) cli.out(line);
  });
}

function writeExport(cli: Cli, id: string, file: string): Promise<void> {
  return withDatabases(cli, async ({ accounts }) => {
    await exportAccount(accounts, await findAccount(accounts, id), file, at());
    cli.out(`what is held of ${id} was written to ${file}`);
  });
}

function close(cli: Cli, id: string, file: string): Promise<void> {
  return withDatabases(cli, async ({ accounts, settings }) => {
    const account = await findAccount(accounts, id);
    await exportAccount(accounts, account, file, at());
    await closeAccount(accounts, account, { at: at(), secret: await readSecret(settings) });
    const balance = await readBalance(accounts, id);
    cli.out(`what was held of ${id} was written to ${file}; the person is erased, the keys are stopped`);
    cli.out(`the ledger stays, with ${balance} credits left; notes of grants and what Stripe holds are not erased`);
  });
}

function changeState(cli: Cli, id: string, state: 'active' | 'frozen'): Promise<void> {
  return withDatabases(cli, async ({ accounts }) => {
    await findOpenAccount(accounts, id);
    await setAccountState(accounts, id, state);
    cli.out(`account ${id} is ${state}`);
  });
}

function grant(cli: Cli, id: string, credits: number, { note, once }: { note?: string; once?: string }): Promise<void> {
  return withDatabases(cli, async ({ accounts }) => {
    const key = once ? `${id}:cli:${once}` : `${id}:cli:${randomUUID()}`;
    await findOpenAccount(accounts, id);
    const transfer = grantStatement({ key, accountId: id, credits, at: at(), ...(note ? { note } : {}) });
    const [outcome] = await accounts.write([transfer]);
    const balance = await readBalance(accounts, id);
    const given = (outcome?.changes ?? 0) > 0;
    cli.out(given ? `${credits} credits granted; balance ${balance}` : `granted before; balance ${balance}`);
  });
}

function parseCredits(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number of credits.');
}
