import { afterAll, beforeAll, expect, it } from 'vitest';
import { composeDeliveries } from '../../../jobs/watches/compose.ts';
import type { DueWatch } from '../../../schema/accounts/watches/outbox.ts';
import { makeMatcher, tender } from '../watches/matcher.ts';
import { openAccount } from '../watches/seed.ts';

const AT_ONCE = { rows: 50, ofRun: 50, ofDigest: 20_000 };
/** More than are matched at once. */
const CHANGES = 60;

let matcher: Awaited<ReturnType<typeof makeMatcher>>;
beforeAll(async () => {
  matcher = await makeMatcher();
});
afterAll(() => matcher?.close());

/** Entries of rows that were deleted: more than the log answers at once. */
const DELETED = `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
  INSERT INTO change (kind, seq, id, change) SELECT 'notice', (SELECT value FROM counter WHERE name = 'seq'), 'deleted-' || i, 'gone' FROM n`;
const match = () => matcher.match(matcher.accounts, AT_ONCE);
let made = 0;
const store = (title: string, version = 0, number = ++made) => matcher.store([tender(number, title, { version })]);

it('a digest is one delivery of all that it found, paid by the 25 items', async () => {
  const account_id = await openAccount(matcher.accounts);
  const wanted = { account_id, webhook: null, every: 'week', filters: '{"query":"sluices"}' } as const;
  const id = await matcher.watch({ ...wanted, due_at: '2026-06-01T06:00:00Z' });
  const ofRuns = await matcher.watch({ account_id, filters: '{"query":"sluices"}' });
  await store('Sluices of the mill');
  const mill = made;
  await store('Sluices that are drained');
  const drained = made;
  await matcher.store(Array.from({ length: CHANGES }, () => tender(++made, 'Meals')));
  await matcher.catalogue.write([{ sql: DELETED }]);
  await store('Sluices of the weir');
  const weir = made;
  await store('Sluices of the old mill', 1, mill);
  await store('Ditches', 1, drained);
  await store('Sluices of the lock');
  await match();
  expect(await matcher.deliveries(id)).toMatchObject([{ items: 3, credits: 2 }]);
  const told = (await matcher.items(id)).map(({ change, item }) => [change, item?.title]);
  expect(told).toEqual([
    ['new', 'Sluices of the old mill'],
    ['new', 'Sluices of the weir'],
    ['new', 'Sluices of the lock'],
  ]);
  expect(await matcher.readWatch(id)).toMatchObject({ position: await matcher.head(), due_at: '2026-06-08T06:00:00Z' });
  // What is sent after each run is not held back: it comes in parts.
  expect((await matcher.deliveries(ofRuns)).map(({ items }) => items)).toEqual([1, 2]);
  // The next digest tells of changes, and once of what left.
  matcher.set('2026-06-08T06:00:30Z');
  await store('Dams', 2, mill);
  await store('Ponds', 3, mill);
  await store('Sluices of the long weir', 1, weir);
  await match();
  const next = (await matcher.items(id)).slice(told.length).map(({ change, item }) => [change, item?.title]);
  expect(next).toEqual([
    ['left', undefined],
    ['updated', 'Sluices of the long weir'],
  ]);
  expect(await matcher.deliveries(id)).toHaveLength(2);
});

it('a digest that a watch cannot pay for at once continues where it stopped', async () => {
  const account_id = await openAccount(matcher.accounts);
  const first = Array.from({ length: 24 }, () => ++made);
  const last = Array.from({ length: 5 }, () => ++made);
  const storeAll = (numbers: number[], version: number) =>
    matcher.store(numbers.map((number) => tender(number, `Weirs ${version}`, { version })));
  await storeAll([...first, ...last], 0);
  matcher.set('2026-06-08T08:00:00Z');
  const wanted = { account_id, webhook: null, every: 'week', filters: '{"query":"weirs"}' } as const;
  const paid = { changes: '["updated"]', credits_per_day_max: 2, due_at: '2026-06-08T06:00:00Z' };
  const id = await matcher.watch({ ...wanted, ...paid });
  // New at first, which this watch does not want, and changed after more than is matched at once.
  await storeAll([++made], 0);
  const late = made;
  await storeAll(first, 1);
  await matcher.store(Array.from({ length: CHANGES }, () => tender(++made, 'Meals')));
  await storeAll([late], 1);
  await storeAll(last, 1);
  await storeAll(first.slice(0, 1), 2);
  await match();
  expect(await matcher.deliveries(id)).toMatchObject([{ items: 25, credits: 2 }]);
  matcher.set('2026-06-09T08:00:00Z');
  await match();
  const told = (await matcher.items(id)).map((item) => item.id);
  const timesOf = (number: number) => told.filter((one) => one.startsWith(String(number).padStart(6, '0'))).length;
  expect([...first, ...last].map(timesOf)).toEqual(Array(29).fill(1));
});

it('a digest tells how a row changed since the digest before it', async () => {
  const account_id = await openAccount(matcher.accounts);
  await store('Quays');
  const old = made;
  matcher.set('2026-06-08T08:00:00Z');
  const filters = '{"query":"quays","status":"open"}';
  const due = { every: 'week', due_at: '2026-06-08T06:00:00Z' } as const;
  const wanted = { account_id, webhook: null, collection: 'tenders', filters, ...due } as const;
  const ofNew = await matcher.watch({ ...wanted, changes: '["new"]' });
  const ofUpdates = await matcher.watch({ ...wanted, changes: '["updated"]' });
  await store('Quays');
  const fresh = made;
  await matcher.store([tender(old, 'Quays', { version: 1, status: 'cancelled' })]);
  await matcher.store(Array.from({ length: CHANGES }, () => tender(++made, 'Meals')));
  await store('Quays', 1, fresh);
  await store('Quays', 2, old);
  await match();
  const told = async (id: string) => (await matcher.items(id)).map((one) => Number(one.id.slice(0, 6)));
  expect([await told(ofNew), await told(ofUpdates)]).toEqual([[fresh], [old]]);
});

it('a delivery is composed only when it is asked for, and not once its watch cannot pay', () => {
  const composed = new Set<string>();
  const contents = new Map<string, object>();
  contents.get = (id) => {
    composed.add(id);
    return { title: 'Wharves' };
  };
  const refused = new Set<string>();
  const watch = { id: 'poor', position: 0, position_id: '', payable: 2 } as DueWatch;
  const change = {
    kind: 'notice',
    change: 'new',
    seq: 1,
    at: null,
    since: null,
    changed: [] as string[],
    before: null,
    after: null,
  } as const;
  const items = Array.from({ length: 100 }, (_, at) => {
    const entry = { ...change, id: `${at}` };
    return { id: entry.id, change: entry.change, row: { ...entry, entries: [entry] }, seq: 1, delivered: undefined };
  });
  const matched = [
    { watch, items, passed: [] },
    { watch: { ...watch, id: 'rich' }, items: items.slice(0, 1), passed: [] },
  ];
  const to = { seq: 1, id: '~' };
  const deliveries = composeDeliveries(matched, { contents, to, now: new Date('2026-06-01'), refused });
  expect(deliveries.next().value?.watch.id).toBe('poor');
  expect(composed.size).toBe(25);
  refused.add('poor');
  expect([...deliveries].map((one) => one.watch.id)).toEqual(['rich']);
  expect(composed.size).toBe(25);
});
