import { readAllPayments, readEvents, readOwed } from '../../schema/payments.ts';
import { type AddCommand, type Cli, parseCount, withDatabases } from './command.ts';
import { formatTable } from './table.ts';

const LISTED = [
  'created_at',
  'id',
  'account_id',
  'state',
  'credits',
  'pounds',
  'taken_back',
  'shortfall',
  'payment_intent',
] as const;

export const addPayments: AddCommand = (program, cli) => {
  program
    .command('payments')
    .description(
      'Top-ups by card, what refunds and disputes took back, and what of it is owed; then the events behind them',
    )
    .option('--limit <rows>', 'how many of each', parseCount, 50)
    .action(({ limit }: { limit: number }) => list(cli, limit));
};

function list(cli: Cli, limit: number): Promise<void> {
  return withDatabases(cli, async ({ accounts }) => {
    const payments = await readAllPayments(accounts, limit);
    const rows = payments.map((payment) => ({ ...payment, pounds: (payment.amount / 100).toFixed(2) }));
    for (const line of formatTable(rows, LISTED)) cli.out(line);
    const owed = await readOwed(accounts);
    if (owed > 0) cli.out(`${owed} credits are owed: they were spent before their payment was refunded or disputed`);
    cli.out('');
    const events = await readEvents(accounts, limit);
    for (const line of formatTable(events, ['received_at', 'id', 'type', 'subject', 'outcome'])) cli.out(line);
  });
}
