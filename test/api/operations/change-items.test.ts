import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../support/client.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildSampleServer({ credits: 10_000 });
});
afterAll(() => server?.close());

type Item = Record<string, unknown>;
const read = async (path: string) => (await ask(server.url, `/v1${path}`, server.key)).body;

it.each([
  ['notice', '/notices/search', 'notice_id'],
  ['contract', '/contracts/search', 'contract_id'],
  ['framework', '/frameworks/search', 'framework_id'],
  ['buyer', '/buyers', 'buyer_id'],
])('an item of changes says of a %s what its search says', async (kind, path, id) => {
  const listed: Item[] = (await read(`${path}?limit=100`)).items;
  const { items } = await read(`/changes?kinds=${kind}&limit=1000`);
  const told = new Map<unknown, Item>(items.map(({ item }: { item: Item }) => [item[id], item]));
  const both = listed.filter((one) => told.has(one[id]));
  expect(both.length).toBeGreaterThan(5);
  for (const one of both) {
    const item = told.get(one[id]) ?? {};
    const shared = Object.keys(one).filter((name) => name in item && typeof one[name] !== 'object');
    const of = (from: Item) => Object.fromEntries(shared.map((name) => [name, from[name]]));
    expect(of(item)).toEqual(of(one));
  }
});

it.each(['notice', 'contract', 'framework'])('an item of a %s says of what kind its buyer is', async (kind) => {
  const { items: buyers } = await read('/changes?kinds=buyer&limit=1000');
  const kinds = new Map<unknown, unknown>(buyers.map(({ item }: { item: Item }) => [item.buyer_id, item.kind]));
  const { items } = await read(`/changes?kinds=${kind}&limit=1000`);
  for (const { item } of items)
    expect([item.buyer_id, item.buyer_kind]).toEqual([item.buyer_id, kinds.get(item.buyer_id)]);
  expect(new Set(items.map(({ item }: { item: Item }) => item.buyer_kind)).size).toBeGreaterThan(2);
});

it.each([
  ['notice', 'notices', 'notice_id'],
  ['contract', 'contracts', 'contract_id'],
  ['framework', 'frameworks', 'framework_id'],
  ['company', 'companies', 'company_number'],
  ['buyer', 'buyers', 'buyer_id'],
])('the id under which changes list a %s is that of a look-up', async (kind, path, name) => {
  const { items } = await read(`/changes?kinds=${kind}&limit=20`);
  expect(items).toHaveLength(20);
  for (const { id, item } of items) {
    const found = await ask(server.url, `/v1/${path}/${encodeURIComponent(id)}`, server.key);
    expect([id, found.status, found.body[name]]).toEqual([id, 200, item[name] ?? found.body[name]]);
  }
});

it.each([
  ['notice', '/notices/search', 'notice_id'],
  ['contract', '/contracts/search', 'contract_id'],
  ['framework', '/frameworks/search', 'framework_id'],
])('filters find of changes of a %s what they find in its search', async (kind, path, id) => {
  const idsOf = (items: Item[]) => items.map((one) => one[id]).toSorted();
  for (const filter of [
    'cpv=45',
    'cpv=72,34',
    'region=London',
    'region=UKC,UKK',
    'nation=wales',
    'buyer_kind=central&value_min=100000',
  ]) {
    const { items, total } = await read(`${path}?limit=100&${filter}`);
    expect([filter, items.length > 0, items.length]).toEqual([filter, true, total]);
    const changes: { item: Item }[] = (await read(`/changes?kinds=${kind}&limit=1000&${filter}`)).items;
    expect([filter, idsOf(changes.map(({ item }) => item))]).toEqual([filter, idsOf(items)]);
  }
});
