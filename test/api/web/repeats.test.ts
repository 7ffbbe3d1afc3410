import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { makeOperator } from './operator.ts';
import { makeVisitor, signUp, type Visitor } from './visitor.ts';

/** A page repeats what was typed or asked only in part: it is never long because a question was. */

const BYTES_MAX = 16 * 1024;
/** One byte of a form or an address each, or two, and up to nine on a page. */
const SIGNS = ['"', '&', '<', '€', '😀', '","', 'a '];

const operator = makeOperator();
let server: BuiltServer;
let signedIn: Visitor;
beforeAll(async () => {
  const settings = { WEB_REQUESTS_PER_MINUTE: '100000', WEB_PAGES_PER_DAY: '100000' };
  server = await buildSampleServer({ web: operator.web, settings });
  signedIn = makeVisitor(server.url);
  await signUp(signedIn, operator, { email: 'ada@example.org' });
});
afterAll(() => server?.close());

const bytes = ({ html }: { html: string }) => Buffer.byteLength(html);

const EXPORT = 'query,cpv,region,buyer_id,stage,notice_type,source,value_min,published_from,format,max_rows,key,once';
const WATCH =
  'name,query,cpv,region,buyer_id,stage,value_min,deliver,webhook,every,changes,credits_per_day_max,act,once';
const FORMS: readonly (readonly [page: string, form: string, fields: string])[] = [
  ['/sign-up', '/sign-up', 'name,email,password'],
  ['/sign-in', '/sign-in', 'email,password,next'],
  ['/forgotten', '/forgotten', 'email'],
  ['/reset', '/reset', 'link,password'],
  ['/confirm', '/confirm', 'link,password'],
  ['/dashboard', '/dashboard/keys', 'name,expires,cap,once'],
  ['/dashboard', '/dashboard/keys/roll', 'key,hint'],
  ['/dashboard', '/dashboard/keys/revoke', 'key'],
  ['/dashboard/exports/new', '/dashboard/exports/quote', EXPORT],
  ['/dashboard/exports/new', '/dashboard/exports', EXPORT],
  ['/dashboard/watches/new', '/dashboard/watches', WATCH],
  ['/dashboard/settings', '/dashboard/settings', 'name,low_balance_mail'],
  ['/dashboard/settings', '/dashboard/settings/password', 'present,password'],
  ['/dashboard/settings', '/dashboard/settings/sessions', 'which'],
  ['/dashboard/settings/delete', '/dashboard/settings/delete', 'word,password'],
  ['/dashboard/billing', '/dashboard/billing/checkout', 'credits'],
];

describe('a form that was refused', () => {
  it.each(FORMS)('of %s, sent to %s, adds little to its page', async (page, form, names) => {
    const visitor = form.startsWith('/dashboard') ? signedIn : makeVisitor(server.url);
    const fields = names.split(',');
    for (const sign of SIGNS) {
      const empty = bytes(await visitor.get(page));
      // As few browsers would send it and any client can: 18 kB of it, not percent-encoded.
      const text = sign.repeat(18_000 / fields.length / Buffer.byteLength(sign)).replaceAll('&', '%26');
      const few = Object.fromEntries(fields.map((name) => [name, sign.repeat(900 / Buffer.byteLength(sign))]));
      const many = Object.fromEntries(fields.map((name) => [name, text]));
      for (const sent of [many, few])
        for (const stale of [false, true]) {
          const answer = await visitor.post(form, stale ? { ...sent, form_token: 'x' } : sent);
          expect([sign, answer.status, Math.max(0, bytes(answer) - empty - BYTES_MAX)]).toEqual([
            sign,
            answer.status,
            0,
          ]);
        }
    }
  });

  it('brings back what is of usual length', async () => {
    const query = 'road OR bridge OR "street lighting" -maintenance '.repeat(18).trim();
    await signedIn.get('/dashboard/exports/new');
    const quote = await signedIn.post('/dashboard/exports/quote', { query, cpv: '45', published_from: 'soon' });
    expect(quote.status).toBe(422);
    expect(quote.html).toContain(`name="query" value="${query.replaceAll('"', '&quot;')}"`);
    const name = '都'.repeat(80);
    const key = await signedIn.post('/dashboard/keys', { name, expires: '2020-01-01', cap: '10' });
    expect(key.html).toContain(`value="${name}"`);
    expect(key.html).toContain('value="2020-01-01"');
    expect(key.html).toContain('value="10"');
  });
});

describe('the form of an export that an address fills in', () => {
  it.each(SIGNS)('is short, and says so where it is not the whole: %s', async (sign) => {
    const empty = bytes(await signedIn.get('/dashboard/exports/new'));
    const long = encodeURIComponent(sign.repeat(3_000)).slice(0, 1_800);
    const fields = EXPORT.split(',').slice(0, 4);
    const answer = await signedIn.get(`/dashboard/exports/new?${fields.map((name) => `${name}=${long}`).join('&')}`);
    expect([answer.status, bytes(answer) - empty < BYTES_MAX]).toEqual([200, true]);
    const short = await signedIn.get('/dashboard/exports/new?query=roads');
    expect(short.html).not.toContain('too long');
    const raw = await signedIn.get(`/dashboard/exports/new?query=${'a'.repeat(2_001)}`);
    expect(raw.html).toContain('The address was too long');
  });
});

const REGIONS = 'TLC,TLD,TLE,TLF,TLG,TLH,TLI,TLJ,TLK,TLL,TLM,TLN,TLC1,TLC2,TLD1,TLD3,TLD4,TLE1,TLE2,TLE3';
const CODES = Array.from({ length: 20 }, (_, at) => `450${at + 10}000`).join();
const STAGES = 'planning,tender,award,contract,change,termination,performance';
const FILTERS = `stage=${STAGES}&cpv=${CODES}&region=${REGIONS}&notice_type=UK1,UK2,UK3,UK4,UK5,UK6,UK7,UK10`;

describe('a page of results', () => {
  it.each(['/notices?facets=1&', '/notices?', '/tenders?', '/frameworks?'])(
    '%s repeats its words in part: more than a form takes are refused',
    async (path) => {
      const empty = bytes(await signedIn.get(path));
      for (const sign of ['"', '€', 'a ', 'road OR ', 'school -"&&&" '])
        for (const chars of [300, 301, 800]) {
          const words = sign.repeat(chars).slice(0, chars - 1);
          const answer = await signedIn.get(`${path}query=${encodeURIComponent(`${words}x`)}`);
          expect([sign, chars, answer.status]).toEqual([sign, chars, chars > 300 ? 422 : 200]);
          expect(Math.max(0, bytes(answer) - empty)).toBeLessThan(BYTES_MAX);
        }
      const { html } = await signedIn.get(`${path}query=${'a'.repeat(301)}`);
      expect(html).toContain('Query: Input should have at most 300 characters');
    },
  );

  it.each(['/notices.atom', '/tenders.atom'])('so does the feed %s', async (path) => {
    const { status, html } = await signedIn.get(`${path}?query=${'a'.repeat(301)}`);
    expect([status, html]).toEqual([422, 'Query: Input should have at most 300 characters']);
  });

  it('names of very many filters the first, each with its link, and how many more there are', async () => {
    for (const path of ['/notices?facets=1&', '/notices?']) {
      const few = await signedIn.get(`${path}stage=award&query=${'"'.repeat(300)}`);
      const many = await signedIn.get(`${path}${FILTERS}&query=${'"'.repeat(300)}`);
      expect(many.status).toBe(200);
      expect(bytes(many) - bytes(few)).toBeLessThan(BYTES_MAX + 8 * 1024);
      expect(many.html).toMatch(/<li>and \d+ more<\/li>/);
      expect(many.html).toContain('Remove all filters');
      expect(few.html).not.toContain('Remove all filters');
    }
  });
});
