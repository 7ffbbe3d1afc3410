import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { grantStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { pauseStatement, renameWatch, resumeStatements } from '../../../schema/accounts/watches/lifecycle.ts';
import { deliveryCredits } from '../../../schema/accounts/watches/outbox.ts';
import { DAY_MS, isoInstant } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import { award, makeMatcher } from '../watches/matcher.ts';
import { openAccount } from '../watches/seed.ts';

let matcher: Awaited<ReturnType<typeof makeMatcher>>;
beforeAll(async () => {
  matcher = await makeMatcher();
});
afterAll(() => matcher?.close());
afterEach(async () => {
  expect(await verifyLedger(matcher.accounts)).toMatchObject({ faults: [] });
});

/** A contract of random changes: its number, and what its versions were. */
interface Random {
  number: number;
  versions: { amount: number; title: string }[];
}

const WANTED = 50_000;
const VERSIONS_MAX = 11;

it('each state is told and charged once, in order, and none is lost, wherever and however a watch stops', async () => {
  const random = makeRandom('stops', 1);
  const below = (most: number) => Math.floor(random.next() * most);
  const account_id = await openAccount(matcher.accounts, 4);
  const common = { account_id, collection: 'contracts' as const, filters: `{"value_min":${WANTED}}` };
  const watches = [
    await matcher.watch({ ...common, credits_per_day_max: 4 }),
    await matcher.watch({ ...common, webhook: null, credits_per_day_max: 6 }),
    await matcher.watch({ ...common, webhook: null, every: 'day', due_at: '2026-06-02T05:00:00Z' }),
    await matcher.watch({ ...common, every: 'week', due_at: '2026-06-08T05:00:00Z', credits_per_day_max: 2 }),
    await matcher.watch({ ...common, changes: '["new","gone"]', credits_per_day_max: 4 }),
  ];
  const rows: Random[] = Array.from({ length: 70 }, (_, at) => ({ number: at + 1_001, versions: [] }));
  const change = async () => {
    const open = rows.filter(({ versions }) => versions.length < VERSIONS_MAX && random.next() < 0.4);
    await matcher.store(
      open.map(({ number, versions }) => {
        const amount = random.next() < 0.7 ? WANTED + below(3) : WANTED - 1;
        const title = `Wharf ${versions.length}`;
        versions.push({ amount, title });
        return award(number, title, undefined, { version: versions.length - 1, amount });
      }),
    );
  };
  let ms = Date.parse('2026-06-01T08:00:00Z');
  const pass = (byMs: number) => {
    ms += byMs;
    matcher.set(isoInstant(new Date(ms)));
  };
  let granted = 0;
  const grant = (credits: number) => {
    const gift = { key: `random ${++granted}`, accountId: account_id, credits, at: isoInstant(new Date(ms)) };
    return matcher.accounts.write([grantStatement(gift)]);
  };
  const atOnce = () => ({ rows: 1 + below(80), ofRun: 1 + below(80), ofDigest: 1 + below(160) });
  const steps = [
    change,
    change,
    () => grant(2 + 2 * below(9)),
    async () => pass(DAY_MS / 2),
    async () => void (await matcher.accounts.write([pauseStatement(watches[below(4)] ?? '', 'by_owner')])),
    async () => void (await matcher.accounts.write(resumeStatements(watches[below(4)] ?? '', new Date(ms)))),
    async () =>
      renameWatch(matcher.accounts, await matcher.readWatch(watches[0] ?? ''), {
        name: 'Wharves',
        creditsPerDay: 2 + 2 * below(3),
      }),
    async () => void (await matcher.match(killed(matcher.accounts, below(6)), atOnce()).catch(() => undefined)),
    () =>
      matcher.match(
        changing(matcher.accounts, () => random.next() < 0.1, change),
        atOnce(),
      ),
    () => matcher.match(matcher.accounts, atOnce()),
  ];
  for (let round = 0; round < 60; round++) await steps[below(steps.length)]?.();
  await grant(100_000);
  for (const id of watches) await matcher.accounts.write(resumeStatements(id, new Date(ms)));
  for (let day = 0; day < 100; day++) {
    pass(DAY_MS);
    await matcher.match(matcher.accounts, atOnce());
  }
  for (const id of watches) {
    const deliveries = await matcher.deliveries(id);
    expect(deliveries.map(({ credits }) => credits)).toEqual(deliveries.map(({ items }) => deliveryCredits(items)));
    expect((await matcher.readWatch(id)).position).toBe(await matcher.head());
    const items = await matcher.items(id);
    for (const { number, versions } of rows)
      judge(
        items.filter((one) => one.id.includes(`-00${number}`)),
        versions,
        id !== watches.at(-1),
      );
  }
});

/** What a watch was told of one row, compared with what the row was. */
function judge(
  told: Awaited<ReturnType<typeof matcher.items>>,
  versions: Random['versions'],
  hasUpdates: boolean,
): void {
  let had: number | null = null;
  let last = -1;
  for (const { change, changed, item } of told) {
    if (change === 'left') {
      expect(had).not.toBeNull();
      had = null;
      continue;
    }
    expect(change).toBe(had === null ? 'new' : 'updated');
    const version = versions.findIndex(({ title }) => title === item?.title);
    expect(version).toBeGreaterThan(last);
    expect(item?.value).toBe(versions[version]?.amount);
    const amounts = had === null ? [] : versions.slice(had, version + 1).map(({ amount }) => amount);
    const isOther = amounts.some((amount) => amount !== amounts[0]);
    expect(changed).toEqual(had === null ? expect.anything() : expect.arrayContaining(['title']));
    if (had !== null) expect(changed?.includes('value')).toBe(isOther);
    last = version;
    had = version;
  }
  const final = versions.at(-1);
  const isWanted = final !== undefined && final.amount >= WANTED;
  if (hasUpdates) expect(had).toBe(isWanted ? versions.length - 1 : null);
  else expect(had !== null).toBe(isWanted);
}

/** Accounts that are read while rows change: between the reading of documents and of contents, too. */
function changing(accounts: Database, isTime: () => boolean, change: () => Promise<void>): Database {
  const read: Database['read'] = async (statement) => {
    if (isTime()) await change();
    return accounts.read(statement);
  };
  return { ...accounts, read };
}

/** The accounts of a process that is killed after some writes. */
function killed(accounts: Database, writes: number): Database {
  let left = writes;
  const write: Database['write'] = async (statements) => {
    if (left-- <= 0) throw new Error('killed');
    return accounts.write(statements);
  };
  return { ...accounts, write };
}
