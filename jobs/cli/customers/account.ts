import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import {
  type Account,
  createAccount,
  readAccounts,
  setAccountState,
} from '../../../schema/accounts/customer/account.ts';
import { closeAccount } from '../../../schema/accounts/customer/erase.ts';
import { writePersonalData } from '../../../schema/accounts/customer/personal-data.ts';
import { GRANTED_MAX } from '../../../schema/accounts/ledger/transfers.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { writeCopy } from '../../backup/accounts.ts';
import { readSameSecret } from '../../process/same-secret.ts';
import { ExpectedFault } from '../../process/services.ts';
import { parseWhole } from '../shared/arguments.ts';
import { type AddCommand, type Cli, instantNow, withAccounts } from '../shared/command.ts';
import { AS_JSON, printRows } from '../shared/listing.ts';
import { closedForGood, findAccount, findOpenAccount } from './find-account.ts';

export const addAccount: AddCommand = (account, cli) => {
  account
    .command('create')
    .description('Open an account with its free credits')
    .argument('<name>', 'whose it is')
    .option('--credits <credits>', 'free credits instead of SIGNUP_CREDITS; 0 for none', parseWhole(0, GRANTED_MAX))
    .action((name: string, { credits }: { credits?: number }) => create(cli, name, credits));
  account
    .command('list')
    .description('All accounts, oldest first')
    .option(...AS_JSON)
    .action(({ json }: { json?: boolean }) => listAccounts(cli, json));
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
    .description('Write everything stored about a customer to JSON')
    .argument('<account>', 'id of an account')
    .argument('<file>', 'where it goes; it must not exist')
    .action((id: string, file: string) => writeExport(cli, id, file));
  account
    .command('close')
    .description("Export, then erase a customer's identity and stop the keys for good; the ledger stays")
    .argument('<account>', 'id of an account')
    .requiredOption('--export <file>', 'the file into which the stored data is written first; it must not exist')
    .action((id: string, flags: { export: string }) => close(cli, id, flags.export));
};

function create(cli: Cli, name: string, credits: number | undefined): Promise<void> {
  return withAccounts(cli, async (accounts, settings) => {
    const signupCredits = credits ?? settings.SIGNUP_CREDITS;
    const { id, balance } = await createAccount(accounts, { name, signupCredits, at: instantNow() });
    cli.out(`account ${id} (${name}) opened with ${balance} credits`);
  });
}

/** Every account with its balance, as a table or as JSON. */
export function listAccounts(cli: Cli, asJson: boolean | undefined): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    const columns = ['id', 'name', 'state', 'balance', 'created_at'] as const;
    printRows(cli, { name: 'accounts', rows: await readAccounts(accounts), columns }, asJson);
  });
}

function writeExport(cli: Cli, id: string, file: string): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    await exportAccount(accounts, await findAccount(accounts, id), file, instantNow());
    cli.out(`what is stored about ${id} was written to ${file}`);
  });
}

function close(cli: Cli, id: string, file: string): Promise<void> {
  return withAccounts(cli, async (accounts, settings) => {
    const account = await findAccount(accounts, id);
    // The address is stored as a hash with the secret: with a different secret it would not be recognised.
    const secret = await readSameSecret(accounts, settings);
    await exportAccount(accounts, account, file, instantNow());
    const balance = await closeAccount(accounts, account, { at: instantNow(), secret });
    cli.out(`what was stored about ${id} was written to ${file}; the person is erased, the keys are stopped`);
    cli.out(`the ledger stays, with ${balance} credits left; notes of grants and what Stripe holds are not erased`);
  });
}

/**
 * Writes all personal data of a customer to a new JSON file that only its owner can read. It has its name, and is on the disk,
 * before anything is erased; one that cannot be written whole never gets its name. @throws ExpectedFault where the file exists.
 */
async function exportAccount(accounts: Database, account: Account, file: string, at: string): Promise<void> {
  if (existsSync(file)) throw new ExpectedFault(`${file} exists: nothing was written or erased; give another name`);
  await writeCopy(file, (part) => writeFile(part, writePersonalData(accounts, account, at)));
}

function changeState(cli: Cli, id: string, state: 'active' | 'frozen'): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    await findOpenAccount(accounts, id);
    if (!(await setAccountState(accounts, id, state))) throw closedForGood(id);
    cli.out(`account ${id} is ${state}`);
  });
}
