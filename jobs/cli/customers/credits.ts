import { randomUUID } from 'node:crypto';
import {
  GRANTED_MAX,
  grantStatement,
  readGrant,
  readGranted,
  takeBackStatement,
  writeWithBalance,
} from '../../../schema/accounts/ledger/transfers.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { ExpectedFault } from '../../process/services.ts';
import { parseNumber, parseWhole } from '../shared/arguments.ts';
import { type AddCommand, type Cli, instantNow, withAccounts } from '../shared/command.ts';
import { countOf } from '../shared/text.ts';
import { closedForGood, findAccount, findOpenAccount } from './find-account.ts';

interface Giving {
  note?: string;
  once?: string;
}

interface Taking {
  credits?: number;
  reason: string;
}

export const addCredits: AddCommand = (credits, cli) => {
  credits
    .command('grant')
    .description('Give credits to an account')
    .argument('<account>', 'id of an account')
    .argument('<credits>', 'how many', parseWhole(1, GRANTED_MAX))
    .option('--note <text>', 'why, for its ledger')
    .option('--once <key>', 'gives them once, however often the command runs with this key')
    .action((id: string, amount: number, flags: Giving) => grant(cli, id, amount, flags));
  credits
    .command('take')
    .description('Take back all or part of a mistaken grant, with a correcting ledger line')
    .argument('<account>', 'id of an account')
    .argument('<line>', 'the line of the grant in `ledger list`', parseNumber)
    .requiredOption('--reason <text>', 'why, for its ledger')
    .option('--credits <credits>', 'how many (default: all that is left of the grant)', parseWhole(1, GRANTED_MAX))
    .action((id: string, line: number, flags: Taking) => take(cli, id, line, flags));
};

function grant(cli: Cli, id: string, credits: number, { note, once }: Giving): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    const key = once ? `${id}:cli:${once}` : `${id}:cli:${randomUUID()}`;
    await findOpenAccount(accounts, id);
    const giving = grantStatement({ key, accountId: id, credits, at: instantNow(), ...(note ? { note } : {}) });
    const { isDone, balance } = await writeWithBalance(accounts, id, [giving]);
    if (!isDone) await assertSame(accounts, id, key, credits);
    cli.out(
      isDone ? `${countOf(credits, 'credit')} granted; balance ${balance}` : `granted before; balance ${balance}`,
    );
  });
}

/** @throws ExpectedFault where the key was used for a different amount, or not at all, as the account was closed since. */
async function assertSame(accounts: Database, id: string, key: string, credits: number): Promise<void> {
  const before = await readGranted(accounts, key);
  if (!before) throw closedForGood(id);
  if (before.credits !== credits)
    throw new ExpectedFault(
      `this key gave ${countOf(before.credits, 'credit')} at ${before.at}, not ${credits}: nothing was granted; use another --once`,
    );
}

function take(cli: Cli, id: string, line: number, { credits: wanted, reason }: Taking): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    const { balance } = await findAccount(accounts, id);
    const found = await readGrant(accounts, id, line);
    if (!found) throw new ExpectedFault(`line ${line} is no grant to ${id}: see \`ledger list ${id}\``);
    const { left } = found;
    if (left === 0) return cli.out(`taken back before; balance ${balance}`);
    const credits = wanted ?? left;
    if (credits > left)
      throw new ExpectedFault(`${left} of ${found.credits} credits are left of that grant, not ${credits}`);
    if (credits > balance) throw new ExpectedFault(`the balance is ${balance}: ${describeMost(balance)}`);
    const taking = takeBackStatement({ accountId: id, line, credits, left, note: reason, at: instantNow() });
    const done = await writeWithBalance(accounts, id, [taking]);
    if (!done.isDone)
      throw new ExpectedFault('the balance or the grant changed meanwhile: nothing was taken; try again');
    cli.out(`${countOf(credits, 'credit')} taken back; balance ${done.balance}`);
  });
}

const describeMost = (balance: number) =>
  balance === 0 ? 'nothing can be taken' : `take at most that, with --credits ${balance}`;
