import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setAccountState } from '../../../../schema/accounts/customer/account.ts';
import { readLedger } from '../../../../schema/accounts/ledger/lines.ts';
import { DatabaseAway, OutcomeUnknown, type Statement } from '../../../../schema/db/interface.ts';
import { buildSampleServer } from '../../../support/sample-services.ts';
import type { BuiltServer } from '../../../support/services.ts';
import { makeOperator } from '../operator.ts';
import { type Answer, makeVisitor, signUp, type Visitor } from '../visitor.ts';

const operator = makeOperator();
let server: BuiltServer;
let visitor: Visitor;
let people = 0;

beforeAll(async () => {
  server = await buildSampleServer({ web: operator.web });
});
afterAll(() => server?.close());
beforeEach(async () => {
  visitor = makeVisitor(server.url);
  await signUp(visitor, operator, { email: `person${++people}@example.org` });
});

/** The hidden fields and the first choice of the form that confirms a price, or sends it again. */
function confirmation({ html }: Answer): Record<string, string> {
  const form = /<form method="post" action="\/dashboard\/exports" [\s\S]*?<\/form>/.exec(html)?.[0] ?? '';
  const hidden = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  );
  const [, key] = /<option value="([^"]+)"/.exec(form) ?? [];
  return { ...Object.fromEntries(hidden), ...(key && { key }) };
}

const quote = (fields: Record<string, string>) => visitor.post('/dashboard/exports/quote', fields);
const newestAccount = async () => {
  const [account] = await server.accounts.read<{ id: string; balance: number }>({
    sql: 'SELECT id, balance FROM account ORDER BY rowid DESC LIMIT 1',
  });
  return account ?? { id: '', balance: 0 };
};
const exportsOf = (id: string) =>
  server.accounts.read<Record<string, unknown>>({ sql: 'SELECT * FROM export WHERE account_id = ?', args: [id] });

describe('an export from the dashboard', () => {
  it('starts from a form that an address may fill in, with the filters of its dataset', async () => {
    const { html } = await visitor.get(
      '/dashboard/exports/new?dataset=tenders&query=%22bridge%22+works&stage=award&region=London&nonsense=1',
    );
    expect(html).toContain('name="query" value="&quot;bridge&quot; works"');
    expect(html).toMatch(/name="stage" value="award" checked/);
    expect(html).toContain('name="deadline_from"');
    expect(html).toMatch(/query=%22bridge%22\+works&amp;[^"]*dataset=contracts"/);
    const buyers = (await visitor.get('/dashboard/exports/new?dataset=buyers&stage=award')).html;
    expect(buyers).not.toContain('name="stage"');
    expect((await visitor.get('/dashboard/exports')).html).toContain('href="/dashboard/exports/new"');
  });

  it('says which rows it holds where there are more than its maximum', async () => {
    const orderOf = async (dataset: string) => {
      const { html } = await visitor.get(`/dashboard/exports/new?dataset=${dataset}`);
      return />([\w, ]+)\. 100 credits/.exec(html)?.[1];
    };
    expect(await orderOf('contracts')).toBe('Newest first');
    expect(await orderOf('companies')).toBe('Latest award first, then latest incorporation');
    expect(await orderOf('buyers')).toBe('Latest award first');
    const held = async (asked: Record<string, string>) =>
      /The file holds [^.]+/.exec((await quote({ ...asked, max_rows: '1' })).html)?.[0];
    expect(await held({ dataset: 'contracts' })).toBe('The file holds the first 1: newest first');
    expect(await held({ dataset: 'buyers' })).toBe('The file holds the first 1: latest award first');
    const neverAwarded = await held({ dataset: 'companies', won: 'false' });
    expect(neverAwarded).toBe('The file holds the first 1: latest award first, then latest incorporation');
  });

  it('is led to by a list of frameworks, and holds as many', async () => {
    const address = '/dashboard/exports/new?dataset=frameworks&query=services';
    const { html } = await visitor.get('/frameworks?query=services');
    expect(html).toContain(`<a href="${address.replace('&', '&amp;')}" rel="nofollow">Download</a>`);
    const [, shown = ''] = />(\d+) frameworks</.exec(html) ?? [];
    await visitor.get(address);
    const quote = await visitor.post('/dashboard/exports/quote', { dataset: 'frameworks', query: 'services' });
    expect(quote.html).toContain(`of ${shown} frameworks that match`);
    expect((await visitor.get('/frameworks')).html).toContain('href="/dashboard/exports/new?dataset=frameworks"');
    expect((await visitor.get('/frameworks?region=London&sort=-published')).html).toMatch(
      /href="\/dashboard\/exports\/new\?dataset=frameworks&amp;region=(London|UKI)" rel="nofollow">Download/,
    );
    for (const none of ['query=zzzqqq', 'query=services+zzzqqq&match=any'])
      expect((await visitor.get(`/frameworks?${none}`)).html).not.toContain('>Download<');
  });

  it('is led to by the results of a search, also through a sign-in', async () => {
    const results = (await visitor.get('/notices?stage=award,contract&sort=-value&facets=1')).html;
    const address = '/dashboard/exports/new?dataset=notices&stage=award,contract';
    expect(results).toContain(`<a href="${address.replace('&', '&amp;')}" rel="nofollow">Download</a>`);
    const stranger = makeVisitor(server.url);
    const { location } = await stranger.get(address);
    expect(location).toBe(`/sign-in?next=${encodeURIComponent('new-export?stage=award,contract&dataset=notices')}`);
    const signIn = (await stranger.get(location ?? '')).html;
    expect(signIn).toContain('name="next" value="new-export?stage=award,contract&amp;dataset=notices"');
    const fields = { email: `person${people}@example.org`, password: 'a long enough password' };
    const entered = await stranger.post('/sign-in', {
      ...fields,
      next: 'new-export?stage=award,contract&dataset=notices',
    });
    expect(entered.location).toBe('/dashboard/exports/new?stage=award,contract&dataset=notices');
    for (const next of ['new-export//evil.example', 'new-export?a=1\r\nX: y', 'new-exporter', 'new-export?<b>']) {
      expect((await stranger.post('/sign-in', { ...fields, next })).location).toBe('/dashboard');
    }
  });

  it('says its price first, free, and is made once however often the form is sent', async () => {
    await visitor.post('/dashboard/keys', { name: 'office' });
    const account = await newestAccount();
    const quoted = await quote({ dataset: 'notices', stage: 'award', format: 'jsonl', max_rows: '7' });
    expect(quoted.html).toMatch(/<strong>7 rows<\/strong><span>of \d+ notices that match/);
    expect(quoted.html).toMatch(/<strong>100 credits<\/strong><span>you have 250/);
    expect(await exportsOf(account.id)).toEqual([]);
    const fields = confirmation(quoted);
    expect(fields).toMatchObject({ dataset: 'notices', stage: 'award', format: 'jsonl', max_rows: '7' });
    const both = await Promise.all([
      visitor.post('/dashboard/exports', fields),
      visitor.post('/dashboard/exports', fields),
    ]);
    expect(both.map(({ location }) => location)).toEqual(['/dashboard/exports?made', '/dashboard/exports?made']);
    expect((await visitor.post('/dashboard/exports', fields)).location).toBe('/dashboard/exports?made');
    expect(await newestAccount()).toMatchObject({ balance: 150 });
    expect(await exportsOf(account.id)).toMatchObject([
      { dataset: 'notices', format: 'jsonl', rows: 7, credits_charged: 100 },
    ]);
    const list = (await visitor.get('/dashboard/exports?made')).html;
    expect(list).toContain('Your export is being written.');
    expect(list).toContain('Stage: Award');
    await server.accounts.write([{ sql: `UPDATE export SET status = 'completed'` }]);
    expect((await visitor.get('/dashboard/exports?made')).html).not.toContain('is being written');
    expect((await visitor.get('/dashboard/ledger')).html).toContain('office');
    // A key that pays here makes no call, so nothing says when it was used last.
    expect((await visitor.get('/dashboard')).html).toContain('last used: this month');
  });

  it('is charged under the id of the request that made it, which the log has too', async () => {
    await visitor.post('/dashboard/keys', { name: 'office' });
    const { id } = await newestAccount();
    const made = await visitor.post('/dashboard/exports', confirmation(await quote({ dataset: 'buyers' })));
    const [charge] = await readLedger(server.accounts, id, { limit: 1 });
    expect(charge).toMatchObject({ kind: 'charge', request_id: made.headers.get('x-request-id') });
  });

  it('that may have been charged is sent again as the same one, though what is left is too little for another', async () => {
    await visitor.post('/dashboard/keys', { name: 'office' });
    await visitor.post('/dashboard/exports', confirmation(await quote({ dataset: 'buyers' })));
    const fields = confirmation(await quote({ dataset: 'buyers' }));
    const { write } = server.services.accounts;
    // The accounts' server writes the charge, and its answers are lost.
    const lose = async (statements: readonly Statement[]) => {
      const outcomes = await write(statements);
      if (statements.some(({ args }) => args?.includes('bulk_export'))) throw new OutcomeUnknown('no answer');
      return outcomes;
    };
    Object.assign(server.services.accounts, { write: lose });
    const unsure = await visitor.post('/dashboard/exports', fields);
    Object.assign(server.services.accounts, { write });
    expect([unsure.status, unsure.html]).toEqual([503, expect.stringContaining('not certain whether')]);
    expect(unsure.html).not.toContain('Idempotency-Key');
    Object.assign(server.services.accounts, { write: () => Promise.reject(new DatabaseAway('no answer')) });
    const later = await visitor.post('/dashboard/exports', confirmation(unsure));
    Object.assign(server.services.accounts, { write });
    expect(later.status).toBe(503);
    const again = await visitor.post('/dashboard/exports', confirmation(later));
    expect(again.location).toBe('/dashboard/exports?made');
    expect(await newestAccount()).toMatchObject({ balance: 50 });
  });

  it('that fails for a fault of ours says which id to quote', async () => {
    await visitor.post('/dashboard/keys', { name: 'office' });
    const fields = confirmation(await quote({ dataset: 'buyers' }));
    const { write } = server.services.accounts;
    Object.assign(server.services.accounts, { write: () => Promise.reject(new Error('a fault of ours')) });
    const failed = await visitor.post('/dashboard/exports', fields);
    Object.assign(server.services.accounts, { write });
    expect(failed.status).toBe(500);
    expect(failed.html).toContain(`request_id: ${failed.headers.get('x-request-id')}`);
    expect(await exportsOf((await newestAccount()).id)).toEqual([]);
  });

  it('never costs more than was confirmed, whatever has come since', async () => {
    const quoted = await quote({ dataset: 'buyers', max_rows: '1000000' });
    expect(quoted.html).toContain('none is in use');
    await visitor.post('/dashboard/keys', { name: 'office' });
    const rows = confirmation(await quote({ dataset: 'buyers', max_rows: '1000000' }));
    expect(rows.max_rows).toBe('1000');
    expect(confirmation(await quote({ dataset: 'buyers' })).max_rows).toBe('1000');
  });

  it.each([
    [{ dataset: 'notices', value_min: 'cheap' }, 'Value from: '],
    [{ dataset: 'notices', value_min: '9', value_max: '1' }, 'Value from: '],
    [{ dataset: 'notices', max_rows: '0' }, 'Maximum number of rows: '],
    [{ dataset: 'notices', format: 'parquet', excel: 'true' }, 'Excel: '],
    [{ dataset: 'notices', format: 'docx' }, 'Format: '],
  ])('that cannot be meant is refused with what was typed: %o', async (fields, fault) => {
    const { status, html } = await quote(fields);
    expect(status).toBe(422);
    expect(html).toMatch(new RegExp(`role="alert"><p>${fault}`));
    for (const [name, value] of Object.entries(fields).filter(([name]) => /value|max/.test(name)))
      expect(html).toContain(`name="${name}" value="${value}"`);
  });

  it('is refused where the account is stopped, in words', async () => {
    await visitor.post('/dashboard/keys', { name: 'office' });
    const { id } = await newestAccount();
    const fields = confirmation(await quote({ dataset: 'buyers' }));
    await setAccountState(server.accounts, id, 'frozen');
    const { status, html } = await visitor.post('/dashboard/exports', fields);
    expect([status, html]).toEqual([422, expect.stringContaining('This account is frozen.')]);
    expect(await exportsOf(id)).toEqual([]);
  });

  it('of nothing costs nothing, and one that is too dear is not offered', async () => {
    await visitor.post('/dashboard/keys', { name: 'office' });
    expect((await quote({ dataset: 'companies', query: 'qqqqqq zzzzz' })).html).toContain('Nothing matches');
    const { id } = await newestAccount();
    const spend = `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, created_at)
      VALUES (?, 'charge', ?, '@revenue', 200, 'bulk_export', '2026-11-21T00:00:00Z')`;
    const fields = confirmation(await quote({ dataset: 'buyers' }));
    await server.accounts.write([{ sql: spend, args: [`charge:${id}`, id] }]);
    expect((await quote({ dataset: 'buyers' })).html).toMatch(/You have 50 credits, which is not enough/);
    const late = await visitor.post('/dashboard/exports', fields);
    expect(late.status).toBe(402);
    expect(late.html).toMatch(/role="alert"><p>This call costs 100 credits/);
    expect(await exportsOf(id)).toEqual([]);
  });

  it('holds the cap of its key, takes the keys of nobody else and no form from elsewhere', async () => {
    await visitor.post('/dashboard/keys', { name: 'small', cap: '50' });
    const { id } = await newestAccount();
    const fields = confirmation(await quote({ dataset: 'buyers' }));
    const capped = await visitor.post('/dashboard/exports', fields);
    expect(capped.status).toBe(402);
    const others: Record<string, string>[] = [{ key: server.keyId }, { key: '' }, { once: 'x' }];
    for (const wrong of others)
      expect((await visitor.post('/dashboard/exports', { ...fields, ...wrong })).status).toBe(422);
    const forged = await visitor.post('/dashboard/exports', fields, { origin: 'https://evil.example' });
    expect(forged.status).toBe(403);
    expect(forged.html).toContain('This form was open for too long');
    expect((await quote({ ...fields, form_token: 'x' })).status).toBe(403);
    expect((await makeVisitor(server.url).post('/dashboard/exports', fields)).location).toMatch(
      /^\/sign-in\?next=new-export/,
    );
    expect(await exportsOf(id)).toEqual([]);
  });
});
