import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKey } from '../../../../schema/accounts/customer/account.ts';
import { readLedger } from '../../../../schema/accounts/ledger/lines.ts';
import { type LedgerFilter, readLedgerWhere, readUsage } from '../../../../schema/accounts/ledger/pages.ts';
import { grantStatement, refundStatement, topUpStatement } from '../../../../schema/accounts/ledger/transfers.ts';
import { chargeTogether } from '../../../support/charges-together.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { startHrana } from '../../../support/libsql-server.ts';
import { type Site, startSite } from '../site.ts';
import type { Visitor } from '../visitor.ts';

const OPERATIONS = ['search_notices', 'lookup_contract', 'bulk_export'];
/** Around midnight, so that lines of two days come mixed. */
const TIMES = ['2026-10-30T12:00:00Z', '2026-10-31T23:59:59Z', '2026-11-01T00:00:01Z', '2026-10-31T23:59:58Z'];
const LINES = 120;
/** The wall clock of the site, so that its months and days do not depend on when the tests run. */
const NOW = new Date('2026-11-20T12:00:00Z');

let site: Site;
let visitor: Visitor;
let accountId: string;
let keyIds: string[];

beforeAll(async () => {
  site = await startSite();
  vi.spyOn(site.services.clocks, 'wallNow').mockReturnValue(NOW);
  visitor = await site.addPerson({ email: 'ada@example.org' });
  const { accounts } = site.services;
  const [account] = await accounts.read<{ id: string }>({ sql: 'SELECT id FROM account ORDER BY rowid DESC LIMIT 1' });
  accountId = account?.id ?? '';
  const at = '2026-10-01T00:00:00Z';
  const named = ['=HYPERLINK("http://evil.example")', 'second'];
  const made = named.map((name) => createKey(accounts, { accountId, name, prefix: 'svc_live_', at }));
  keyIds = (await Promise.all(made)).map(({ id }) => id);
  await accounts.write([grantStatement({ key: 'more', accountId, credits: 100_000, note: '+more, "please"', at })]);
  for (let at = 0; at < LINES; at++) await charge(at);
  await accounts.write([
    refundStatement({ key: 'r', chargeId: 'ch_2', credits: 1, note: 'a row', at: '2026-11-05T00:00:00Z' }),
    topUpStatement({ key: 'pay_1', accountId, credits: 500, at: '2026-11-06T00:00:00Z' }),
    takeBack(200),
  ]);
});
afterAll(() => site?.close());

/** Adds one line, or now and then several in one row. */
async function charge(at: number): Promise<void> {
  const time = TIMES[at % TIMES.length] ?? '';
  const operation = OPERATIONS[at % 50 === 0 ? 2 : at % 2] ?? '';
  const args = [`charge:ch_${at}`, accountId, at + 1, operation, `req_${at}`, keyIds[at % 3 === 0 ? 0 : 1] ?? '', time];
  const sql = `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, created_at)
    VALUES (?, 'charge', ?, '@revenue', ?, ?, ?, ?, ?)`;
  if (at % 20 === 7) await addTogether(args, 2 + (at % 9));
  await site.services.accounts.write([{ sql, args }]);
}

/** What was charged in rows of several lines. */
const together = { calls: 0, credits: 0 };

/** Charges as `args` has it, together in one row. */
async function addTogether(args: readonly (string | number)[], lines: number): Promise<void> {
  const [key, account, credits, action, , keyId, at] = args as [string, string, number, string, string, string, string];
  together.calls += lines;
  together.credits += lines * credits;
  const charges = Array.from({ length: lines }, (_, place) => [`${key}-${place}`.slice(7), `req_${place}`] as const);
  await site.services.accounts.write([chargeTogether({ account, credits, action, keyId, at, charges })]);
}

const takeBack = (credits: number) => ({
  sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, corrects, created_at)
    SELECT key || ':back:1', 'top_up', to_account, '@mint', ?, id, '2026-11-07T00:00:00Z' FROM transfer WHERE key = 'top_up:pay_1'`,
  args: [credits],
});

const all = () => readLedger(site.services.accounts, accountId, { limit: 1_000 });

describe('the lines of a ledger that are wanted', () => {
  const filters: [string, () => LedgerFilter][] = [
    ['all', () => ({})],
    ['charges', () => ({ kind: 'charge' })],
    ['refunds', () => ({ kind: 'refund' })],
    ['top-ups, what was taken back among them', () => ({ kind: 'top_up' })],
    ['of an operation', () => ({ action: 'bulk_export' })],
    ['of a month that ends among others', () => ({ month: '2026-10' })],
    ['of the month after', () => ({ month: '2026-11' })],
    ['of a key', () => ({ keyId: keyIds[0] })],
    ['of all of these', () => ({ kind: 'charge', action: 'search_notices', keyId: keyIds[1], month: '2026-10' })],
    ['of nothing', () => ({ action: 'buyer_profile' })],
  ];

  it.each(filters)('are found page by page, the newest first: %s', async (_name, makeFilter) => {
    const { kind, action, keyId, month } = makeFilter();
    const expected = (await all()).filter(
      (line) =>
        (!kind || line.kind === kind) &&
        (!action || line.action === action) &&
        (!keyId || line.key_id === keyId) &&
        (!month || line.created_at.startsWith(month)),
    );
    const found = [];
    for (let before: number | undefined; ; ) {
      const page = await readLedgerWhere(site.services.accounts, accountId, makeFilter(), { limit: 7, before });
      found.push(...page);
      before = page.at(-1)?.id;
      if (page.length < 7) break;
    }
    expect(found).toEqual(expected);
  });

  it('are shown with their operation, key and charge, and can be gone through', async () => {
    const first = await visitor.get(`/dashboard/ledger?kind=charge&key=${keyIds[0]}&month=2026-11&colour=red`);
    expect(first.html).toContain('ch_114');
    expect(first.html).toContain('by =HYPERLINK(&quot;http://evil.example&quot;)');
    expect(first.html).not.toContain('ch_117');
    const page = await visitor.get('/dashboard/ledger');
    const next = /href="([^"]+)" rel="next"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await visitor.get(next)).html).toContain('Older entries');
    expect((await visitor.get('/dashboard/ledger?operation=buyer_profile')).html).toContain('No entry matches.');
    // Told in UTC, as the months are: at that instant it is an hour later in London.
    const summer = (await visitor.get('/dashboard/ledger?kind=grant')).html;
    expect(summer).toContain('When (UTC)');
    expect(summer).toMatch(/>1 Oct 2026<\/span> <span[^>]*>00:00</);
    for (const odd of ['before=-1', 'before=x', 'kind=theft', 'key=key_of_another', 'month=2026-13'])
      expect((await visitor.get(`/dashboard/ledger?${odd}`)).html).toContain('ch_119');
  });
});

it('a ledger of one kind is 503 where the accounts server goes away meanwhile, and the process lives on', async () => {
  const folder = await makeFolder();
  await (await makeDatabase(folder.path, 'accounts')).close();
  const server = await startHrana(join(folder.path, 'accounts.db'));
  const far = await startSite({ ACCOUNTS_URL: server.url });
  const person = await far.addPerson({ email: 'ben@example.org' });
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const { accounts } = far.services;
  const read = accounts.read.bind(accounts);
  accounts.read = (statement) => {
    if (statement.sql.includes('min(first_line)')) server.goAway();
    return read(statement);
  };
  expect((await person.get('/dashboard/ledger?kind=charge')).status).toBe(503);
  await server.comeBack();
  expect((await person.get('/dashboard')).status).toBe(200);
  expect(unhandled).not.toHaveBeenCalled();
  process.off('unhandledRejection', unhandled);
  await far.close();
  server.close();
  await folder.remove();
});

describe('the ledger as a file', () => {
  it('has every line in order, the balance after it, and no cell that a spreadsheet would run', async () => {
    const file = await visitor.get('/dashboard/ledger.csv');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename=ledger.csv');
    const rows = parse(file.html, { columns: true }) as Record<string, string>[];
    const lines = (await all()).toReversed();
    expect(rows.map(({ entry }) => Number(entry))).toEqual(lines.map(({ id }) => id));
    const sums = lines.map((_line, at) => lines.slice(0, at + 1).reduce((sum, { credits }) => sum + credits, 0));
    expect(rows.map(({ balance_after }) => Number(balance_after))).toEqual(sums);
    expect(rows.find(({ charge_id }) => charge_id === 'ch_0')?.key).toBe(`'=HYPERLINK("http://evil.example")`);
    expect(rows[1]?.note).toBe(`'+more, "please"`);
  });

  it('has the chosen month, with the balances of the whole', async () => {
    const file = await visitor.get('/dashboard/ledger.csv?month=2026-11&kind=refund');
    expect(file.headers.get('content-disposition')).toContain('ledger-2026-11.csv');
    const rows = parse(file.html, { columns: true }) as Record<string, string>[];
    expect(rows).toEqual([expect.objectContaining({ kind: 'refund', credits: '1', note: 'a row' })]);
    const charged = (LINES * (LINES + 1)) / 2 + together.credits;
    expect(Number(rows[0]?.balance_after)).toBe(250 + 100_000 - charged + 1);
    expect((await site.visitor().get('/dashboard/ledger.csv')).location).toBe('/sign-in?next=ledger');
  });
});

describe('usage', () => {
  it('is the sum of the charges by day, operation and key, less what was given back', async () => {
    const span = { accountId, from: '2026-10-01', to: '2026-11-30' };
    const charges = (await all()).filter(({ kind }) => kind === 'charge' || kind === 'refund');
    const spent = -charges.reduce((sum, { credits }) => sum + credits, 0);
    for (const by of ['day', 'action', 'key_id'] as const) {
      const parts = await readUsage(site.services.accounts, { ...span, by });
      expect(parts.reduce((sum, { credits }) => sum + credits, 0)).toBe(spent);
      expect(parts.reduce((sum, { calls }) => sum + calls, 0)).toBe(LINES + together.calls);
    }
    const days = await readUsage(site.services.accounts, { ...span, by: 'day' });
    expect(days.map(({ part }) => part)).toEqual(['2026-10-30', '2026-10-31', '2026-11-01']);
    const none = await readUsage(site.services.accounts, { ...span, accountId: 'acc_other', by: 'day' });
    expect(none).toEqual([]);
  });

  it('is shown for thirty days or ninety, with a picture and its table', async () => {
    const page = await visitor.get('/dashboard/usage?days=90');
    expect(page.html).toMatch(/<svg class="bars"[^>]* role="img"><title>Credits by day<\/title><desc>/);
    for (const words of ['Day by day', 'By operation', 'By key', 'bulk_export', 'second'])
      expect(page.html).toContain(words);
    expect((await visitor.get('/dashboard/usage?days=5000')).html).toContain('spent in 30 days');
    const newcomer = await site.addPerson({ email: 'new@example.org' });
    expect((await newcomer.get('/dashboard/usage')).html).toContain('Nothing was charged in this period');
  });
});
