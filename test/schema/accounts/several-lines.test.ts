import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { LEDGER_LINES, type LedgerLine, readLedger } from '../../../schema/accounts/ledger/lines.ts';
import {
  type BalancedLine,
  readLedgerWhere,
  readUsage,
  readWholeLedger,
} from '../../../schema/accounts/ledger/pages.ts';
import { readHead, sealLedger } from '../../../schema/accounts/ledger/seal.ts';
import {
  grantStatement,
  LINES_MAX,
  REVENUE,
  readBalance,
  refundStatement,
} from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { chargeTogether } from '../../support/charges-together.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { findFaults, plant } from './tamper.ts';

const AT = '2026-11-21T12:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
let ann: string;
let ben: string;
/** Every line that was written to an account, in order: its key, request and credits as the account sees them. */
const written = new Map<string, Pick<LedgerLine, 'key' | 'request_id' | 'credits' | 'action' | 'key_id'>[]>();
let made = 0;

interface Given {
  action?: string;
  keyId?: string;
  credits?: number;
}

/** Charges in one row. */
function charge(
  account: string,
  lines: number,
  { action = 'lookup_thing', keyId = 'k1', credits = 2 }: Given = {},
): Statement {
  const charges = Array.from({ length: lines }, () => [`ch_${++made}`, `req_${made}`] as const);
  for (const [id, request] of charges)
    written.get(account)?.push({ key: `charge:${id}`, request_id: request, credits: -credits, action, key_id: keyId });
  return chargeTogether({ account, credits, action, keyId, at: AT, charges });
}

const gift = (account: string, credits: number): Statement => {
  const key = `g${++made}`;
  written.get(account)?.push({ key: `grant:${key}`, request_id: null, credits, action: null, key_id: null });
  return grantStatement({ key, accountId: account, credits, at: AT });
};

async function addAccount(name: string): Promise<string> {
  const { id } = await createAccount(accounts, { name, signupCredits: 5_000, at: AT });
  written.set(id, [{ key: `grant:${id}:signup`, request_id: null, credits: 5_000, action: null, key_id: null }]);
  return id;
}

beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
  [ann, ben] = [await addAccount('Ann'), await addAccount('Ben')];
  await accounts.write([charge(ann, 3), charge(ben, 4), charge(ann, 1), gift(ann, 7), charge(ann, 2, { credits: 5 })]);
  await accounts.write([
    charge(ann, LINES_MAX, { keyId: 'k2', credits: 1 }),
    charge(ben, 1),
    charge(ann, 5, { action: 'search_things' }),
    gift(ben, 1),
  ]);
  for (let at = 0; at < 12; at++)
    await accounts.write([
      charge(at % 3 ? ann : ben, 1 + (at % 5), at % 2 ? {} : { action: 'search_things', keyId: 'k2' }),
    ]);
});
afterAll(async () => {
  await accounts.close();
  await folder.remove();
});

const plain = ({ key, request_id, credits, action, key_id }: LedgerLine) => ({
  key,
  request_id,
  credits,
  action,
  key_id,
});
/** All lines of a ledger, page by page. */
async function pageThrough(
  limit: number,
  read: (page: { limit: number; before: number | undefined }) => Promise<LedgerLine[]>,
) {
  const found: LedgerLine[] = [];
  for (;;) {
    const page = await read({ limit, before: found.at(-1)?.id });
    expect(page.length).toBeLessThanOrEqual(limit);
    found.push(...page);
    if (page.length < limit) return found;
  }
}

describe('a row of several lines', () => {
  it('is read as a line for each charge, whatever the pages', async () => {
    for (const account of [ann, ben])
      for (const limit of [1, 2, 3, 7, 100, 1_000]) {
        const found = await pageThrough(limit, (page) => readLedger(accounts, account, page));
        expect(found.map(plain)).toEqual(written.get(account)?.toReversed());
      }
  });

  it('has lines that are numbered without gaps, as `@revenue` and all others receive them', async () => {
    const lines = await accounts.read<{ id: number }>({ sql: `SELECT id FROM (${LEDGER_LINES}) ORDER BY id` });
    expect(lines.map(({ id }) => id)).toEqual(lines.map((_, index) => index + 1));
    const received = await readLedger(accounts, REVENUE, { limit: 10_000 });
    const charged = [...written.values()].flat().filter(({ action }) => action);
    expect(received.map(({ key }) => key).toSorted()).toEqual(charged.map(({ key }) => key).toSorted());
    expect(received.reduce((sum, { credits }) => sum + credits, 0)).toBe(await readBalance(accounts, REVENUE));
  });

  it('is read from its first line on with the balance after each', async () => {
    const lines: BalancedLine[] = [];
    for await (const some of readWholeLedger(accounts, ann)) lines.push(...some);
    expect(lines.map(plain)).toEqual(written.get(ann));
    let balance = 0;
    expect(lines.map((line) => line.balance)).toEqual(written.get(ann)?.map(({ credits }) => (balance += credits)));
    expect(lines.at(-1)?.balance).toBe(await readBalance(accounts, ann));
  });

  it('is found by operation, key and kind, page by page', async () => {
    for (const filter of [
      { action: 'search_things' },
      { keyId: 'k2' },
      { kind: 'charge', action: 'lookup_thing' },
    ] as const)
      for (const limit of [1, 4, 300]) {
        const found = await pageThrough(limit, (page) => readLedgerWhere(accounts, ann, filter, page));
        const { action, keyId } = { action: undefined, keyId: undefined, ...filter };
        const wanted = written
          .get(ann)
          ?.filter(
            (line) => line.action && (action ?? line.action) === line.action && (keyId ?? line.key_id) === line.key_id,
          );
        expect(found.map(plain)).toEqual(wanted?.toReversed());
      }
  });

  it('counts as so many calls', async () => {
    const searches = written.get(ann)?.filter(({ action }) => action === 'search_things') ?? [];
    const usage = await readUsage(accounts, { accountId: ann, from: '2026-11-01', to: '2026-11-30', by: 'action' });
    expect(usage.find(({ part }) => part === 'search_things')).toEqual({
      part: 'search_things',
      calls: searches.length,
      credits: searches.reduce((sum, { credits }) => sum - credits, 0),
    });
    const { charges, lines } = await verifyLedger(accounts);
    const all = [...written.values()].flat();
    expect([charges, lines]).toEqual([all.filter(({ action }) => action).length, all.length]);
  });

  it('is not refunded, as nobody is refunded a look-up', async () => {
    const [line] = written.get(ann)?.filter(({ request_id }) => request_id) ?? [];
    const refund = refundStatement({ key: 'r', chargeId: line?.key.slice('charge:'.length) ?? '', credits: 1, at: AT });
    expect((await accounts.write([refund]))[0]?.changes).toBe(0);
    expect(await findFaults(accounts)).toEqual([]);
  });
});

/** The last: what is done here stays. */
describe('the proof of the ledger', () => {
  it('covers every line of a row by its seal', async () => {
    const lines = [...written.values()].flat().length;
    expect(await sealLedger(accounts, AT)).toBe(lines);
    const head = await readHead(accounts);
    expect(head?.line).toBe(lines);
    expect((await verifyLedger(accounts, head ?? undefined)).faults).toEqual([]);
    // More rows than one seal covers.
    for (let round = 0; round < 12; round++)
      await accounts.write(Array.from({ length: 4 }, () => charge(ben, 64, { credits: 1 })));
    expect(await sealLedger(accounts, AT)).toBe(3_072);
    const seals = await accounts.read<{ last_line: number }>({ sql: 'SELECT last_line FROM ledger_seal ORDER BY 1' });
    expect(seals.map(({ last_line }, index) => last_line - (seals[index - 1]?.last_line ?? 0))).toEqual([
      lines,
      1_984,
      1_088,
    ]);
    expect((await verifyLedger(accounts)).faults).toEqual([]);
  });

  const ofBen = '(SELECT max(id) FROM transfer WHERE lines = 64)';
  it.each([
    ['another request', `charges = replace(charges, '"req_', '"rec_')`, [/^sealed lines/]],
    [
      'a charge named twice',
      "charges = json_set(charges, '$[1]', json(charges -> '$[2]'))",
      [/^a key used more than once/, /^a request charged more/, /^sealed lines/],
    ],
    [
      'a line less',
      "lines = 63, credits = 63, charges = json_remove(charges, '$[63]')",
      [/^balance/, /^a line is missing/, /^sealed lines/],
    ],
    [
      'a line more',
      'lines = 65, credits = 65, charges = json_insert(charges, \'$[#]\', json(\'["n","m"]\'))',
      [/^a line is there twice/],
    ],
    ['charges that are not JSON', "charges = 'none'", [/^a line that is none/, /^sealed lines/]],
    [
      'something else than a charge',
      "charges = json_set(charges, '$[1]', 'ch_1')",
      [/^a line that is none/, /^sealed lines/],
    ],
    [
      'a charge without its request',
      "charges = json_remove(charges, '$[1][1]')",
      [/^a line that is none/, /^sealed lines/],
    ],
    [
      'a charge that is a number',
      "charges = json_set(charges, '$[1][0]', 7)",
      [/^a line that is none/, /^sealed lines/],
    ],
    ['no line', 'lines = 0', [/^a line that is none/]],
    ['a key that is not its first charge’s', "key = 'charge:ch_0'", [/^a line that is none/]],
    ['a request of the row itself', "request_id = 'req_0'", [/^a line that is none/]],
    ['credits that its lines cannot share', 'credits = 65', [/^a line that is none/]],
    ['several lines that are no charges', "kind = 'grant'", [/^a line that is none/]],
  ])('finds %s', async (_name, change, found) => {
    const [before] = await accounts.read<Record<string, number | string>>({
      sql: `SELECT kind, key, lines, credits, charges FROM transfer WHERE id = ${ofBen}`,
    });
    const [{ id } = { id: 0 }] = await accounts.read<{ id: number }>({ sql: `SELECT ${ofBen} AS id` });
    await plant(accounts, `UPDATE transfer SET ${change} WHERE id = ${id}`);
    const said = await findFaults(accounts);
    for (const each of found) expect(said).toContainEqual(expect.stringMatching(each));
    const values = Object.entries(before ?? {}).map(([column, value]) => `${column} = '${value}'`);
    await plant(accounts, `UPDATE transfer SET ${values.join(', ')}, request_id = NULL WHERE id = ${id}`);
    expect(await findFaults(accounts)).toEqual([]);
  });
});
