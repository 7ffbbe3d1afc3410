import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
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

it('what changed again after more than is matched at once is told and charged once, with all changes', async () => {
  const account_id = await openAccount(matcher.accounts);
  const common = { account_id, collection: 'contracts' as const, filters: '{"value_min":50000}' };
  const news = await matcher.watch({ ...common, filters: '{"query":"quay"}' });
  const storeAll = (version: number, amount = 60_000) =>
    matcher.store(
      Array.from({ length: 25 }, (_, at) => award(at + 301, `Quay ${version}`, undefined, { version, amount })),
    );
  await storeAll(0);
  const updates = await matcher.watch(common);
  await storeAll(1);
  await matcher.store(Array.from({ length: 60 }, (_, at) => award(at + 401, 'Meals', undefined, { amount: 1_000 })));
  await storeAll(2, 70_000);
  await matcher.match(matcher.accounts, { rows: 20, ofRun: 20, ofDigest: 20 });
  for (const [id, change, changed] of [
    [news, 'new', []],
    [updates, 'updated', ['title', 'value']],
  ] as const) {
    const deliveries = await matcher.deliveries(id);
    expect(deliveries.reduce((sum, { credits }) => sum + credits, 0)).toBe(4);
    const items = await matcher.items(id);
    expect(new Set(items.map((one) => one.id)).size).toBe(25);
    expect(items).toEqual(
      Array(25).fill(
        expect.objectContaining({
          change,
          changed: expect.arrayContaining([...changed]),
          item: expect.objectContaining({ title: 'Quay 2', value: 70_000 }),
        }),
      ),
    );
  }
});

it('what changes while it is matched is told as it then is, once, and only if it still matches', async () => {
  const account_id = await openAccount(matcher.accounts);
  const common = { account_id, collection: 'contracts' as const, filters: '{"value_min":50000}' };
  const id = await matcher.watch(common);
  const store = (version: number, amounts: number[]) =>
    matcher.store(amounts.map((amount, at) => award(at + 501, `Slip ${version}`, undefined, { version, amount })));
  await store(0, [60_000, 60_000, 60_000]);
  const late = [70_000, 40_000];
  const through: Database = {
    ...matcher.accounts,
    async read(statement) {
      // The documents are matched after what was delivered before is read.
      if (late.length > 0 && statement.sql.includes('watch_item')) await store(1, late.splice(0));
      return matcher.accounts.read(statement);
    },
  };
  await matcher.match(through);
  await matcher.match();
  const told = (await matcher.items(id)).map(({ change, item }) => [change, item?.title, item?.value]);
  expect(told.sort()).toEqual([
    ['new', 'Slip 0', 60_000],
    ['new', 'Slip 1', 70_000],
  ]);
});

it('what a watch passed as matching no more, with a change still ahead, is new where it matches again', async () => {
  const account_id = await openAccount(matcher.accounts);
  const wanted = { collection: 'contracts' as const, filters: '{"value_min":50000}', changes: '["new"]' };
  const id = await matcher.watch({ account_id, ...wanted });
  const store = (version: number, amount: number) =>
    matcher.store([award(601, `Mole ${version}`, undefined, { version, amount })]);
  await store(0, 60_000);
  await store(1, 40_000);
  let isPassed = false;
  const killed: Database = {
    ...matcher.accounts,
    async write(statements) {
      if (isPassed) throw new Error('killed');
      const outcomes = await matcher.accounts.write(statements);
      // The watch has advanced over the first change.
      isPassed = statements.some(({ sql }) => sql.includes('SET position = ?1, position_id = ?2'));
      return outcomes;
    },
  };
  await expect(matcher.match(killed, { rows: 1, ofRun: 1, ofDigest: 1 })).rejects.toThrow('killed');
  await store(2, 60_000);
  await matcher.match();
  expect((await matcher.items(id)).map(({ change, item }) => [change, item?.title])).toEqual([['new', 'Mole 2']]);
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

it('what has the number of a batch that a restored catalogue lost is told', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"groyne"}' });
  const before = await matcher.head();
  for (const version of [0, 1, 2]) await matcher.store([tender(201, `Groyne ${version}`, { version })]);
  await matcher.match();
  await matcher.restoreTo(before, () => matcher.store([tender(201, 'Groyne of now')]));
  await matcher.match();
  expect((await matcher.items(id)).map(({ item }) => item?.title)).toEqual(['Groyne 2', 'Groyne of now']);
});

it('brings back what it told of lost batches a part at a time, however much that is', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"jetty"}' });
  const before = await matcher.head();
  for (const version of [0, 1]) await matcher.store([tender(202, `Jetty ${version}`, { version })]);
  await matcher.match();
  const sql = `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
    INSERT INTO watch_item (watch_id, item_id, at, seq, gone) SELECT ?, 'told-' || i, '2026-06-01T08:00:00Z', ?, 1 FROM n`;
  await matcher.accounts.write([{ sql, args: [id, before + 2] }]);
  await matcher.restoreTo(before, () => matcher.store([tender(202, 'Jetty of now')]));
  const changed: number[] = [];
  const through: Database = {
    ...matcher.accounts,
    async write(statements) {
      const outcomes = await matcher.accounts.write(statements);
      changed.push(...outcomes.map(({ changes }) => changes));
      return outcomes;
    },
  };
  await matcher.match(through);
  expect(Math.max(...changed)).toBeLessThanOrEqual(20_000);
  const ahead = { sql: 'SELECT count(*) AS n FROM watch_item WHERE watch_id = ? AND seq > ?', args: [id, before + 1] };
  expect(await matcher.accounts.read(ahead)).toEqual([{ n: 0 }]);
  expect((await matcher.items(id)).map(({ item }) => item?.title)).toEqual(['Jetty 1', 'Jetty of now']);
});

it('what changes after it was read to be matched waits for the next run', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, collection: 'contracts', filters: '{"value_min":50000}' });
  const store = (version: number, numbers: number[]) =>
    matcher.store(numbers.map((number) => award(number, `Weir ${version}`, undefined, { version })));
  await store(0, [701, 702, 703]);
  let looks = 0;
  const through: Database = {
    ...matcher.accounts,
    async read(statement) {
      // At each look another row changes.
      if (looks < 9 && statement.sql.includes('w CROSS JOIN watch_item')) await store(++looks, [701 + (looks % 3)]);
      return matcher.accounts.read(statement);
    },
  };
  await matcher.match(through);
  expect(looks).toBe(2);
  await matcher.match();
  expect((await matcher.items(id)).map(({ change, item }) => [change, item?.title])).toEqual([
    ['new', 'Weir 0'],
    ['new', 'Weir 1'],
    ['new', 'Weir 0'],
    ['updated', 'Weir 2'],
  ]);
});

it('what a watch was told during a run of batches that a restored catalogue lost is no such reason either', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"sluice"}' });
  await matcher.store([tender(203, 'Sluice')]);
  const before = await matcher.head();
  const lost = [tender(203, 'Sluice that is lost', { version: 1 })];
  const through: Database = {
    ...matcher.accounts,
    async read(statement) {
      // The documents are matched after what was delivered before is read.
      if (lost.length > 0 && statement.sql.includes('watch_item')) await matcher.store(lost.splice(0));
      return matcher.accounts.read(statement);
    },
  };
  await matcher.match(through);
  await matcher.restoreTo(before, () => matcher.store([tender(203, 'Sluice of now', { version: 2 })]));
  await matcher.match();
  expect((await matcher.items(id)).map(({ item }) => item?.title)).toEqual(['Sluice that is lost', 'Sluice of now']);
});
