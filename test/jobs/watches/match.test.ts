import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import { withLease } from '../../../jobs/process/lease.ts';
import { matchWatches } from '../../../jobs/watches/match.ts';
import { createKey } from '../../../schema/accounts/customer/account.ts';
import { grantStatement, readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { type DeliveryRow, readDeliveries } from '../../../schema/accounts/watches/deliveries.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { readChangeBounds } from '../../../schema/catalogue/changes/read.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, packageOf, read, reference } from '../../ingest/compile/releases.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { addWatch, openAccount, SERVICE_SECRET } from './seed.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
let now = new Date('2026-06-01T08:00:00Z');
beforeAll(async () => {
  built = await makeJobServices({ AUTH_SECRET: SERVICE_SECRET });
});
afterAll(() => built?.close());
afterEach(async () => {
  expect(await verifyLedger(accounts())).toMatchObject({ faults: [] });
  await accounts().write([{ sql: "UPDATE watch SET state = 'paused', reason = 'by_owner'" }]);
  now = new Date('2026-06-01T08:00:00Z');
});

const accounts = () => built.services.accounts;
let made = 0;

async function store(releases: JsonObject[]) {
  const page = read(packageOf(releases), 'find_a_tender');
  const fetched = { source: 'find_a_tender', fetchedAt: '2026-06-01T00:00:00Z', before: [], after: [] };
  await storePage(built.services.catalogue, { ...fetched, ...page });
}

/** A tender of its own process; a later release of the same number changes it. */
const tender = (number: number, title: string, { version = 0, status = 'active' } = {}) =>
  actRelease(`${String(number).padStart(6, '0')}-2026`, `2026-05-${20 + version}T10:00:00Z`, {
    ocid: `ocds-h6vhtk-${String(number).padStart(6, '0')}`,
    tag: version === 0 ? ['tender'] : ['tenderUpdate'],
    tender: { id: `T${number}`, title, status, tenderPeriod: { endDate: '2027-01-31T12:00:00Z' } },
  });

const award = (number: number, title: string) =>
  actRelease(`${String(number).padStart(6, '0')}-2026`, '2026-05-20T10:00:00Z', {
    ocid: `ocds-h6vhtk-${String(number).padStart(6, '0')}`,
    tag: ['award', 'contract'],
    tender: { id: `T${number}`, title },
    buyer: reference(COUNCIL),
    parties: [COUNCIL, BRIGHT],
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], value: { amount: 90_000, currency: 'GBP' } }],
  });

async function match() {
  const clocks = { catalogueNow: () => now, wallNow: () => now };
  const done = await withLease(accounts(), 'watches', { holder: 'a test' }, (holding) =>
    matchWatches({ ...built.services, clocks }, holding),
  );
  if (!done.held) throw new Error('another process has the lease');
  return done.result;
}

const head = async () => (await readChangeBounds(built.services.catalogue)).head;

async function watchOf(id: string): Promise<WatchRow> {
  const [row] = await accounts().read<WatchRow>({ sql: 'SELECT * FROM watch WHERE id = ?', args: [id] });
  if (!row) throw new Error(`no watch ${id}`);
  return row;
}

/** The deliveries of a watch, oldest first. */
async function deliveries(id: string): Promise<DeliveryRow[]> {
  const { account_id: accountId } = await watchOf(id);
  return (await readDeliveries(accounts(), { accountId, watchId: id }, { limit: 100 })).reverse();
}

interface Listed {
  change: string;
  id: string;
  changed?: string[];
  item?: { title: string };
}

async function items(id: string): Promise<Listed[]> {
  return (await deliveries(id)).flatMap(({ body }) => JSON.parse(body ?? '').data.items as Listed[]);
}

/** A watch that begins now. */
async function watch(more: Partial<WatchRow> & { account_id: string }) {
  return (await addWatch(accounts(), { position: await head(), ...more })).id;
}

describe('a watch', () => {
  it('delivers what came since it was made and matches, once, for two credits', async () => {
    const accountId = await openAccount(accounts());
    await store([tender(++made, 'Bridges of before')]);
    const id = await watch({ account_id: accountId, filters: '{"query":"bridge"}' });
    await store([tender(++made, 'Bridge repairs'), tender(++made, 'School meals'), tender(++made, 'A bridge')]);
    await match();
    expect((await items(id)).map(({ change, item }) => [change, item?.title])).toEqual([
      ['new', 'Bridge repairs'],
      ['new', 'A bridge'],
    ]);
    expect(await readBalance(accounts(), accountId)).toBe(248);
    expect(await match()).toMatchObject({ deliveries: 0 });
    expect(await readBalance(accounts(), accountId)).toBe(248);
  });

  it('costs nothing where nothing matches, and stands at the last change', async () => {
    const accountId = await openAccount(accounts());
    const id = await watch({ account_id: accountId, filters: '{"query":"tunnels"}' });
    await store([tender(++made, 'Bridge repairs')]);
    await match();
    expect(await deliveries(id)).toEqual([]);
    expect(await watchOf(id)).toMatchObject({ position: await head(), state: 'active' });
    expect(await readBalance(accounts(), accountId)).toBe(250);
  });

  it('delivers up to 25 items at once, in the order of the changes', async () => {
    const accountId = await openAccount(accounts());
    const id = await watch({ account_id: accountId, filters: '{"query":"lanterns"}' });
    await store(Array.from({ length: 30 }, (_, number) => tender(++made, `Lanterns ${number}`)));
    await match();
    expect((await deliveries(id)).map(({ items: count, credits }) => [count, credits])).toEqual([
      [25, 2],
      [5, 2],
    ]);
    expect(new Set((await items(id)).map((one) => one.id)).size).toBe(30);
  });

  it('says what was updated, and what no longer matches of what it delivered', async () => {
    const id = await watch({ account_id: await openAccount(accounts()), filters: '{"query":"orchard"}' });
    const number = ++made;
    const other = ++made;
    await store([tender(number, 'Orchard work')]);
    await match();
    await store([tender(number, 'Orchard work in Leeds', { version: 1 }), tender(other, 'Meadow work')]);
    await match();
    await store([tender(number, 'Gardens in Leeds', { version: 2 }), tender(other, 'Meadows', { version: 1 })]);
    await match();
    expect((await items(id)).map(({ change, item }) => [change, item?.title])).toEqual([
      ['new', 'Orchard work'],
      ['updated', 'Orchard work in Leeds'],
      ['left', undefined],
    ]);
    expect((await items(id))[1]?.changed).toContain('title');
  });

  it('watches contracts too, by their suppliers and values', async () => {
    const accountId = await openAccount(accounts());
    const filters = '{"query":"brightwater","value_min":50000}';
    const id = await watch({ account_id: accountId, collection: 'contracts', filters });
    await store([award(++made, 'Window cleaning')]);
    await match();
    expect(await items(id)).toMatchObject([{ kind: 'contract', change: 'new', item: { title: 'Window cleaning' } }]);
  });
});

describe('a watch that cannot pay', () => {
  it('waits at its place without credits, says so, and delivers everything once there are some', async () => {
    const accountId = await openAccount(accounts(), 2);
    const id = await watch({ account_id: accountId, filters: '{"query":"pigments"}' });
    await store(Array.from({ length: 60 }, (_, number) => tender(++made, `Pigments ${number}`)));
    await match();
    expect(await watchOf(id)).toMatchObject({ state: 'waiting', reason: 'no_credits' });
    expect(await deliveries(id)).toHaveLength(1);
    await match();
    expect(await deliveries(id)).toHaveLength(1);
    const gift = { key: 'pigments', accountId, credits: 100, at: '2026-06-01T08:00:00Z' };
    await accounts().write([grantStatement(gift)]);
    await match();
    expect(new Set((await items(id)).map((one) => one.id)).size).toBe(60);
    expect(await watchOf(id)).toMatchObject({ state: 'active', reason: null, position: await head() });
    expect(await readBalance(accounts(), accountId)).toBe(96);
  });

  it('waits at the monthly cap of its key until the next month, and is paused once the key is revoked', async () => {
    const accountId = await openAccount(accounts());
    const key = await createKey(accounts(), {
      accountId,
      name: 'agent',
      prefix: 'svc_live_',
      at: '2026-06-01T08:00:00Z',
      monthlyCap: 2,
    });
    const id = await watch({ account_id: accountId, key_id: key.id, filters: '{"query":"turbine"}' });
    await store(Array.from({ length: 26 }, (_, number) => tender(++made, `Turbine ${number}`)));
    await match();
    expect(await watchOf(id)).toMatchObject({ state: 'waiting', reason: 'key_cap' });
    now = new Date('2026-07-01T00:00:01Z');
    await match();
    expect(await items(id)).toHaveLength(26);
    await accounts().write([
      { sql: "UPDATE api_key SET revoked_at = '2026-07-01T00:00:01Z' WHERE id = ?", args: [key.id] },
    ]);
    await store([tender(++made, 'Turbine of the day')]);
    await match();
    expect(await watchOf(id)).toMatchObject({ state: 'paused', reason: 'key_revoked' });
    expect(await items(id)).toHaveLength(26);
  });

  it('spends no more in a day than its credits_per_day_max', async () => {
    const id = await watch({
      account_id: await openAccount(accounts()),
      filters: '{"query":"harness"}',
      credits_per_day_max: 4,
    });
    await store(Array.from({ length: 80 }, (_, number) => tender(++made, `Harness ${number}`)));
    await match();
    expect(await items(id)).toHaveLength(50);
    expect(await watchOf(id)).toMatchObject({ state: 'waiting', reason: 'daily_maximum' });
    now = new Date('2026-06-02T08:00:00Z');
    await match();
    expect(await items(id)).toHaveLength(80);
  });
});

describe('a digest', () => {
  it('is made at its hour alone, of everything since the one before, and paid by the 25 items', async () => {
    const accountId = await openAccount(accounts());
    const id = await watch({
      account_id: accountId,
      webhook: null,
      every: 'day',
      due_at: '2026-06-02T06:00:00Z',
      filters: '{"query":"lattice"}',
    });
    await store(Array.from({ length: 30 }, (_, number) => tender(++made, `Lattice ${number}`)));
    await match();
    expect(await deliveries(id)).toEqual([]);
    now = new Date('2026-06-02T06:00:30Z');
    await match();
    expect(await deliveries(id)).toMatchObject([{ items: 30, credits: 4 }]);
    // Seven in the morning in London, where it is summer.
    expect(await watchOf(id)).toMatchObject({ due_at: '2026-06-03T06:00:00Z' });
  });
});

it('delivers from now on where the catalogue was restored to an older state', async () => {
  const id = await watch({
    account_id: await openAccount(accounts()),
    position: (await head()) + 1_000,
    filters: '{"query":"monsoon"}',
  });
  await match();
  await store([tender(++made, 'Monsoon drains')]);
  await match();
  expect(await items(id)).toMatchObject([{ change: 'new', item: { title: 'Monsoon drains' } }]);
});
