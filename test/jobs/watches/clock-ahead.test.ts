import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { retryStatement } from '../../../schema/accounts/watches/deliveries.ts';
import { makeMatcher, tender } from './matcher.ts';
import { openAccount } from './seed.ts';

const AHEAD = '2027-06-01T08:00:00Z';
let matcher: Awaited<ReturnType<typeof makeMatcher>>;
beforeAll(async () => {
  matcher = await makeMatcher({ WATCH_DELIVERIES_PER_HOUR: '2' });
});
afterAll(() => matcher?.close());
beforeEach(() => matcher.set());

let made = 0;
const store = (title: string) => matcher.store([tender(++made, title)]);

it('sends the digests of a clock that was a year ahead at their hour once it is right', async () => {
  const account_id = await openAccount(matcher.accounts);
  const due_at = '2026-06-02T06:00:00Z';
  const id = await matcher.watch({ account_id, filters: '{"query":"kilns"}', every: 'day', due_at });
  matcher.set(AHEAD);
  await matcher.match();
  expect(await matcher.readWatch(id)).toMatchObject({ due_at: '2027-06-02T06:00:00Z' });
  matcher.set();
  await store('Kilns');
  await matcher.match();
  expect(await matcher.readWatch(id)).toMatchObject({ due_at });
  matcher.set(due_at);
  await matcher.match();
  expect(await matcher.items(id)).toHaveLength(1);
});

it('sends what waits in the outbox since such a clock, and what a receiver may still refuse at its time', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"looms"}' });
  matcher.set(AHEAD);
  await store('Looms');
  await matcher.match();
  const due = async () => (await matcher.deliveries(id)).map((one) => new Date(one.next_attempt_at).toISOString());
  expect(await due()).toEqual(['2027-06-01T08:00:00.000Z']);
  matcher.set();
  await matcher.match();
  expect(await due()).toEqual(['2026-06-01T08:00:00.000Z']);
  const [delivery] = await matcher.deliveries(id);
  const longest = Date.parse('2026-06-02T10:24:00Z');
  await matcher.accounts.write([retryStatement(delivery?.id ?? '', longest)]);
  await matcher.match();
  expect(await due()).toEqual(['2026-06-02T10:24:00.000Z']);
});

it('counts what such a clock delivered neither for today nor for this hour', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"query":"anvils"}', credits_per_day_max: 2 });
  const other = await matcher.watch({ account_id, filters: '{"query":"anvils"}' });
  matcher.set(AHEAD);
  await store('Anvils');
  await matcher.match();
  matcher.set();
  await store('Anvils and hammers');
  await matcher.match();
  for (const one of [id, other]) expect(await matcher.items(one)).toHaveLength(2);
});
