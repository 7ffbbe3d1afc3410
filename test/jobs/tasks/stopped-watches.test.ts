import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { grantStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { pauseStatement, renameWatch, resumeStatements } from '../../../schema/accounts/watches/lifecycle.ts';
import { deliveryCredits } from '../../../schema/accounts/watches/outbox.ts';
import { DAY_MS, isoInstant } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import { award, makeMatcher, tender } from '../watches/matcher.ts';
import { openAccount } from '../watches/seed.ts';

let matcher: Awaited<ReturnType<typeof makeMatcher>>;
beforeAll(async () => {
  matcher = await makeMatcher();
});
afterAll(() => matcher?.close());
afterEach(async () => {
  expect(await verifyLedger(matcher.accounts)).toMatchObject({ faults: [] });
  await matcher.accounts.write([{ sql: "UPDATE watch SET state = 'paused', reason = 'by_owner'" }]);
  matcher.set();
});

it('what changed again after the last change that a watch could pay for is told, and charged, once', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"jetty"}', credits_per_day_max: 2 });
  for (const version of [0, 1])
    await matcher.store(Array.from({ length: 30 }, (_, at) => tender(at + 1, `Jetty ${version}`, { version })));
  for (const day of [1, 2, 3]) {
    matcher.set(`2026-06-0${day}T08:00:00Z`);
    await matcher.match();
  }
  expect((await matcher.deliveries(id)).map(({ items, credits }) => [items, credits])).toEqual([
    [25, 2],
    [5, 2],
  ]);
  expect((await matcher.items(id)).every(({ change, item }) => change === 'new' && item?.title === 'Jetty 1')).toBe(
    true,
  );
});

it('what is told to match no more, and matches again before its watch can pay for the rest, is new', async () => {
  const account_id = await openAccount(matcher.accounts);
  const filters = '{"value_min":50000}';
  const changes = '["new","gone"]';
  const id = await matcher.watch({ account_id, collection: 'contracts', filters, changes, credits_per_day_max: 2 });
  const store = (version: number, amount: number, [from, to]: [number, number]) =>
    matcher.store(
      Array.from({ length: to - from + 1 }, (_, at) =>
        award(at + from, `Pier ${version}`, undefined, { version, amount }),
      ),
    );
  const match = async (day: number) => {
    matcher.set(`2026-06-0${day}T08:00:00Z`);
    await matcher.match();
  };
  await store(0, 60_000, [101, 126]);
  await match(1);
  await match(2);
  await store(1, 60_000, [101, 101]);
  await store(1, 40_000, [102, 126]);
  await store(2, 40_000, [101, 101]);
  await match(3);
  await store(3, 60_000, [101, 101]);
  await match(4);
  const first = (await matcher.items(id)).filter((one) => one.id.includes('000101'));
  expect(first.map(({ change }) => change)).toEqual(['new', 'left', 'new']);
});

it('what a watch was told of batches that a restored catalogue lost is no reason to leave out what has their numbers now', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"groyne"}' });
  const before = await matcher.head();
  for (const version of [0, 1, 2]) await matcher.store([tender(201, `Groyne ${version}`, { version })]);
  await matcher.match();
  await matcher.restoreTo(before, () => matcher.store([tender(201, 'Groyne of now')]));
  await matcher.match();
  expect((await matcher.items(id)).map(({ item }) => item?.title)).toEqual(['Groyne 2', 'Groyne of now']);
});

/** A contract of random changes: its number, and what its versions were. */
interface Random {
  number: number;
  versions: { amount: number; title: string }[];
}

const WANTED = 50_000;
const VERSIONS_MOST = 11;

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
  ];
  const rows: Random[] = Array.from({ length: 70 }, (_, at) => ({ number: at + 1_001, versions: [] }));
  const change = async () => {
    const open = rows.filter(({ versions }) => versions.length < VERSIONS_MOST && random.next() < 0.4);
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
    async () => void (await matcher.match(killed(matcher.accounts, below(6))).catch(() => undefined)),
    () => matcher.match(),
    () => matcher.match(),
  ];
  for (let round = 0; round < 60; round++) await steps[below(steps.length)]?.();
  await grant(100_000);
  for (const id of watches) await matcher.accounts.write(resumeStatements(id, new Date(ms)));
  for (let day = 0; day < 100; day++) {
    pass(DAY_MS);
    await matcher.match();
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
      );
  }
});

/** What a watch was told of one row, compared with what the row was. */
function judge(told: Awaited<ReturnType<typeof matcher.items>>, versions: Random['versions']): void {
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
  expect(had).toBe(final && final.amount >= WANTED ? versions.length - 1 : null);
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
