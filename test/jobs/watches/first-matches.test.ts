import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Matched } from '../../../jobs/watches/compose.ts';
import { withFirstMatches } from '../../../jobs/watches/first-matches.ts';
import { withoutRepeats } from '../../../jobs/watches/repeats.ts';
import { readDelivered } from '../../../schema/accounts/watches/delivered.ts';
import { renameWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { award, makeMatcher, tender } from './matcher.ts';
import { openAccount } from './seed.ts';

let matcher: Awaited<ReturnType<typeof makeMatcher>>;
beforeAll(async () => {
  matcher = await makeMatcher();
});
afterAll(() => matcher?.close());

it('a watch of what is new has what matches once a title is corrected, and nothing of before the watch', async () => {
  const wanted = { account_id: await openAccount(matcher.accounts), filters: '{"query":"lighthouse"}' };
  const [old, number] = [1, 2];
  await matcher.store([tender(old, 'Lighthouse stairs')], '2026-06-01T07:00:00Z');
  const news = await matcher.watch({ ...wanted, changes: '["new"]' });
  const all = await matcher.watch({ ...wanted, changes: '["new","updated"]' });
  for (const [version, title] of ['Lighthuose', 'Lighthouse lamps', 'Lighthouse lamp'].entries()) {
    const both = [tender(number, title, { version }), tender(old, `Lighthouse stairs ${version}`, { version })];
    await matcher.store(both, `2026-06-01T09:0${version}:00Z`);
    await matcher.match();
  }
  const toldBy = async (id: string) => (await matcher.items(id)).map(({ change, item }) => `${change} ${item?.title}`);
  expect(await toldBy(news)).toEqual(['new Lighthouse lamps']);
  expect(await toldBy(all)).toEqual([
    ...['updated Lighthouse stairs 0', 'updated Lighthouse stairs 1', 'new Lighthouse lamps'],
    ...['updated Lighthouse stairs 2', 'updated Lighthouse lamp'],
  ]);
});

it('what matches no more, and again once its title is corrected, is new to a watch that was told so', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"turbine"}', changes: '["new","gone"]' });
  for (const [version, title] of ['Turbine', 'Tubrine', 'Turbine wall'].entries()) {
    await matcher.store([tender(5, title, { version })], `2026-06-01T09:0${version}:00Z`);
    await matcher.match();
  }
  expect((await matcher.items(id)).map(({ change, item }) => [change, item?.title])).toEqual([
    ['new', 'Turbine'],
    ['left', undefined],
    ['new', 'Turbine wall'],
  ]);
});

it('so is one of before the watch that it told as new, and then as matching no more', async () => {
  const account_id = await openAccount(matcher.accounts);
  const store = (version: number, title: string, amount: number) =>
    matcher.store([award(6, title, undefined, { version, amount })], `2026-06-01T07:0${version}:00Z`);
  await store(0, 'Causeway', 40_000);
  const id = await matcher.watch({
    account_id,
    collection: 'contracts',
    filters: '{"query":"causeway","value_min":50000}',
    changes: '["new","gone"]',
  });
  for (const [version, title] of ['Causeway', 'Cuaseway', 'Causeway wall'].entries()) {
    await store(version + 1, title, 60_000);
    await matcher.match();
  }
  expect((await matcher.items(id)).map(({ change, item }) => [change, item?.title])).toEqual([
    ['new', 'Causeway'],
    ['left', undefined],
    ['new', 'Causeway wall'],
  ]);
});

it('a contract that goes while a run matches other watches is no item without its content', async () => {
  const wanted = {
    account_id: await openAccount(matcher.accounts),
    collection: 'contracts' as const,
    filters: '{"query":"pier"}',
  };
  const number = 3;
  const behind = await matcher.watch(wanted);
  await matcher.store([award(number, 'Pier repairs')], '2026-06-01T09:00:00Z');
  const ahead = await matcher.watch(wanted);
  await matcher.store(
    [award(number, 'Pier repairs', undefined, { version: 1, amount: 80_000 })],
    '2026-06-01T09:01:00Z',
  );
  const isOf = (id: string, { args = [] }: Statement) => args.some((one) => one === id);
  const through: Database = {
    ...matcher.accounts,
    async write(statements) {
      const outcomes = await matcher.accounts.write(statements);
      const gone = award(number, 'Pier repairs', undefined, { version: 2, status: 'cancelled' });
      if (statements.some((one) => isOf(ahead, one))) await matcher.store([gone], '2026-06-01T09:02:00Z');
      return outcomes;
    },
  };
  await matcher.match(through);
  expect(await matcher.items(ahead)).toMatchObject([{ change: 'new', item: { value: 80_000 } }]);
  expect(await matcher.items(behind)).toEqual([]);
  await matcher.match();
  expect((await matcher.items(ahead)).map(({ change }) => change)).toEqual(['new', 'gone']);
  expect(await matcher.items(behind)).toEqual([]);
});

it('a watch that is renamed has as new what came before its new name and matches first after it', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"harbour"}', changes: '["new"]' });
  await matcher.store([tender(4, 'Harbuor walls')], '2026-06-01T09:00:00Z');
  await matcher.match();
  const renamed = { name: 'Harbours', creditsPerDay: null };
  await renameWatch(matcher.accounts, await matcher.readWatch(id), renamed);
  await matcher.store([tender(4, 'Harbour walls', { version: 1 })], '2026-06-01T11:00:00Z');
  await matcher.match();
  expect(await matcher.items(id)).toMatchObject([{ change: 'new', item: { title: 'Harbour walls' } }]);
});

it('a watch does not have again as new what it delivered so long ago that this is forgotten', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"windmill"}', changes: '["new"]' });
  await matcher.store([tender(3, 'Windmill sails')], '2026-06-01T10:00:00Z');
  await matcher.match();
  matcher.set('2026-09-15T08:00:00Z');
  await matcher.accounts.write([{ sql: 'DELETE FROM watch_item WHERE watch_id = ?', args: [id] }]);
  await matcher.store([tender(3, 'Windmill sails and stones', { version: 1 })], '2026-09-15T07:00:00Z');
  await matcher.match();
  expect((await matcher.items(id)).map(({ item }) => item?.title)).toEqual(['Windmill sails']);
});

/** What a libSQL server takes in one argument, and less than it answers at once. */
const SERVER_CHARS = 4_000_000;

function accountsOnServer(): Database {
  const { accounts } = matcher;
  const read = async <T>(statement: Statement) => {
    const rows = await accounts.read<T>(statement);
    for (const sent of [statement.args, rows]) expect(JSON.stringify(sent).length).toBeLessThan(SERVER_CHARS);
    return rows;
  };
  return { ...accounts, read };
}

const ids = Array.from({ length: 2_000 }, (_, number) => `${number + 100_000}-2026`);
const one = { changes: '["new"]', filters: '{"query":"lighthouse"}', changed_at: '2026-05-01T00:00:00.000Z' };
const watches = Array.from({ length: 100 }, (_, number) => ({ ...one, id: `wat_of_many_${number}` }));
const now = new Date('2026-06-01T08:00:00Z');
const readAllDelivered = (accounts: Database) =>
  readDelivered(
    accounts,
    watches.map(({ id }) => id),
    ids,
  );
const matchedAs = (change: 'new' | 'updated', delivered: Awaited<ReturnType<typeof readDelivered>>) =>
  watches.map((watch) => ({
    watch,
    items: ids.map((id) => ({ id, change, delivered: delivered.get(watch.id)?.get(id) })),
  })) as unknown as Matched[];

it('many updated items of many watches are looked up in pieces that a libSQL server takes', async () => {
  const catalogue = { read: async () => ids.map((id) => ({ id, at: '2026-05-20' })) } as unknown as Database;
  const allButLast = [JSON.stringify(watches.map(({ id }) => id)), JSON.stringify(ids.slice(0, -1))];
  const sql = `INSERT INTO watch_item (watch_id, item_id, at)
    SELECT w.value, i.value, '' FROM json_each(?) w CROSS JOIN json_each(?) i`;
  await matcher.accounts.write([{ sql, args: allButLast }]);
  const matched = matchedAs('updated', await readAllDelivered(accountsOnServer()));
  const found = await withFirstMatches(catalogue, matched, { kind: 'notice', now });
  const first = { id: ids.at(-1), change: 'new' };
  expect(found.map(({ items }) => items)).toEqual(watches.map(() => [first]));
});

it('so are many new ones', async () => {
  const accounts = accountsOnServer();
  const matched = matchedAs('new', await readAllDelivered(accounts));
  expect(await withoutRepeats(accounts, matched, new Map())).toBe(matched);
});

it('each delivery is read once, however many new items are compared with what it had', async () => {
  const { accounts } = matcher;
  const outer: string[] = [];
  const read = async <T>(statement: Statement) => {
    const plan = await accounts.read<{ detail: string }>({ ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` });
    const loops = plan.map(({ detail }) => detail).filter((detail) => /^(SCAN|SEARCH)/.test(detail));
    const place = loops.findIndex((loop) => loop.includes('watch_delivery'));
    if (place >= 0) outer.push(...loops.slice(0, place));
    return accounts.read<T>(statement);
  };
  const [first] = matchedAs('new', await readAllDelivered(accounts));
  await withoutRepeats({ ...accounts, read }, first ? [first] : [], new Map());
  expect(outer).toEqual([expect.stringMatching(/^SEARCH w USING INDEX \S+ \(id=\?\)$/)]);
});
