import { text } from 'node:stream/consumers';
import { pauseBounced, readBounced, readBounceTags } from '../../../schema/accounts/watches/bounces.ts';
import { readDeliveries } from '../../../schema/accounts/watches/deliveries.ts';
import { pauseStatement, resumeStatements } from '../../../schema/accounts/watches/lifecycle.ts';
import { isoInstant, makeClocks } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { readSameSecret } from '../../process/same-secret.ts';
import { ExpectedFault } from '../../process/services.ts';
import { parseCount, parseEmail } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withAccounts } from '../shared/command.ts';
import { AS_JSON, printRows } from '../shared/listing.ts';
import { findAccount } from './find-account.ts';

/** Their addresses may contain a customer's secret: only the host is shown. */
const LIST = `SELECT w.id, w.account_id, w.name, w.collection, w.filters, w.every, w.webhook, w.state, w.reason,
    (SELECT count(*) FROM watch_delivery d WHERE d.watch_id = w.id AND d.status = 'waiting') AS waiting,
    w.last_delivered_at, w.created_at
  FROM watch w WHERE (?1 IS NULL OR w.account_id = ?1) AND (?2 = 0 OR w.state <> 'active')
  ORDER BY w.created_at DESC, w.id DESC LIMIT ?3`;
const LISTED = ['id', 'account_id', 'name', 'collection', 'every', 'to', 'state', 'reason', 'waiting'] as const;
const DELIVERIES = [
  ...(['id', 'kind', 'status', 'items', 'credits', 'created_at', 'attempts', 'next_attempt_at'] as const),
  ...(['delivered_at', 'answer_status', 'answer_ms', 'error'] as const),
] as const;

interface ListFlags {
  account?: string;
  stopped?: boolean;
  limit: number;
  json?: boolean;
}

export const addWatches: AddCommand = (watches, cli) => {
  watches
    .command('list')
    .description('Watches, newest first: where each delivers, and why one waits or is paused')
    .option('--account <account>', 'of this account alone')
    .option('--stopped', 'only those that wait or are paused')
    .option('--limit <watches>', 'how many', parseCount, 50)
    .option(...AS_JSON)
    .action((flags: ListFlags) => list(cli, flags));
  watches
    .command('pause')
    .description('Pause a watch; only `watches resume` lets it continue')
    .argument('<watch>', 'id of a watch')
    .action((id: string) => pause(cli, id));
  watches
    .command('resume')
    .description('Resume a watch where it was paused, even one that its owner paused')
    .argument('<watch>', 'id of a watch')
    .action((id: string) => resume(cli, id));
  watches
    .command('deliveries')
    .description('What a watch delivered, newest first, and what its receiver answered')
    .argument('<watch>', 'id of a watch')
    .option('--limit <deliveries>', 'how many', parseCount, 25)
    .option(...AS_JSON)
    .action((id: string, flags: { limit: number; json?: boolean }) => listDeliveries(cli, id, flags));
  watches
    .command('bounced')
    .description('Pause every watch that is mailed to an address, as its mail came back')
    .argument(
      '[address]',
      'an e-mail address; without one, the message that came back is read from standard input',
      parseEmail,
    )
    .action((address: string | undefined) => bounced(cli, address));
};

function list(cli: Cli, { account, stopped, limit, json }: ListFlags): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    if (account) await findAccount(accounts, account);
    const args = [account ?? null, stopped ? 1 : 0, limit];
    const found = await accounts.read<ListedRow>({ sql: LIST, args });
    const rows = found.map(({ webhook, filters, ...row }) => ({
      ...row,
      filters: JSON.parse(filters) as unknown,
      to: webhook === null ? 'mail' : hostOf(webhook),
    }));
    printRows(cli, { name: 'watches', rows, columns: LISTED, none: 'there are no such watches' }, json);
  });
}

interface ListedRow extends Record<Exclude<(typeof LISTED)[number], 'to'>, string | number | null> {
  webhook: string | null;
  filters: string;
}

function hostOf(webhook: string): string {
  return URL.canParse(webhook) ? new URL(webhook).host : '';
}

function pause(cli: Cli, id: string): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    await findWatch(accounts, id);
    const [outcome] = await accounts.write([pauseStatement(id, 'by_operator')]);
    cli.out(outcome?.changes === 1 ? `watch ${id} is paused` : `watch ${id} was paused before`);
  });
}

function resume(cli: Cli, id: string): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    await findWatch(accounts, id);
    const outcomes = await accounts.write(resumeStatements(id, makeClocks().wallNow(), { by: 'operator' }));
    cli.out(outcomes.at(-1)?.changes === 1 ? `watch ${id} continues where it stood` : `watch ${id} was not paused`);
  });
}

function listDeliveries(cli: Cli, id: string, { limit, json }: { limit: number; json?: boolean }): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    const { account_id: accountId } = await findWatch(accounts, id);
    const found = await readDeliveries(accounts, { accountId, watchId: id }, { limit });
    const rows = found.map(({ body: _body, ...row }) => ({
      ...row,
      next_attempt_at: row.status === 'waiting' ? isoInstant(new Date(row.next_attempt_at)) : null,
    }));
    printRows(cli, { name: 'deliveries', rows, columns: DELIVERIES, none: 'it has delivered nothing' }, json);
  });
}

/** Run by a mail server for each message to MAIL_BOUNCES. A message that reports no failed mail changes nothing. */
function bounced(cli: Cli, address: string | undefined): Promise<void> {
  return withAccounts(cli, async (accounts, settings) => {
    const tags = address === undefined ? readBounceTags(await text(process.stdin)) : [];
    const email = address ?? (await readBounced(accounts, tags, await readSameSecret(accounts, settings)));
    if (email === null) return cli.out('no mail of a watch came back for good: nothing was changed');
    const paused = await pauseBounced(accounts, email);
    cli.out(`${paused} ${paused === 1 ? 'watch' : 'watches'} mailed to ${email} paused`);
  });
}

/** @throws ExpectedFault where no watch has the id. */
async function findWatch(accounts: Database, id: string): Promise<{ account_id: string }> {
  const [found] = await accounts.read<{ account_id: string }>({
    sql: 'SELECT account_id FROM watch WHERE id = ?',
    args: [id],
  });
  if (!found) throw new ExpectedFault(`no watch ${id}: see \`watches list\``);
  return found;
}
