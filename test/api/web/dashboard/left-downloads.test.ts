import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Site, startSite } from '../site.ts';
import type { Visitor } from '../visitor.ts';

let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  site = await startSite();
  visitor = await site.addPerson({ email: 'ada@example.org' });
});
afterAll(() => site?.close());

/** Begins a download, and leaves while the server reads what `sql` names. */
async function leave(path: string, sql: string): Promise<void> {
  const { accounts } = site.services;
  const read = accounts.read.bind(accounts);
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const reading = vi.spyOn(accounts, 'read').mockImplementation(async (statement) => {
    if (statement.sql.includes(sql)) await held;
    return read(statement);
  });
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  const leaving = new AbortController();
  const { status } = await fetch(site.url + path, { headers: { cookie }, signal: leaving.signal });
  expect(status).toBe(200);
  leaving.abort();
  goOn();
  reading.mockRestore();
}

it.each([
  ['/dashboard/settings/data', 'FROM idempotency'],
  ['/dashboard/ledger.csv', 'UNION ALL'],
])('somebody who leaves during a download of %s can begin another, and is no failure in the log', async (path, sql) => {
  await leave(path, sql);
  // Until the first has ended, another is 429.
  await expect.poll(async () => (await visitor.get(path)).status).toBe(200);
  expect(site.operator.lines.map(({ msg }) => msg)).not.toContain('a page failed');
});
