import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseAway, OutcomeUnknown, type Statement } from '../../../../schema/db/interface.ts';
import { ask } from '../../../support/client.ts';
import { buildSampleServer } from '../../../support/sample-services.ts';
import type { BuiltServer } from '../../../support/services.ts';
import { makeOperator } from '../operator.ts';
import { follow, makeVisitor, PASSWORD, signUp, type Visitor } from '../visitor.ts';

const EMAIL = 'ada@example.org';
const FORM = '/dashboard/watches/new';
const operator = makeOperator();
let server: BuiltServer;
let visitor: Visitor;

beforeAll(async () => {
  server = await buildSampleServer({ web: operator.web });
  visitor = makeVisitor(server.url);
  await signUp(visitor, operator, { email: EMAIL });
});
afterAll(() => server?.close());

describe('a search', () => {
  it('leads to a form that it fills in, through a sign-in too, with what it would have sent', async () => {
    const { html } = await visitor.get('/notices?query=maintenance&region=London&sort=-value&match=any&facets=1');
    const address = `${FORM}?on=notices&query=maintenance&region=TLI`;
    expect(html).toMatch(
      /<a href="\/dashboard\/watches\/new\?on=notices&amp;query=maintenance&amp;region=[^"&]+" [^>]*>Alert me<\/a>/,
    );
    const stranger = makeVisitor(server.url);
    const { location } = await stranger.get(address);
    const next = 'new-watch?query=maintenance&region=TLI&on=notices';
    expect(location).toBe(`/sign-in?next=${encodeURIComponent(next)}`);
    await stranger.get(location ?? '');
    const entered = await stranger.post('/sign-in', { email: EMAIL, password: PASSWORD, next });
    expect(entered.location).toBe(`${FORM}?query=maintenance&region=TLI&on=notices`);
    const form = await stranger.get(entered.location ?? '');
    expect(form.html).toContain('name="query" value="maintenance"');
    expect(form.html).toContain('value="Notices, “maintenance”, Region: London"');
    expect(form.html).toContain('In the last seven days');
    // This service sends no mail.
    expect((await stranger.get('/dashboard/watches')).html).toContain('what changed, by <a');
  });

  it('leads to a form in which a filter that is not chosen is Any', async () => {
    const { html } = await visitor.get(`${FORM}?on=contracts`);
    const [, sme = ''] = /<select id="sme"[^>]*>(.*?)<\/select>/s.exec(html) ?? [];
    expect([...sme.matchAll(/>([^<]+)<\/option>/g)].map(([, word]) => word)).toEqual(['Any', 'Yes', 'No']);
  });

  it('of what ends soon keeps its months, which mean other days tomorrow', async () => {
    const { html } = await visitor.get('/renewals?months=6&region=London');
    const [, found = ''] = /href="(\/dashboard\/watches\/new\?[^"]+)"[^>]*>\s*Alert me/.exec(html) ?? [];
    const address = found.replaceAll('&amp;', '&');
    expect(new URL(address, 'http://a').searchParams.get('ends_within')).toBe('6');
    expect(address).not.toMatch(/ends_to|ends_from/);
    const form = (await visitor.get(address)).html;
    expect(form).toMatch(/name="ends_within"[^>]* value="6"|value="6"[^>]* name="ends_within"/);
    expect(form).toContain('value="Contracts, Ends within 6 months, Region: London"');
    expect(form).toContain('Filters (2 chosen)');
    expect((await visitor.get('/dashboard/watches/new?on=contracts&ends_within=1')).html).toContain(
      'value="Contracts, Ends within 1 month"',
    );
    const once = /name="once" value="(\w+)"/.exec(form)?.[1] ?? '';
    const fields = { once, on: 'contracts', name: 'Soon', region: 'London', ends_within: '6', deliver: 'webhook' };
    const made = { ...fields, webhook: 'https://hooks.example.org/a', every: 'run', changes: 'new' };
    const { html: shown } = await visitor.post('/dashboard/watches', made);
    const id = /wat_\w+/.exec(shown)?.[0] ?? '';
    const [row] = await server.accounts.read<{ filters: string }>({
      sql: 'SELECT filters FROM watch WHERE id = ?',
      args: [id],
    });
    expect(JSON.parse(row?.filters ?? '')).toMatchObject({ ends_within: 6 });
    expect((await visitor.get(`/dashboard/watches/${id}`)).html).toMatch(/href="\/contracts\?[^"]*ends_to=\d{4}-/);
    const wrong = await visitor.post('/dashboard/watches', { ...made, once: `${once}2`, ends_to: '2030-01-01' });
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('Send months, or ends_from and ends_to')]);
  });

  it('leads to a form that may choose another search, and then keeps what both have', async () => {
    const once = /name="once" value="(\w+)"/.exec((await visitor.get(FORM)).html)?.[1] ?? '';
    const hook = { deliver: 'webhook', webhook: 'https://hooks.example.org/a', every: 'run', changes: 'new' };
    const fields = { once, on: 'notices', name: 'Upkeep', query: 'maintenance', region: 'London', ...hook };
    const { html: made } = await visitor.post('/dashboard/watches', { ...fields, stage: 'award' });
    const page = `/dashboard/watches/${/wat_\w+/.exec(made)?.[0]}`;
    const edit = (await visitor.get(`${page}/edit`)).html;
    const [, found = ''] = new RegExp(`href="(${page}/edit\\?[^"]*on=contracts[^"]*)"`).exec(edit) ?? [];
    const { html } = await visitor.get(found.replaceAll('&amp;', '&'));
    expect(html).toContain('name="on" value="contracts"');
    expect(html).toContain('name="query" value="maintenance"');
    expect(html).not.toContain('name="stage"');
    // A receiver's address may be secret: it is in the form alone.
    expect(edit + html).not.toMatch(/href="[^"]*hooks\.example\.org/);
    expect(html).toContain('name="webhook" value="https://hooks.example.org/a"');
    const saved = await visitor.post(`${page}/edit`, { ...fields, on: 'contracts' });
    expect(saved.location).toBe(`${page}?said=saved`);
    const shown = (await visitor.get(page)).html;
    expect(shown).toContain('Contracts, “maintenance”, Region: London');
  });

  it('is previewed with the address of its receiver in the form, and in no link', async () => {
    const hook = { deliver: 'webhook', webhook: 'https://hooks.example.org/secret', every: 'run', changes: 'new' };
    const fields = { on: 'notices', name: 'Upkeep', query: 'maintenance', ...hook };
    const { html } = await visitor.post('/dashboard/watches', { ...fields, act: 'preview' });
    expect(html).toContain('name="webhook" value="https://hooks.example.org/secret"');
    expect(html).toMatch(/href="[^"]*name=Upkeep[^"]*on=contracts/);
    expect(html.match(/href="[^"]*secret/g)).toBeNull();
  });

  it('is not lost to somebody who has to sign up first, and is nowhere in the mail', async () => {
    const newcomer = makeVisitor(server.url);
    const next = 'new-watch?query=lanterns&on=tenders';
    const { location } = await newcomer.get(`${FORM}?on=tenders&query=lanterns`);
    const signIn = (await newcomer.get(location ?? '')).html;
    const signUpPath = `/sign-up?next=${encodeURIComponent(next)}`;
    expect(signIn).toContain(`href="${signUpPath}"`);
    expect((await newcomer.get(signUpPath)).html).toContain(
      'name="next" value="new-watch?query=lanterns&amp;on=tenders"',
    );
    const person = { name: 'Bo', email: 'bo@example.org', password: PASSWORD };
    const link = await operator.readLink(() => newcomer.post('/sign-up', { ...person, next }));
    expect(link).toMatch(/^\/confirm\?link=\w+$/);
    const elsewhere = makeVisitor(server.url);
    expect((await elsewhere.get(link)).html).not.toContain('lanterns');
    expect((await follow(newcomer, link)).location).toBe(`${FORM}?query=lanterns&on=tenders`);
    expect(newcomer.cookies.has('next')).toBe(false);
  });

  it.each(['//evil.example', 'new-watch//evil.example', '\r\nX: y'])('leads nowhere else: %j', async (next) => {
    const newcomer = makeVisitor(server.url);
    await newcomer.get(`/sign-up?next=${encodeURIComponent(next)}`);
    const person = { name: 'Bo', email: `bo${next.length}@example.org`, password: PASSWORD, next };
    const link = await operator.readLink(() => newcomer.post('/sign-up', person));
    newcomer.cookies.set('next', Buffer.from(next).toString('base64url'));
    expect((await follow(newcomer, link)).location).toBe('/dashboard');
  });

  it('shows as many items and credits before a watch is made as the API says after', async () => {
    const shown = (await visitor.get(`${FORM}?on=notices&query=maintenance`)).html;
    const [, items, credits] =
      /<strong>(\d+) notices?<\/strong>[\s\S]*?<strong>at least (\d+) credits?<\/strong>/.exec(shown) ?? [];
    const body = {
      name: 'a',
      on: 'notices',
      filters: { query: 'maintenance' },
      deliver: { webhook: 'https://hooks.example.org/a' },
    };
    const headers = { 'content-type': 'application/json' };
    const made = await ask(server.url, '/v1/watches', server.key, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    });
    expect(Number(items)).toBeGreaterThan(0);
    expect(made.body.last_seven_days).toEqual({ item_count: Number(items), credits: Number(credits) });
    expect(shown.match(/<li class="hit">/g)).toHaveLength(Math.min(3, Number(items)));
  });

  it('says where its words were corrected, as a watch corrects nothing', async () => {
    expect((await visitor.get(`${FORM}?on=notices&query=maintenanec`)).html).toContain('A watch corrects nothing');
  });

  it.each(['/tenders', '/contracts', '/renewals', '/notices?query=zzzqqq', '/notices?query=maintenance+zzzqqq'])(
    'at %s leads there too',
    async (path) => {
      expect((await visitor.get(path)).html).toMatch(/href="\/dashboard\/watches\/new\?on=[^"]+"[^>]*>\s*Alert me/);
    },
  );

  it('of everything leads there from each of its parts', async () => {
    const { html } = await visitor.get('/search?query=maintenance');
    expect(html).toContain(
      `<a href="${FORM}?on=notices&amp;query=maintenance" rel="nofollow">Alert me to new notices</a>`,
    );
  });
});

it('a watch that was made as the accounts went away is that of its form, which is shown again', async () => {
  const { accounts } = server.services;
  const { read, write } = accounts;
  const away = () => Promise.reject(new DatabaseAway('no answer'));
  const goAway = async (statements: readonly Statement[]) => {
    const outcomes = await write(statements);
    if (statements.some(({ sql }) => sql.includes('INSERT INTO watch '))) Object.assign(accounts, { read: away });
    return outcomes;
  };
  const idOf = ({ html }: { html: string }) => /name="once" value="(\w+)"/.exec(html)?.[1] ?? '';
  const fields = { on: 'notices', query: 'maintenance', name: 'Sent twice', every: 'run', changes: 'new' };
  const watch = { ...fields, deliver: 'webhook', webhook: 'https://hooks.example.org/a' };
  const once = idOf(await visitor.get(FORM));
  Object.assign(accounts, { write: goAway });
  const unsure = await visitor.post('/dashboard/watches', { ...watch, once });
  Object.assign(accounts, { read, write });
  expect(unsure.status).toBe(503);
  const again = await visitor.post('/dashboard/watches', { ...watch, once: idOf(unsure) });
  expect(again.location).toMatch(/\/wat_\w+\?said=seen$/);
  const named = { sql: "SELECT id FROM watch WHERE name = 'Sent twice'" };
  expect(await accounts.read(named)).toHaveLength(1);
});

it('a watch of which the accounts do not say whether it was made is asked for in words of the page', async () => {
  const { accounts } = server.services;
  const { write } = accounts;
  const lose = async (statements: readonly Statement[]) => {
    const outcomes = await write(statements);
    if (statements.some(({ sql }) => sql.includes('INSERT INTO watch '))) throw new OutcomeUnknown('no answer');
    return outcomes;
  };
  const fields = {
    on: 'notices',
    query: 'maintenance',
    name: 'Lost',
    every: 'run',
    changes: 'new',
    deliver: 'webhook',
  };
  Object.assign(accounts, { write: lose });
  const unsure = await visitor.post('/dashboard/watches', { ...fields, webhook: 'https://hooks.example.org/a' });
  Object.assign(accounts, { write });
  expect([unsure.status, unsure.html]).toEqual([503, expect.stringContaining('not certain whether this was done')]);
  expect(unsure.html).not.toContain('Idempotency-Key');
});
