import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { award, makeMatcher, tender } from './matcher.ts';
import { openAccount } from './seed.ts';

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

let made = 0;

describe('a watch', () => {
  it('delivers what came since it was made and matches, once, for two credits', async () => {
    const accountId = await openAccount(matcher.accounts);
    await matcher.store([tender(++made, 'Bridges of before')]);
    const id = await matcher.watch({ account_id: accountId, filters: '{"query":"bridge"}' });
    await matcher.store([tender(++made, 'Bridge repairs'), tender(++made, 'School meals'), tender(++made, 'A bridge')]);
    await matcher.match();
    expect((await matcher.items(id)).map(({ change, item }) => [change, item?.title])).toEqual([
      ['new', 'Bridge repairs'],
      ['new', 'A bridge'],
    ]);
    expect(await readBalance(matcher.accounts, accountId)).toBe(248);
    expect(await matcher.match()).toMatchObject({ deliveries: 0 });
    expect(await readBalance(matcher.accounts, accountId)).toBe(248);
  });

  it.each(['tunnels', '***'])(
    'costs nothing where nothing matches, and stands at the last change: %s',
    async (query) => {
      const accountId = await openAccount(matcher.accounts);
      const id = await matcher.watch({ account_id: accountId, filters: JSON.stringify({ query }) });
      await matcher.store([tender(++made, 'Bridge repairs')]);
      await matcher.match();
      expect(await matcher.deliveries(id)).toEqual([]);
      expect(await matcher.readWatch(id)).toMatchObject({ position: await matcher.head(), state: 'active' });
      expect(await readBalance(matcher.accounts, accountId)).toBe(250);
    },
  );

  it('delivers up to 25 items at once, in the order of the changes', async () => {
    const accountId = await openAccount(matcher.accounts);
    const id = await matcher.watch({ account_id: accountId, filters: '{"query":"lanterns"}' });
    await matcher.store(Array.from({ length: 30 }, (_, number) => tender(++made, `Lanterns ${number}`)));
    await matcher.match();
    expect((await matcher.deliveries(id)).map(({ items: count, credits }) => [count, credits])).toEqual([
      [25, 2],
      [5, 2],
    ]);
    expect(new Set((await matcher.items(id)).map((one) => one.id)).size).toBe(30);
  });

  it('says what was updated, and once what no longer matches', async () => {
    const wanted = { account_id: await openAccount(matcher.accounts), filters: '{"query":"orchard"}' };
    const [id, late] = [await matcher.watch(wanted), await matcher.watch(wanted)];
    const turn = (state: string) =>
      matcher.accounts.write([{ sql: 'UPDATE watch SET state = ? WHERE id = ?', args: [state, late] }]);
    const number = ++made;
    const other = ++made;
    await matcher.store([tender(number, 'Orchard work')]);
    await matcher.match();
    await matcher.store([tender(number, 'Orchard work in Leeds', { version: 1 }), tender(other, 'Meadow work')]);
    await matcher.match();
    await turn('paused');
    await matcher.store([tender(number, 'Gardens in Leeds', { version: 2 }), tender(other, 'Meadows', { version: 1 })]);
    await matcher.match();
    await matcher.store([tender(number, 'Gardens in York', { version: 3 })]);
    await matcher.match();
    await turn('active');
    await matcher.match();
    for (const each of [id, late])
      expect((await matcher.items(each)).map(({ change, item }) => [change, item?.title])).toEqual([
        ['new', 'Orchard work'],
        ['updated', 'Orchard work in Leeds'],
        ['left', undefined],
      ]);
    expect((await matcher.items(id))[1]?.changed).toContain('title');
  });

  it('watches contracts too, by their suppliers and values', async () => {
    const accountId = await openAccount(matcher.accounts);
    const filters = '{"query":"brightwater","value_min":50000}';
    const id = await matcher.watch({ account_id: accountId, collection: 'contracts', filters });
    await matcher.store([award(++made, 'Window cleaning')]);
    await matcher.match();
    expect(await matcher.items(id)).toMatchObject([
      { kind: 'contract', change: 'new', item: { title: 'Window cleaning' } },
    ]);
  });

  it('says that what met its filters for the first time is new, as the changes do', async () => {
    const accountId = await openAccount(matcher.accounts);
    const filters = '{"value_min":1000000}';
    const id = await matcher.watch({ account_id: accountId, collection: 'contracts', filters });
    const number = ++made;
    for (const [version, amount] of [90_000, 2_000_000, 3_000_000].entries()) {
      await matcher.store([award(number, 'Lift work', undefined, { version, amount })]);
      await matcher.match();
    }
    expect((await matcher.items(id)).map(({ change, item }) => [change, item?.value])).toEqual([
      ['new', 2_000_000],
      ['updated', 3_000_000],
    ]);
    // A row that went and came back between two runs is not new.
    await matcher.store([award(number, 'Lift work', undefined, { version: 3, status: 'cancelled' })]);
    await matcher.store([award(number, 'Lift work', undefined, { version: 4, amount: 4_000_000 })]);
    await matcher.match();
    expect((await matcher.items(id)).at(-1)).toMatchObject({ change: 'updated', item: { value: 4_000_000 } });
  });

  it('of what is new has what a notice brings into the state that it looks for', async () => {
    const wanted = { account_id: await openAccount(matcher.accounts), changes: '["new"]' };
    const open = await matcher.watch({
      ...wanted,
      collection: 'tenders',
      filters: '{"query":"ferry","status":"open"}',
    });
    const active = await matcher.watch({ ...wanted, collection: 'contracts', filters: '{"status":"active"}' });
    const [tendered, awarded] = [++made, ++made];
    const storeBoth = (version: number, status: string, ends: string) =>
      matcher.store([
        tender(tendered, 'Ferry crossing', { version, status }),
        award(awarded, 'Ferry repairs', ends, { version }),
      ]);
    await storeBoth(0, 'cancelled', '2026-05-25');
    await matcher.match();
    await storeBoth(1, 'active', '2027-05-25');
    await matcher.match();
    await storeBoth(2, 'active', '2028-05-25');
    await matcher.match();
    const items = [...(await matcher.items(open)), ...(await matcher.items(active))];
    expect(items.map(({ change, item }) => [change, item?.title])).toEqual([
      ['new', 'Ferry crossing'],
      ['new', 'Ferry repairs'],
    ]);
  });
});

describe('a digest', () => {
  it('has as updated what a notice kept open in time, though it had closed since without that', async () => {
    const wanted = { account_id: await openAccount(matcher.accounts), collection: 'tenders' as const };
    const filters = '{"query":"viaduct","status":"open"}';
    const all = await matcher.watch({ ...wanted, filters });
    const updates = await matcher.watch({ ...wanted, filters, changes: '["updated"]' });
    const number = ++made;
    const until = (endDate: string, version = 0) => tender(number, 'Viaduct', { version, endDate });
    await matcher.store([until('2026-06-02T12:00:00Z')], '2026-06-01T07:00:00Z');
    await matcher.match();
    await matcher.store([until('2026-06-20T12:00:00Z', 1)], '2026-06-02T10:00:00Z');
    matcher.set('2026-06-03T06:00:00Z');
    await matcher.match();
    expect((await matcher.items(all)).map(({ change }) => change)).toEqual(['new', 'updated']);
    expect((await matcher.items(updates)).map(({ change }) => change)).toEqual(['updated']);
  });

  it('of contracts that end within months reckons them from the day of each run', async () => {
    const accountId = await openAccount(matcher.accounts);
    const filters = '{"ends_within":6}';
    const id = await matcher.watch({ account_id: accountId, collection: 'contracts', filters });
    await matcher.store([award(++made, 'Soon', '2026-11-30'), award(++made, 'Later', '2026-12-31')]);
    await matcher.match();
    matcher.set('2026-07-02T08:00:00Z');
    await matcher.store([award(++made, 'Later too', '2026-12-31'), award(++made, 'Much later', '2027-03-31')]);
    await matcher.match();
    expect((await matcher.items(id)).map(({ item }) => item?.title)).toEqual(['Soon', 'Later too']);
  });

  it('is made at its hour alone, of everything since the one before, and paid by the 25 items', async () => {
    const accountId = await openAccount(matcher.accounts);
    const wanted = { account_id: accountId, webhook: null, filters: '{"query":"lattice"}' };
    const id = await matcher.watch({ ...wanted, every: 'day', due_at: '2026-06-02T06:00:00Z' });
    const weekly = await matcher.watch({ ...wanted, every: 'week', due_at: '2026-06-08T06:00:00Z' });
    await matcher.store(Array.from({ length: 30 }, (_, number) => tender(++made, `Lattice ${number}`)));
    await matcher.match();
    expect(await matcher.deliveries(id)).toEqual([]);
    matcher.set('2026-06-02T06:00:30Z');
    await matcher.match();
    expect(await matcher.deliveries(id)).toMatchObject([{ items: 30, credits: 4 }]);
    // Seven in the morning in London, where it is summer.
    expect(await matcher.readWatch(id)).toMatchObject({ due_at: '2026-06-03T06:00:00Z' });
    // Where nothing changed until its hour, what comes in the afternoon waits for the next.
    matcher.set('2026-06-03T06:00:30Z');
    await matcher.match();
    matcher.set('2026-06-03T14:00:00Z');
    await matcher.store([tender(++made, 'Lattice of the afternoon')]);
    await matcher.match();
    expect(await matcher.readWatch(id)).toMatchObject({ due_at: '2026-06-04T06:00:00Z' });
    expect(await matcher.deliveries(id)).toHaveLength(1);
    expect(await matcher.readWatch(weekly)).toMatchObject({ due_at: '2026-06-08T06:00:00Z' });
    expect(await matcher.deliveries(weekly)).toEqual([]);
  });
});

it('delivers from now on where the catalogue was restored to an older state', async () => {
  const id = await matcher.watch({
    account_id: await openAccount(matcher.accounts),
    position: (await matcher.head()) + 1_000,
    filters: '{"query":"monsoon"}',
  });
  await matcher.match();
  await matcher.store([tender(++made, 'Monsoon drains')]);
  await matcher.match();
  expect(await matcher.items(id)).toMatchObject([{ change: 'new', item: { title: 'Monsoon drains' } }]);
});

it('misses nothing where a restored catalogue has passed its cursor again', async () => {
  const id = await matcher.watch({ account_id: await openAccount(matcher.accounts), filters: '{"query":"lagoon"}' });
  const titles = async () => (await matcher.items(id)).map(({ item }) => item?.title);
  const older = await matcher.head();
  await matcher.store([tender(++made, 'Lagoon that is lost')]);
  await matcher.store([tender(++made, 'School meals')]);
  await matcher.match();
  expect(await titles()).toEqual(['Lagoon that is lost']);
  const since = ['Lagoon dredging', 'Lagoon bridges', 'Lagoon lamps'];
  await matcher.restoreTo(older, async () => {
    for (const title of since) await matcher.store([tender(++made, title)]);
  });
  await matcher.match();
  const all = ['Lagoon that is lost', ...since];
  expect(await titles()).toEqual(all);
  await matcher.match();
  expect(await titles()).toEqual(all);
});

it('delivers and charges once what is fetched again after the catalogue was restored to an older state', async () => {
  const accountId = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id: accountId, filters: '{"query":"estuary"}' });
  const [same, changed] = [++made, ++made];
  const older = await matcher.head();
  const published = [tender(same, 'Estuary piers'), tender(changed, 'Estuary lamps')];
  await matcher.store(published);
  await matcher.match();
  const again = [tender(same, 'Estuary piers'), tender(changed, 'Estuary lights', { version: 1 })];
  await matcher.restoreTo(older, () => matcher.store(again));
  await matcher.match();
  const titles = (await matcher.items(id)).map(({ item }) => item?.title);
  expect(titles).toEqual(['Estuary piers', 'Estuary lamps', 'Estuary lights']);
  await matcher.restoreTo(older, () => matcher.store(again));
  await matcher.match();
  expect(await matcher.items(id)).toHaveLength(3);
  expect(await readBalance(matcher.accounts, accountId)).toBe(250 - 4);
});
