import { InvalidArgumentError } from 'commander';
import { createKey, readKeys, revokeKey, rollKey } from '../../../schema/accounts/customer/account.ts';
import { GRANTED_MAX } from '../../../schema/accounts/ledger/transfers.ts';
import { addHours, isoInstant, makeClocks } from '../../../schema/config/clocks.ts';
import { ExpectedFault, UsageFault } from '../../process/services.ts';
import { parseUntil, parseWhole } from '../shared/arguments.ts';
import { type AddCommand, type Cli, instantNow, withAccounts } from '../shared/command.ts';
import { AS_JSON, printRows } from '../shared/listing.ts';
import { findAccount, findOpenAccount } from './find-account.ts';

const LISTED = [
  'id',
  'name',
  'hint',
  'created_at',
  'last_used_at',
  'expires_at',
  'rolled_at',
  'former_until',
  'revoked_at',
  'monthly_cap',
  'spent',
] as const;

interface KeyFlags {
  name: string;
  expires?: Date;
  cap?: number;
}

export const addKey: AddCommand = (key, cli) => {
  key
    .command('create')
    .description('Create a key, shown only once')
    .argument('<account>', 'id of an account')
    .option('--name <name>', 'what it is for', 'made by the operator')
    .option('--expires <date>', 'works to the end of this London day, or to this instant', parseUntil)
    .option('--cap <credits>', 'most credits it may spend in a calendar month', parseWhole(1, GRANTED_MAX))
    .action((account: string, flags: KeyFlags) => create(cli, account, flags));
  key
    .command('list')
    .description("An account's keys, newest first")
    .argument('<account>', 'id of an account')
    .option(...AS_JSON)
    .action((account: string, { json }: { json?: boolean }) => list(cli, account, json));
  key
    .command('roll')
    .description('Give a key a new text, shown only once; the old one still works for a while')
    .argument('<account>', 'id of an account')
    .argument('<key>', 'id of a key')
    .option(
      '--grace <hours>',
      'hours that the old text still works (default: KEY_ROLL_HOURS; 0: it stops at once)',
      parseHours,
    )
    .action((account: string, id: string, { grace }: { grace?: number }) => roll(cli, account, id, grace));
  key
    .command('revoke')
    .description('Revoke a key; it works nowhere after 2 seconds')
    .argument('<account>', 'id of an account')
    .argument('<key>', 'id of a key')
    .action((account: string, id: string) => revoke(cli, account, id));
};

function create(cli: Cli, accountId: string, { name, expires, cap }: KeyFlags): Promise<void> {
  return withAccounts(cli, async (accounts, settings) => {
    await findOpenAccount(accounts, accountId);
    const at = instantNow();
    if (expires && isoInstant(expires) <= at) throw new UsageFault('the last day of a key must be in the future');
    const { id, key } = await createKey(accounts, {
      accountId,
      name,
      prefix: settings.KEY_PREFIX,
      at,
      ...(expires ? { expiresAt: isoInstant(expires) } : {}),
      ...(cap ? { monthlyCap: cap } : {}),
    });
    cli.out(`key ${id} made; it is shown this once and kept only as a hash:`);
    cli.out(key);
  });
}

function list(cli: Cli, accountId: string, asJson: boolean | undefined): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    await findAccount(accounts, accountId);
    printRows(cli, { name: 'keys', rows: await readKeys(accounts, accountId, instantNow()), columns: LISTED }, asJson);
  });
}

function roll(cli: Cli, accountId: string, keyId: string, grace: number | undefined): Promise<void> {
  return withAccounts(cli, async (accounts, settings) => {
    const hours = grace ?? settings.KEY_ROLL_HOURS;
    const at = makeClocks().wallNow();
    const formerUntil = isoInstant(addHours(at, hours));
    const prefix = settings.KEY_PREFIX;
    const rolled = await rollKey(accounts, { accountId, keyId, prefix, at: isoInstant(at), formerUntil });
    if (!rolled) throw noWorkingKey(accountId, keyId);
    cli.out(`key ${keyId} rolled; the old text works until ${rolled.formerUntil}, the new one is shown this once:`);
    cli.out(rolled.key);
  });
}

function revoke(cli: Cli, accountId: string, keyId: string): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    const revoked = await revokeKey(accounts, accountId, keyId, instantNow());
    if (!revoked) throw noWorkingKey(accountId, keyId);
    cli.out(`key ${keyId} revoked`);
  });
}

const noWorkingKey = (accountId: string, keyId: string) =>
  new ExpectedFault(`account ${accountId} has no working key ${keyId}: see \`key list ${accountId}\``);

function parseHours(text: string): number {
  if (/^\d{1,4}(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number of hours from 0 to 9999.');
}
