import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportRow } from '../../../../schema/accounts/exports/states.ts';
import { chargeExport } from '../../../support/paid-exports.ts';
import { type Site, startSite } from '../site.ts';
import type { Visitor } from '../visitor.ts';

let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  site = await startSite();
  visitor = await addPerson('ada@example.org', ['ex_new', 'ex_done', 'ex_failed', 'ex_old']);
  await end('ex_done', { status: 'completed', file: 'f.csv', bytes: 41_800, expires_at: '2999-01-01T00:00:00Z' });
  await end('ex_old', { status: 'completed', file: 'g.csv', bytes: 1, expires_at: '2026-01-01T00:00:00Z' });
  await end('ex_failed', { status: 'failed', refunded: 9, error: 'The disk was <full>.' });
});
afterAll(() => site?.close());

/** Somebody who has paid for exports. */
async function addPerson(email: string, exports: readonly string[]): Promise<Visitor> {
  const person = await site.addPerson({ email });
  const { accounts } = site.services;
  const [account] = await accounts.read<{ id: string }>({ sql: 'SELECT id FROM account ORDER BY rowid DESC LIMIT 1' });
  for (const id of exports) {
    await chargeExport(accounts, { id, accountId: account?.id ?? '', format: 'csv', keys: ['a', 'b'], credits: 9 });
  }
  return person;
}

async function end(id: string, ended: Partial<ExportRow>): Promise<void> {
  const names = Object.keys(ended).map((name) => `${name} = ?`);
  const args = [...Object.values(ended), id];
  await site.services.accounts.write([{ sql: `UPDATE export SET ${names.join(', ')} WHERE id = ?`, args }]);
}

const download = (id: string, by = visitor) => by.get(`/dashboard/exports/${id}/download`);

describe('the exports of an account', () => {
  it('are listed with what became of each', async () => {
    const { html } = await visitor.get('/dashboard/exports');
    expect(html).toContain('Being written');
    expect(html).toMatch(/41\.8 kB, kept until 1 January 2999/);
    expect(html).toMatch(/Failed.*The disk was &lt;full>\. 9 credits were refunded\./);
    expect(html).toMatch(/Expired.*The file was removed 1 January 2026/);
    expect(html.match(/\/download"/g)).toHaveLength(1);
    expect(html).toContain('2 rows for 9 credits');
    await end('ex_new', { requeued_at: '2026-11-20T00:00:00Z' });
    expect((await visitor.get('/dashboard/exports')).html).toContain('Its file was lost. The new file is free.');
    await end('ex_new', { file: 'ex_new-0.csv' });
    const again = (await visitor.get('/dashboard/exports')).html;
    expect(again).toContain('Being written again');
    expect(again).toContain('Something in it was taken down. The new file is free.');
    await end('ex_new', { requeued_at: null, file: null });
  });

  it('lead to their file by an address that is signed on request and expires', async () => {
    const sent = await download('ex_done');
    expect(sent.status).toBe(303);
    expect(sent.location).toMatch(/\/v1\/exports\/ex_done\/download\?expires=\d+&signature=[\w-]+$/);
    expect(sent.headers.get('cache-control')).toBe('private, no-store');
  });

  it.each(['ex_new', 'ex_failed', 'ex_old', 'ex_none', '../ledger'])('without a file say so: %s', async (id) => {
    const sent = await download(encodeURIComponent(id));
    expect(sent.location).toBe('/dashboard/exports?gone');
    expect((await visitor.get('/dashboard/exports?gone')).html).toContain(
      'There is no file for this export at the moment',
    );
  });

  it('are nobody else’s, and go on page by page', async () => {
    const many = Array.from({ length: 25 }, (_, at) => `ex_${100 + at}`);
    const other = await addPerson('other@example.org', many);
    expect((await download('ex_done', other)).location).toBe('/dashboard/exports?gone');
    expect((await download('ex_done', site.visitor())).location).toBe('/sign-in?next=exports');
    expect((await other.get('/dashboard/exports')).html).not.toContain('rel="next"');
    const { accounts } = site.services;
    const [owner] = await accounts.read<{ id: string }>({
      sql: "SELECT account_id AS id FROM export WHERE id = 'ex_100'",
    });
    await chargeExport(accounts, { id: 'ex_000', accountId: owner?.id ?? '', format: 'csv', keys: ['a'], credits: 9 });
    const first = (await other.get('/dashboard/exports')).html;
    const next = /href="([^"]+)" rel="next"/.exec(first)?.[1] ?? '';
    expect((await other.get(next)).html.match(/Being written/g)).toHaveLength(1);
    expect((await other.get('/dashboard/exports?before=ex_done')).html).toContain('rel="next"');
  });
});

describe('credits that run low', () => {
  it('are shown on every page, and the billing page says what they do not reach', async () => {
    const poor = await addPerson('poor@example.org', []);
    const { accounts } = site.services;
    const spend = `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, created_at)
      SELECT 'charge:all', 'charge', id, '@revenue', 247, 'bulk_export', '2026-11-21T00:00:00Z' FROM account ORDER BY rowid DESC LIMIT 1`;
    expect((await poor.get('/dashboard')).html).not.toContain('credits left: calls');
    await accounts.write([{ sql: spend }]);
    for (const page of ['', '/usage', '/ledger', '/exports'])
      expect((await poor.get(`/dashboard${page}`)).html).toContain('Only 3 credits left');
    const billing = (await poor.get('/dashboard/top-up?next=https://evil.example')).location ?? '';
    expect(billing).toBe('/dashboard/billing');
    expect((await poor.get(billing)).html).toMatch(/3 credits are not enough for .*buyer_profile<\/code> \(20\)/);
  });

  it('are another matter than a key at its cap', async () => {
    const person = await addPerson('cap@example.org', []);
    await person.post('/dashboard/keys', { name: 'small', cap: '2' });
    const { accounts } = site.services;
    const spend = `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, key_id, created_at)
      SELECT 'charge:cap', 'charge', account_id, '@revenue', 2, 'search_notices', id, ? FROM api_key WHERE name = 'small'`;
    await accounts.write([{ sql: spend, args: [new Date().toISOString()] }]);
    expect((await person.get('/dashboard/billing')).html).toMatch(/small.* has reached the monthly cap/);
    expect((await person.get('/dashboard')).html).toContain('<meter class="cap" max="2" value="2"');
  });
});
