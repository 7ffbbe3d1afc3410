import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
      /<strong>(\d+) notices?<\/strong>[\s\S]*?<strong>(\d+) credits?<\/strong>/.exec(shown) ?? [];
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
