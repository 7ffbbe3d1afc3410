import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../schema/accounts/customer/account.ts';
import { grantStatement, readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { dropWaitingStatements } from '../../../schema/accounts/watches/dropped.ts';
import { resumeStatements } from '../../../schema/accounts/watches/lifecycle.ts';
import { WATCH_REASONS } from '../../../schema/accounts/watches/row.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeMatcher, tender } from './matcher.ts';
import { addDelivery, openAccount } from './seed.ts';

const PER_HOUR = 4;
const AGENT = { name: 'agent', prefix: 'svc_live_', at: '2026-06-01T08:00:00Z' };
/** Changes that a round matches. */
const CHANGES_AT_ONCE = 2_000;
let matcher: Awaited<ReturnType<typeof makeMatcher>>;
beforeAll(async () => {
  matcher = await makeMatcher({ WATCH_DELIVERIES_PER_HOUR: String(PER_HOUR) });
});
afterAll(() => matcher?.close());
afterEach(async () => {
  expect(await verifyLedger(matcher.accounts)).toMatchObject({ faults: [] });
  await matcher.accounts.write([{ sql: "UPDATE watch SET state = 'paused', reason = 'by_owner'" }]);
  matcher.set();
});

let made = 0;
const store = (title: string) => matcher.store([tender(++made, title)]);

describe('a watch that cannot deliver yet', () => {
  it('waits at its place without credits, says so, and delivers everything once there are some', async () => {
    const accountId = await openAccount(matcher.accounts, 2);
    const id = await matcher.watch({ account_id: accountId, filters: '{"query":"pigments"}' });
    await matcher.store(Array.from({ length: 60 }, (_, number) => tender(++made, `Pigments ${number}`)));
    await matcher.match();
    expect(await matcher.readWatch(id)).toMatchObject({ state: 'waiting', reason: 'no_credits' });
    expect(await matcher.deliveries(id)).toHaveLength(1);
    await matcher.match();
    expect(await matcher.deliveries(id)).toHaveLength(1);
    const gift = { key: 'pigments', accountId, credits: 100, at: '2026-06-01T08:00:00Z' };
    await matcher.accounts.write([grantStatement(gift)]);
    await matcher.match();
    expect(new Set((await matcher.items(id)).map((one) => one.id)).size).toBe(60);
    expect(await matcher.readWatch(id)).toMatchObject({
      state: 'active',
      reason: null,
      position: await matcher.head(),
    });
    expect(await readBalance(matcher.accounts, accountId)).toBe(96);
  });

  it('waits at the monthly cap of its key until the next month, and is paused once the key is revoked', async () => {
    const accountId = await openAccount(matcher.accounts);
    const key = await createKey(matcher.accounts, { ...AGENT, accountId, monthlyCap: 2 });
    const id = await matcher.watch({ account_id: accountId, key_id: key.id, filters: '{"query":"turbine"}' });
    await matcher.store(Array.from({ length: 26 }, (_, number) => tender(++made, `Turbine ${number}`)));
    await matcher.match();
    expect(await matcher.readWatch(id)).toMatchObject({ state: 'waiting', reason: 'key_cap' });
    matcher.set('2026-07-01T00:00:01Z');
    await matcher.match();
    expect(await matcher.items(id)).toHaveLength(26);
    await matcher.accounts.write([
      { sql: "UPDATE api_key SET revoked_at = '2026-07-01T00:00:01Z' WHERE id = ?", args: [key.id] },
    ]);
    await matcher.store([tender(++made, 'Turbine of the day')]);
    await matcher.match();
    expect(await matcher.readWatch(id)).toMatchObject({ state: 'paused', reason: 'key_revoked' });
    expect(await matcher.items(id)).toHaveLength(26);
  });

  it('is paused once the key that made it has expired, says so, and is resumed without that key', async () => {
    const accountId = await openAccount(matcher.accounts);
    const key = await createKey(matcher.accounts, { ...AGENT, accountId, expiresAt: '2026-06-02T00:00:00Z' });
    const id = await matcher.watch({ account_id: accountId, key_id: key.id, filters: '{"query":"glazing"}' });
    matcher.set('2026-06-02T00:00:00Z');
    await matcher.store([tender(++made, 'Glazing')]);
    await matcher.match();
    const { state, reason } = await matcher.readWatch(id);
    expect([state, WATCH_REASONS[reason ?? '']]).toEqual(['paused', expect.stringContaining('has expired')]);
    expect(await readBalance(matcher.accounts, accountId)).toBe(250);
    await matcher.accounts.write(resumeStatements(id, new Date('2026-06-02T00:00:00Z')));
    await matcher.match();
    expect(await matcher.items(id)).toHaveLength(1);
  });

  it('mails as much as the monthly cap of its key pays for, and the rest later', async () => {
    const accountId = await openAccount(matcher.accounts);
    const key = await createKey(matcher.accounts, { ...AGENT, accountId, monthlyCap: 4 });
    const mailed = { account_id: accountId, key_id: key.id, webhook: null, filters: '{"query":"lantern"}' };
    const due_at = '2026-06-02T06:00:00Z';
    const id = await matcher.watch({ ...mailed, every: 'day', due_at });
    await matcher.store(Array.from({ length: 60 }, (_, number) => tender(++made, `Lantern ${number}`)));
    matcher.set('2026-06-02T06:00:30Z');
    await matcher.match();
    expect(await matcher.readWatch(id)).toMatchObject({ state: 'waiting', reason: 'key_cap', due_at });
    expect((await matcher.deliveries(id)).map(({ items, credits }) => [items, credits])).toEqual([[50, 4]]);
    matcher.set('2026-07-01T00:00:01Z');
    await matcher.match();
    expect(new Set((await matcher.items(id)).map((one) => one.id)).size).toBe(60);
  });

  it('mails what it can still pay for, and is looked at no more until it can pay again', async () => {
    const rich = { account_id: await openAccount(matcher.accounts), credits_per_day_max: 12 };
    const poor = { account_id: await openAccount(matcher.accounts, 7) };
    const capped = { ...AGENT, accountId: rich.account_id, monthlyCap: 14 };
    const { id: key_id } = await createKey(matcher.accounts, capped);
    const filters = '{"query":"parapet"}';
    const ids = [];
    for (const one of [rich, { account_id: rich.account_id, key_id }, poor])
      ids.push(await matcher.watch({ ...one, filters, webhook: null }));
    for (const length of [1, 300]) {
      await matcher.store(Array.from({ length }, (_, number) => tender(++made, `Parapet ${number}`)));
      await matcher.match();
    }
    const sizes = ids.map(async (id) => (await matcher.deliveries(id)).map(({ items }) => items));
    expect(await Promise.all(sizes)).toEqual([
      [1, 125],
      [1, 150],
      [1, 50],
    ]);
    expect(await matcher.match()).toMatchObject({ changes: 0 });
  });

  it('delivers fewer items where it can pay for fewer, and does not wait', async () => {
    const account_id = await openAccount(matcher.accounts, 12);
    const mailed = { account_id, filters: '{"query":"culvert"}', webhook: null };
    const ids = [await matcher.watch(mailed), await matcher.watch(mailed)];
    await matcher.store(Array.from({ length: 100 }, (_, number) => tender(++made, `Culvert ${number}`)));
    await matcher.match();
    const states = await Promise.all(ids.map(async (id) => (await matcher.readWatch(id)).state));
    expect([states, await readBalance(matcher.accounts, account_id)]).toEqual([['active', 'active'], 4]);
    await matcher.match();
    const sizes = ids.map(async (id) => (await matcher.deliveries(id)).map(({ items }) => items));
    expect((await Promise.all(sizes)).toSorted()).toEqual([[100], [50]]);
    const reasons = await Promise.all(ids.map(async (id) => (await matcher.readWatch(id)).reason));
    expect(reasons.toSorted()).toEqual(['no_credits', null]);
  });

  it('spends again of its credits_per_day_max what was refunded for a delivery that was dropped', async () => {
    const account_id = await openAccount(matcher.accounts);
    const id = await matcher.watch({ account_id, credits_per_day_max: 2 });
    expect(await addDelivery(matcher.accounts, id, ['a'])).not.toBeNull();
    expect(await addDelivery(matcher.accounts, id, ['b'])).toBeNull();
    const dropped = { watchId: id, why: 'its watch was changed', at: '2026-06-01T09:00:00Z' };
    await matcher.accounts.write(dropWaitingStatements(dropped));
    expect(await addDelivery(matcher.accounts, id, ['b'])).not.toBeNull();
  });

  it('spends at most its credits_per_day_max in a day, and has what is new though it changed meanwhile', async () => {
    const id = await matcher.watch({
      account_id: await openAccount(matcher.accounts),
      filters: '{"query":"harness"}',
      changes: '["new"]',
      credits_per_day_max: 4,
    });
    const first = ++made;
    await matcher.store([tender(first, 'Harness 0')]);
    await matcher.store(Array.from({ length: 79 }, (_, number) => tender(++made, `Harness ${number + 1}`)));
    await matcher.store([tender(first, 'Harness of all', { version: 1 })]);
    await matcher.match();
    expect(await matcher.items(id)).toHaveLength(50);
    expect(await matcher.readWatch(id)).toMatchObject({ state: 'waiting', reason: 'daily_maximum' });
    matcher.set('2026-06-02T08:00:00Z');
    await matcher.match();
    expect(await matcher.items(id)).toHaveLength(80);
  });

  it('waits at the hourly limit of its account until the next hour, loses nothing and pays once', async () => {
    const accountId = await openAccount(matcher.accounts);
    const filters = '{"query":"gantry"}';
    const ids = [
      await matcher.watch({ account_id: accountId, filters }),
      await matcher.watch({ account_id: accountId, filters }),
    ];
    await matcher.store(Array.from({ length: 60 }, (_, number) => tender(++made, `Gantry ${number}`)));
    await matcher.match();
    const stands = async () =>
      (await Promise.all(ids.map(matcher.readWatch))).map(({ state, reason }) => [state, reason]);
    expect(await stands()).toContainEqual(['waiting', 'hourly_limit']);
    expect((await Promise.all(ids.map(matcher.deliveries))).flat()).toHaveLength(PER_HOUR);
    expect(await matcher.match()).toMatchObject({ deliveries: 0 });
    matcher.set('2026-06-01T09:00:00Z');
    await matcher.match();
    expect(await stands()).toEqual([
      ['active', null],
      ['active', null],
    ]);
    for (const id of ids) expect(new Set((await matcher.items(id)).map((one) => one.id)).size).toBe(60);
    expect(await readBalance(matcher.accounts, accountId)).toBe(250 - 2 * 3 * 2);
  });
});

describe('a watch far behind', () => {
  it('delays none that is up to date', async () => {
    const account_id = await openAccount(matcher.accounts);
    const behind = await matcher.watch({ account_id, filters: '{"query":"weirs"}' });
    await store('Weirs of before');
    const other = await matcher.watch({ account_id, filters: '{"query":"weirs"}' });
    await store('Weirs');
    await matcher.match();
    const [first, second] = [await matcher.deliveries(other), await matcher.deliveries(behind)];
    expect([first, second].map((some) => some.map(({ items }) => items))).toEqual([[1], [2]]);
    expect(first[0]?.number).toBeLessThan(second[0]?.number ?? 0);
  });

  it('is left to the next run once those before it took a minute, unless it is furthest behind', async () => {
    const watches: string[] = [];
    for (const title of ['Culverts of before', 'Culverts of then', 'Culverts']) {
      const account_id = await openAccount(matcher.accounts);
      watches.unshift(await matcher.watch({ account_id, filters: '{"query":"culverts"}' }));
      await store(title);
    }
    let minutes = 0;
    const write: Database['write'] = (statements) => {
      matcher.set(`2026-06-01T08:0${++minutes}:00Z`);
      return matcher.accounts.write(statements);
    };
    const items = async () =>
      Promise.all(watches.map(async (id) => (await matcher.deliveries(id)).map((one) => one.items)));
    await matcher.match({ ...matcher.accounts, write });
    expect(await items()).toEqual([[1], [], [3]]);
    await store('More culverts');
    await matcher.match();
    expect(await items()).toEqual([[1, 1], [3], [3, 1]]);
  });

  it('catches up over several runs, and what came meanwhile is not after it', async () => {
    const account_id = await openAccount(matcher.accounts);
    const filters = '{"query":"sluices"}';
    const behind = await matcher.watch({ account_id, filters });
    await matcher.store([
      ...Array.from({ length: CHANGES_AT_ONCE }, () => tender(++made, 'Meals')),
      tender(++made, 'Sluices'),
    ]);
    // A minute passes with the first statement.
    const write: Database['write'] = (statements) => {
      matcher.set('2026-06-01T08:01:00Z');
      return matcher.accounts.write(statements);
    };
    const other = await matcher.watch({ account_id, filters });
    expect(await matcher.match({ ...matcher.accounts, write })).toMatchObject({ deliveries: 0 });
    await store('More sluices');
    await matcher.match();
    const [first, second] = [await matcher.deliveries(other), await matcher.deliveries(behind)];
    expect([first, second].map((some) => some.map(({ items }) => items))).toEqual([[1], [2]]);
    expect(first[0]?.number).toBeLessThan(second[0]?.number ?? 0);
  });
});
