import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchEngine } from '../../../../search/engine.ts';
import { IndexOutdated, SearchUnavailable } from '../../../../search/engine.ts';
import { makeSeededEngine } from '../engine.ts';
import { BUYER, IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';

const seeded = makeSeededEngine();
let corrections: { from: string; to: string }[] = [];
let isDown: (scope: string) => boolean = () => false;
let lacksFacets = false;
let site: Site;
beforeAll(async () => {
  const engine: SearchEngine = {
    ...seeded,
    async find(query) {
      if (isDown(query.scope)) throw new SearchUnavailable('no index yet');
      if (lacksFacets && query.facets) throw new IndexOutdated('of an older version');
      const answer = await seeded.find(query);
      return { ...answer, meta: { ...answer.meta, corrections } };
    },
  };
  site = await startSite({}, engine);
  await seedCatalogue(site.services.catalogue);
  const named = 'INSERT INTO notice_name (name, process_id, notice_id) VALUES (?, ?, ?)';
  await site.services.catalogue.write([{ sql: named, args: ['sep427811', IDS.process, IDS.tender] }]);
});
afterAll(() => site?.close());

const search = (text: string) => site.visitor().get(`/search?query=${encodeURIComponent(text)}`);

describe('one box over everything', () => {
  it('finds words in bold letters, each of which is two characters to JavaScript', async () => {
    const bold = (text: string) =>
      text.replace(/[a-z]/g, (one) => String.fromCodePoint(0x1d41a + one.charCodeAt(0) - 97));
    const { html } = await search(bold('ambleford council '.repeat(10)));
    expect(html).toContain('<h2>Live tenders</h2>');
    expect(html).toContain('only its beginning was used');
  });

  it('shows tenders, contracts, notices, frameworks, companies and buyers, and the way to all of each', async () => {
    const { html } = await search('ambleford council');
    const heads = [...html.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, head]) => head);
    expect(heads).toEqual(['Buyers', 'Live tenders', 'Contracts', 'Notices', 'Frameworks']);
    expect(html).toContain(`href="/frameworks/${IDS.framework}"`);
    expect(html).toContain(`<h3><a href="/contracts/${IDS.contract}">`);
    expect(html).toContain(`href="/buyers/${IDS.buyer}"`);
    expect(html).toContain(BUYER.split(' <')[0]);
    const pike = (await search('harrow & pike')).html;
    expect(pike).toContain(`href="/companies/${IDS.company}"`);
    expect(pike).toContain('1 contract<');
    expect(seeded.asked.slice(-4).map(({ scope, limit }) => [scope, limit])).toEqual([
      ['tenders', 5],
      ['contracts', 5],
      ['notices', 5],
      ['frameworks', 5],
    ]);
  });

  it.each([
    [IDS.tender, `/notices/${IDS.tender}`],
    [` ${IDS.process.toUpperCase()} `, `/notices/${IDS.award}`],
    [`https://www.find-tender.service.gov.uk/Notice/${IDS.tender}?origin=Search`, `/notices/${IDS.tender}`],
    ['SEP427811', `/notices/${IDS.tender}`],
    ['https://notices.example/search/search_view.aspx?ID=SEP427811', `/notices/${IDS.tender}`],
    ['01234567', `/companies/${IDS.company}`],
    ['1234567', `/companies/${IDS.company}`],
    [IDS.company, `/companies/${IDS.company}`],
    [IDS.buyer, `/buyers/${IDS.buyer}`],
  ])('leads from %s straight to its page', async (text, path) => {
    const { status, location } = await search(text);
    expect([status, location]).toEqual([302, path]);
  });

  it.each([
    ['999999-2026', 'an id that is not held'],
    ['""""', 'quotes only'],
    ['\u0000\u0007\u001b', 'controls'],
    ['🚧🚧 👷‍♀️', 'signs'],
    ['مناقصة عامة', 'a text from right to left'],
    ['%%%2e__*?(', 'signs of a pattern'],
    ["'; DROP TABLE notice; --", 'a statement'],
    ['a'.repeat(5_000), 'one endless word'],
    ['x '.repeat(2_000), 'endless words'],
  ])('answers %j with a calm page', async (text) => {
    const { status, html } = await search(text);
    expect(status).toBe(200);
    expect(html).toContain('<h1>Search</h1>');
    expect(html).not.toContain('role="alert"');
    expect(html.includes('only its beginning was used')).toBe(text.length > 300);
  });

  it('shows frameworks that have some of the words where none has all', async () => {
    const { html } = await search('some words');
    expect(html).toContain('No framework has all of these words; 7 have some.');
    expect(html).toContain('href="/frameworks?query=some+words&amp;match=any"');
  });

  it('reads a reference of a framework with a space in it', async () => {
    await search('RM 6999');
    expect(seeded.asked.slice(-4).map(({ text }) => text)).toEqual(['RM6999', 'RM6999', 'RM6999', 'RM6999']);
  });

  it('tells which typing mistakes it forgave', async () => {
    corrections = [{ from: 'brigde', to: 'bridge' }];
    const { html } = await search('brigde');
    corrections = [];
    expect(html).toContain('“brigde” read as “bridge”');
  });

  it('shows only the search box where there is no query', async () => {
    const { status, html } = await site.visitor().get('/search');
    expect([status, html.includes('<h2>')]).toEqual([200, false]);
  });

  it('refuses an endless address with a page', async () => {
    const { status, html } = await search('a'.repeat(10_000));
    expect(status).toBe(414);
    expect(html).toContain('This address is too long');
    expect(html).toContain('action="/search"');
  });

  it('shows what answers where a part does not, and says which', async () => {
    isDown = (scope) => scope === 'tenders';
    const { status, html } = await search('harrow & pike');
    expect(status).toBe(200);
    expect(html).toContain('Live tenders cannot be searched at the moment');
    expect(html).toContain(`href="/companies/${IDS.company}"`);
    expect(html).toContain('<h2>Notices</h2>');
    isDown = () => false;
  });
});

describe('the front page', () => {
  it('shows what closes soonest and what is newest, and asks for it once a minute', async () => {
    const before = seeded.asked.length;
    const { html } = await site.visitor().get('/');
    expect(html).toContain('action="/search"');
    expect(html).toContain('Closing soonest');
    expect(html).toContain('Just published');
    expect(html).toContain('>All 1 open for bids<');
    await site.visitor().get('/');
    expect(seeded.asked.slice(before).map(({ scope, sort }) => [scope, sort])).toEqual([
      ['tenders', 'deadline'],
      ['notices', '-published'],
    ]);
  });

  it('does without a search that does not answer', async () => {
    const silent = await startSite();
    const { status, html } = await silent.visitor().get('/');
    expect(status).toBe(200);
    expect(html).not.toContain('Closing soonest');
    await silent.close();
  });
});

it('a search shows what it finds without counts while the index lacks a facet that the page counts', async () => {
  const page = () => site.visitor().get('/notices?query=ambleford');
  const counted = await page();
  lacksFacets = true;
  const { status, html } = await page();
  lacksFacets = false;
  const hits = (text: string) => [...text.matchAll(/<h[23]><a href="(\/notices\/[^"]+)"/g)].map(([, href]) => href);
  expect([status, hits(html)]).toEqual([200, hits(counted.html)]);
  expect(hits(html).length).toBeGreaterThan(0);
});
