import { readAccount, readAccounts } from '../../schema/accounts-store.ts';
import { readLedger, verifyLedger } from '../../schema/ledger.ts';
import { ExpectedFault } from '../house.ts';
import { type AddCommand, type Cli, parseCount, withDatabases } from './command.ts';
import { formatTable } from './table.ts';

export const addLedger: AddCommand = (program, cli) => {
  const ledger = program
    .command('ledger')
    .description('Balances of all accounts, or the newest ledger lines of one')
    .argument('[account]', 'id of an account')
    .option('--limit <lines>', 'how many lines', parseCount, 50)
    .action((account: string | undefined, { limit }: { limit: number }) =>
      account ? listLines(cli, account, limit) : listBalances(cli),
    );
  ledger
    .command('verify')
    .description('Prove that every balance is the sum of its ledger and that nothing was charged twice')
    .action(() => verify(cli));
};

function listBalances(cli: Cli): Promise<void> {
  return withDatabases(cli, async ({ accounts }) => {
    const rows = await readAccounts(accounts);
    for (const line of formatTable(rows, ['id', 'name', 'state', 'balance', 'created_at'])) cli.out(line);
  });
}

function listLines(cli: Cli, id: string, limit: number): Promise<void> {
  return withDatabases(cli, async ({ accounts }) => {
    const account = await readAccount(accounts, id);
    if (!account) throw new ExpectedFault(`no account ${id}`);
    const lines = await readLedger(accounts, id, { limit });
    const columns = ['id', 'created_at', 'kind', 'action', 'credits', 'request_id', 'note'] as const;
    for (const line of formatTable(lines, columns)) cli.out(line);
    cli.out(`balance ${account.balance}`);
  });
}

function verify(cli: Cli): Promise<void> {
  return withDatabases(cli, async ({ accounts }) => {
    const { faults, ...counts } = await verifyLedger(accounts);
    for (const { fault, subject, detail } of faults) cli.out(`${fault}: ${subject} (${detail})`);
    if (faults.length > 0) throw new ExpectedFault(`the ledger has ${faults.length} faults`);
    cli.out(
      `the ledger is right: ${counts.accounts} accounts hold ${counts.held} credits; ` +
        `${counts.transfers} transfers, ${counts.charges} of them charges; every balance is the sum of its lines`,
    );
  });
}
