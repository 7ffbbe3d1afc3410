import { InvalidArgumentError } from 'commander';
import { readAccount } from '../../../schema/accounts/customer/account.ts';
import { type LedgerLine, readLedger } from '../../../schema/accounts/ledger/lines.ts';
import { countUnsealed, formatHead, parseHead, type Seal } from '../../../schema/accounts/ledger/seal.ts';
import { type LedgerReport, verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { HOUR_MS } from '../../../schema/config/clocks.ts';
import type { Settings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { accountsFile, assertPages } from '../../backup/accounts.ts';
import { ExpectedFault, UsageFault } from '../../process/services.ts';
import { parseCount, parseNumber } from '../shared/arguments.ts';
import { type AddCommand, type Cli, note, withAccounts } from '../shared/command.ts';
import { AS_JSON, printJson } from '../shared/listing.ts';
import { countOf, formatTable } from '../shared/text.ts';
import { listAccounts } from './account.ts';
import { noAccount } from './find-account.ts';

/** More than the proof of a hundred million lines takes. */
const PROOF_MS = HOUR_MS;

interface Page {
  limit?: number;
  /** Id of a line. */
  before?: number;
  json?: boolean;
}

export const addLedger: AddCommand = (ledger, cli) => {
  ledger
    .command('list', { isDefault: true })
    .description('Balances of all accounts, or the ledger of one, newest line first')
    .argument('[account]', 'id of an account')
    .option('--limit <lines>', 'how many lines (default: 50)', parseCount)
    .option('--before <line>', 'lines older than this one', parseNumber)
    .option(...AS_JSON)
    .action((account: string | undefined, page: Page) =>
      account ? listLines(cli, account, page) : listBalances(cli, page),
    );
  ledger
    .command('verify')
    .description('Prove that every balance is the sum of its ledger and that nothing was charged twice')
    .option(
      '--head <line:digest>',
      'a head that you kept elsewhere: also prove that no line up to it has changed',
      parseExternalHead,
    )
    .action(({ head }: { head?: Seal }) => verify(cli, head));
};

function listBalances(cli: Cli, { limit, before, json }: Page): Promise<void> {
  if (limit || before) throw new UsageFault('--limit and --before are for the lines of one account: say which');
  return listAccounts(cli, json);
}

function listLines(cli: Cli, id: string, { limit = 50, before, json }: Page): Promise<void> {
  return withAccounts(cli, async (accounts) => {
    const account = await readAccount(accounts, id);
    if (!account) throw noAccount(id);
    const found = await readLedger(accounts, id, { limit: limit + 1, before });
    const lines = found.slice(0, limit).map((line) => toLine(line, id));
    const older = found.length > limit ? lines.at(-1)?.id : null;
    if (json) return printJson(cli, { account: id, balance: account.balance, lines, older_before: older ?? null });
    const columns = ['id', 'created_at', 'kind', 'action', 'credits', 'key', 'corrects', 'request_id', 'note'] as const;
    for (const line of formatTable(lines, columns)) cli.out(line);
    if (older) cli.out(`older lines: --before ${older}`);
    cli.out(`balance ${account.balance}`);
  });
}

/** With the key that makes it happen once: a charge's id, as its answer named it; a payment's; the key of a grant. */
function toLine(line: LedgerLine, account: string) {
  const key = line.key.slice(line.kind.length + 1);
  return { ...line, key: key.startsWith(`${account}:`) ? key.slice(account.length + 1) : key };
}

function verify(cli: Cli, externalHead: Seal | undefined): Promise<void> {
  return withAccounts(cli, async (accounts, settings) => {
    if (accounts.url.startsWith('file:')) await assertPages(accounts, accountsFile(settings));
    const { faults, head, ...counts } = await prove(accounts, settings, externalHead);
    for (const { fault, subject, detail } of faults) cli.out(`${fault}: ${subject} (${detail})`);
    if (faults.length > 0) throw new ExpectedFault(`the ledger has ${countOf(faults.length, 'fault')}`);
    cli.out(
      `the ledger is right: ${countOf(counts.accounts, 'account')} ${counts.accounts === 1 ? 'holds' : 'hold'} ${countOf(counts.credits, 'credit')}; ` +
        `${countOf(counts.lines, 'line')}, ${counts.charges} of them charges; every balance is the sum of its lines`,
    );
    await note(cli, 'ledger_verify');
    if (externalHead) for (const line of await describeSince(accounts, externalHead)) cli.out(line);
    const unsealed = await countUnsealed(accounts);
    cli.out(head ? `head ${formatHead(head)}; ${countOf(unsealed, 'line')} since` : 'no line is sealed yet');
  });
}

/** On a server, which takes a second for each fifty thousand lines, on a connection that waits for it. */
async function prove(accounts: Database, settings: Settings, externalHead: Seal | undefined): Promise<LedgerReport> {
  const { ACCOUNTS_URL: url, ACCOUNTS_AUTH_TOKEN: authToken } = settings;
  if (url.startsWith('file:')) return await verifyLedger(accounts, externalHead);
  const deadlineMs = { read: PROOF_MS, write: PROOF_MS };
  const server = await openDatabase({ url, authToken, durability: 'full', readOnly: true, deadlineMs });
  return await verifyLedger(server, externalHead).finally(() => server.close());
}

/** What was added to the sealed lines since a head was kept: it reveals lines that nobody granted. */
async function describeSince(accounts: Database, { line }: Seal): Promise<string[]> {
  const rows = await accounts.read<{ kind: string; lines: number; credits: number }>({
    sql: 'SELECT kind, sum(lines) AS lines, sum(credits) AS credits FROM transfer WHERE id > ? GROUP BY kind ORDER BY kind',
    args: [line],
  });
  const parts = rows.map(({ kind, lines, credits }) => `${countOf(lines, kind)} of ${countOf(credits, 'credit')}`);
  return [`every line up to ${line} is as it was; since then ${parts.join(', ') || 'nothing'}`];
}

function parseExternalHead(text: string): Seal {
  const head = parseHead(text);
  if (head) return head;
  throw new InvalidArgumentError('Expected a head such as `ledger verify` shows: 120:9f86d0…, with all 64 digits.');
}
