import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../ingest/store/page.ts';
import { packageOf, read } from '../ingest/compile/releases.ts';
import { tender } from '../jobs/watches/matcher.ts';
import { hasBucketServer } from '../support/bucket.ts';
import { ask } from '../support/client.ts';
import { hasLibsql } from '../support/libsql-process.ts';
import type { Customer } from '../support/services.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { untilReady } from './kills.ts';
import { type ApiMachine, type Layout, startLayout } from './layout.ts';
import { until } from './until.ts';

const WHAT = 'changes read from several machines';
const canRun = [hasLibsql(WHAT), hasBucketServer(WHAT)].every(Boolean) && !process.env.LIBSQL_URLS;

describe.skipIf(!canRun)('changes read from machines whose copies of the catalogue differ in age', () => {
  let layout: Layout;
  let customer: Customer;
  beforeAll(async () => {
    layout = await startLayout({ copies: true });
    customer = await layout.addCustomer(100_000);
    await untilReady(layout.apis);
  }, LIMITS_MS.long);
  afterAll(async () => {
    for (const api of layout?.apis ?? []) await api.signalCopy('SIGCONT');
    await layout?.close();
  }, LIMITS_MS.usual);

  const changes = ({ url }: ApiMachine, since: string) =>
    ask(url, `/v1/changes?${new URLSearchParams({ since, limit: '1000' })}`, customer.key);
  const publish = async (number: number) => {
    const source = 'find_a_tender';
    const page = read(packageOf([tender(number, `Bridge ${number}`)]), source);
    await storePage(layout.catalogue, { source, fetchedAt: '2026-06-01T00:00:00Z', before: [], after: [], ...page });
  };

  it('wait on the older one for what the newer one has told, free, and neither begin again nor repeat any', async () => {
    const [newer, older] = layout.apis as [ApiMachine, ApiMachine];
    const start = (await changes(newer, new Date().toISOString())).body.next_cursor;
    await until('the other to be as far', async () => (await changes(older, start)).status === 200);
    await older.signalCopy('SIGSTOP');
    await publish(900_001);
    await until('the newer to tell it', async () => (await changes(newer, start)).body.count > 0);
    const told = (await changes(newer, start)).body;
    const early = await changes(older, told.next_cursor);
    expect([early.status, early.body]).toEqual([
      200,
      expect.objectContaining({ count: 0, has_more: false, next_cursor: told.next_cursor, credits_charged: 0 }),
    ]);
    expect(Date.parse(early.body.ask_again)).toBeLessThan(Date.now() + 30_000);
    await publish(900_002);
    await older.signalCopy('SIGCONT');
    await until('the older to tell the next', async () => (await changes(older, told.next_cursor)).body.count > 0);
    const next = (await changes(older, told.next_cursor)).body;
    const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
    expect(ids(next).filter((id) => ids(told).includes(id) && id.includes('90000'))).toEqual([]);
    expect(ids(next).join()).toMatch(/900002/);
  });
});
