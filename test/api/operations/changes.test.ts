import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readAskAgain } from '../../../api/operations/changes/list.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, packageOf, read, reference } from '../../ingest/compile/releases.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { ROOT } from '../../support/source-files.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

interface Copy {
  items: Map<string, Record<string, unknown>>;
  since?: string;
}
type Update = (copy: Copy, at: { url: string; key: string }) => Promise<string>;

let server: BuiltServer;
/** The client of the manual. */
let update: Update;
beforeAll(async () => {
  server = await buildServer({ credits: 100 });
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'api/README.md'), 'utf8')) ?? [];
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(30);
  const file = join(server.folder, 'client.mjs');
  writeFileSync(file, code);
  ({ update } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { update: Update });
  for (let number = 1; number <= 3; number++) await store(award(number, number % 2 ? BRIGHT : OAKES));
});
afterAll(() => server.close());

function award(number: number, supplier: JsonObject, amount = 1_000, version = 1, status = 'active') {
  return actRelease(`${String(number * 10 + version).padStart(6, '0')}-2026`, `2026-0${version}-01T00:00:00Z`, {
    ocid: `ocds-h6vhtk-00000${number}`,
    tag: ['award', 'contract'],
    parties: [COUNCIL, supplier],
    awards: [{ id: '1', status, suppliers: [reference(supplier)], value: { amount, currency: 'GBP' } }],
  });
}

async function store(release: JsonObject) {
  const source = 'find_a_tender';
  const page = read(packageOf([release]), source);
  await storePage(server.catalogue, { source, fetchedAt: '2026-11-20T00:00:00Z', ...page, before: [], after: [] });
}

const get = (query: Record<string, string | number>, key = server.key) =>
  ask(
    server.url,
    `/v1/changes?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
    key,
  );

const WATCH = { name: 'Anywhere', on: 'contracts', deliver: { webhook: 'https://hooks.example.org/a' } };

describe('the client of the manual', () => {
  it('has every row after its first update, and what changed after the next; a quiet one is free', async () => {
    const { key } = await server.addCustomer(100);
    const copy: Copy = { items: new Map() };
    const again = await update(copy, { url: server.url, key });
    expect(Date.parse(again)).toBeGreaterThan(Date.now());
    const kinds = [...copy.items.keys()].map((one) => one.split(' ')[0]);
    expect(kinds.toSorted().join()).toBe('buyer,company,company,contract,contract,contract,notice,notice,notice');
    await store(award(2, OAKES, 5_000, 2));
    await update(copy, { url: server.url, key });
    expect([...copy.items.values()].filter(({ value }) => value === 5_000)).toHaveLength(3);
    const paid = (await ask(server.url, '/v1/balance', key)).body.balance;
    await update(copy, { url: server.url, key });
    expect((await ask(server.url, '/v1/balance', key)).body.balance).toBe(paid);
    expect(paid).toBe(96);
  });

  it('begins again where the service was restored from a backup', async () => {
    const { body } = await get({ limit: 1_000 });
    const fields = JSON.parse(Buffer.from(body.next_cursor.slice('changes.'.length), 'base64url').toString());
    const ahead = (change: (one: unknown[]) => void) => {
      const one = structuredClone(fields);
      change(one);
      return `changes.${Buffer.from(JSON.stringify(one)).toString('base64url')}`;
    };
    const later = ahead((one) => {
      one[0] = 10_000;
    });
    // As far as ours, but of other data: its batch was committed at another time.
    const other = ahead((one) => {
      one[4] = 12;
    });
    const before = (await ask(server.url, '/v1/balance', server.key)).body.balance;
    for (const since of [later, other]) {
      const refused = await get({ since });
      expect([refused.status, refused.body.error]).toEqual([410, 'cursor_expired']);
      const copy: Copy = { items: new Map([['notice gone', {}]]), since };
      const { key } = await server.addCustomer(100);
      await update(copy, { url: server.url, key });
      expect([copy.items.has('notice gone'), copy.items.size]).toEqual([false, 10]);
    }
    expect((await ask(server.url, '/v1/balance', server.key)).body.balance).toBe(before);
  });
});

describe('GET /v1/changes', () => {
  it('pages through, 2 credits per started 100 items, and tells no item twice', async () => {
    const { key } = await server.addCustomer(100);
    const seen: string[] = [];
    let since: string | undefined;
    for (let more = true; more; ) {
      const { body } = await get({ limit: 4, ...(since && { since }) }, key);
      expect(body.credits_charged).toBe(body.count > 0 ? 2 : 0);
      seen.push(...body.items.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`));
      since = body.next_cursor;
      more = body.has_more;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(10);
  });

  it('says what left the filters, and what changed', async () => {
    const filters = { kinds: 'contract', value_max: 2_000 };
    const first = await get(filters);
    expect(first.body.items.map(({ change }: { change: string }) => change)).toEqual(['new', 'new']);
    const done = await get({ ...filters, since: first.body.next_cursor });
    expect(done.body).toMatchObject({ count: 0, has_more: false, credits_charged: 0 });
    await store(award(1, BRIGHT, 9_000, 2));
    const since = done.body.next_cursor;
    const left = await get({ ...filters, since });
    expect(left.body.items).toMatchObject([{ kind: 'contract', change: 'left' }]);
    expect(left.body.items[0]).not.toHaveProperty('item');
    const whole = await get({ kinds: 'contract', since });
    expect(whole.body.items).toMatchObject([{ change: 'updated', item: { value: 9_000, stated_status: 'active' } }]);
    expect(whole.body.items[0].changed).toContain('value');
    expect(whole.body.items[0].item).not.toHaveProperty('status');
  });

  it.each([
    ['2026-06-01T08:04:30Z', '2026-06-01T08:17:00Z'],
    ['2026-06-01T08:16:10Z', '2026-06-01T08:17:00Z'],
    ['2026-06-01T08:17:00Z', '2026-06-01T08:22:00Z'],
    ['2026-06-01T08:51:00Z', '2026-06-01T09:02:00Z'],
  ])('asked at %s, says to ask again soon after the next run, at %s', async (now, expected) => {
    await registerSources(server.catalogue, sources);
    expect(isoInstant(await readAskAgain(server.catalogue, new Date(now)))).toBe(expected);
  });

  it('begins at an instant', async () => {
    const all = await get({ since: '2020-01-01T00:00:00Z', limit: 1_000 });
    expect(all.body.items.length).toBe(11);
    expect((await get({ since: '2200-01-01T00:00:00+01:00' })).body).toMatchObject({ count: 0, has_more: false });
  });

  it('says what left the filters also where it has gone since', async () => {
    const filters = { kinds: 'contract', value_max: 2_000 };
    await store(award(9, OAKES));
    const { next_cursor: since, items } = (await get({ ...filters, limit: 1_000 })).body;
    const { id } = items.at(-1);
    await store(award(9, OAKES, 9_000, 2));
    await store(award(9, OAKES, 9_000, 3, 'cancelled'));
    expect((await get({ ...filters, since })).body.items).toMatchObject([{ id, change: 'left' }]);
    expect((await get({ kinds: 'contract', since })).body.items).toMatchObject([{ id, change: 'gone' }]);
  });

  it('takes where a company is and what it won, and what a buyer buys', async () => {
    const ids = async (query: Record<string, string | number>) =>
      (await get(query)).body.items.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`);
    const won = { kinds: 'company', postcode: 'M1,LS2', won_from: '2026-01-01', won_value_min: 1_000 };
    expect((await ids(won)).toSorted()).toEqual(['company GB-COH-01234567', 'company GB-COH-07654321']);
    expect(await ids({ ...won, won_to: '2026-01-02', won_from: '2026-01-02' })).toEqual([]);
    expect([await ids({ ...won, won_value_min: 1_000_000 }), await ids({ ...won, postcode: 'LS1' })]).toEqual([[], []]);
    expect(await ids({ kinds: 'company,buyer', cpv: '45' })).toEqual([]);
  });

  it('is read one page at a time for an account: nobody waits for the pages of another', async () => {
    const [busy, other] = [await server.addCustomer(100), await server.addCustomer(100)];
    const { longReads } = server.services;
    const read = longReads.readChangesPage;
    let [begun, refused] = [0, 0];
    const released = new AbortController();
    const reading = vi.spyOn(longReads, 'readChangesPage').mockImplementation(async (asked) => {
      if (asked.limit === 3) begun += 1;
      if (asked.limit === 3 && !released.signal.aborted) await once(released.signal, 'abort');
      return read(asked);
    });
    const asked = Array.from({ length: 7 }, () => get({ limit: 3 }, busy.key));
    for (const one of asked) void one.then(({ status }) => status === 429 && refused++);
    await vi.waitUntil(() => refused === 2, LIMITS_MS.wait);
    expect([begun, (await get({ limit: 4 }, other.key)).status]).toEqual([1, 200]);
    released.abort();
    const answers = await Promise.all(asked);
    reading.mockRestore();
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
  });

  it.each([
    [{ since: 'yesterday' }, 'since'],
    [{ since: 'changes.e30' }, 'since'],
    [{ kinds: 'notice,contract', ends_from: '2026-01-01' }, 'ends_from'],
    [{ kinds: 'tender' }, 'kinds'],
    [{ kinds: 'buyer', won_from: '2026-01-01' }, 'won_from'],
    [{ kinds: 'company,notice', won_value_min: 1_000 }, 'won_value_min'],
    [{ kinds: 'company', won_from: '2026-02-01', won_to: '2026-01-01' }, 'won_from'],
    [{ limit: 1_001 }, 'limit'],
    [{ awarded_from: '2026-02-01', awarded_to: '2026-01-01' }, 'awarded_from'],
    [{ status: 'open' }, 'status'],
    [{ won: 'true', bids_max: 1 }, 'bids_max'],
  ] as [Record<string, string | number>, string][])('refuses %o, free', async (query, name) => {
    const { status, body } = await get(query);
    expect([status, body.detail?.[0]?.loc?.[1]]).toEqual([422, name]);
  });

  it('says on an empty page before the last to ask again with its cursor', async () => {
    const ids = { company_number: 'x'.repeat(200), buyer_id: '買'.repeat(200), framework_id: 'ф'.repeat(200) };
    const { has_more, ask_again, next_cursor: since } = (await get({ ...ids, kinds: 'contract' })).body;
    expect([has_more, Date.parse(String(ask_again)) <= Date.now()]).toEqual([true, true]);
    expect((await get({ since: String(since), kinds: 'contract' })).status).toBe(200);
  });

  it('says on an empty page which filters nothing can meet', async () => {
    const unknown = async (query: Record<string, string>) => (await get(query)).body.unknown_filters;
    expect(await unknown({ kinds: 'contract', buyer_id: 'nobody' })).toMatchObject([{ input: 'buyer_id' }]);
    expect(await unknown({ kinds: 'company', region: 'Leeds' })).toMatchObject([{ candidates: [{ id: 'TLE' }] }]);
    expect(await unknown({ kinds: 'notice,contract', region: 'Leeds' })).toBeUndefined();
  });

  it('says so in a watch too, when it is made and when it is changed', async () => {
    const send = async (method: string, path: string, filters: object) => {
      const body = JSON.stringify({ filters, ...(method === 'POST' && WATCH) });
      const headers = { 'content-type': 'application/json' };
      return (await ask(server.url, `/v1/watches${path}`, server.key, { method, body, headers })).body;
    };
    const { watch_id: id, ...made } = await send('POST', '', { region: 'Narnia' });
    expect(made.unknown_filters).toMatchObject([{ input: 'region', message: expect.stringContaining('Narnia') }]);
    expect((await send('PATCH', `/${id}`, { buyer_id: 'nobody' })).unknown_filters).toMatchObject([
      { input: 'buyer_id' },
    ]);
    expect((await send('PATCH', `/${id}`, { region: 'Leeds' })).unknown_filters).toBeUndefined();
  });

  it('refuses words, and says what takes them', async () => {
    for (const name of ['query', 'q'])
      expect((await get({ [name]: 'bridge' })).body.detail).toMatchObject([
        { loc: ['query', name], type: 'extra_forbidden', msg: expect.stringContaining('POST /v1/watches takes words') },
      ]);
  });
});
