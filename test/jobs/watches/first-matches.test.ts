import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeMatcher, tender } from './matcher.ts';
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
