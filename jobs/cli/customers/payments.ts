import { readAllPayments, readEvents, readOwed } from '../../../schema/accounts/payments.ts';
import { parseCount } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withAccounts } from '../shared/command.ts';
import { AS_JSON, printJson, printRows } from '../shared/listing.ts';
import { countOf, formatTable } from '../shared/text.ts';

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

const EVENT_COLUMNS = ['received_at', 'id', 'type', 'subject', 'outcome'] as const;

export const addPayments: AddCommand = (command, cli) => {
  command
    .option('--limit <rows>', 'how many of each', parseCount, 50)
    .option(...AS_JSON)
    .action((flags: { limit: number; json?: boolean }) => list(cli, flags));
};

function list(cli: Cli, { limit, json }: { limit: number; json?: boolean }): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    const payments = await readAllPayments(accounts, limit);
    const rows = payments.map((payment) => ({ ...payment, pounds: (payment.amount / 100).toFixed(2) }));
    const owed = await readOwed(accounts);
    const events = await readEvents(accounts, limit);
    if (json) return printJson(cli, { payments: rows, owed_credits: owed, events });
    printRows(cli, { name: 'payments', rows, columns: LISTED, none: 'there are no payments' }, false);
    if (owed > 0)
      cli.out(
        `${countOf(owed, 'credit')} ${owed === 1 ? 'is' : 'are'} owed: spent before their payment was refunded or disputed`,
      );
    if (events.length === 0) return;
    cli.out('');
    cli.out('what Stripe reported:');
    for (const line of formatTable(events, EVENT_COLUMNS)) cli.out(line);
  });
}
