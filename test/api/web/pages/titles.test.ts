import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeededEngine } from '../engine.ts';
import { HOSTILE, IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';

const OGL = 'Contains public sector information licensed under the';
const THINGS = [
  `/notices/${IDS.tender}`,
  `/contracts/${IDS.contract}`,
  `/contracts/${IDS.award}`,
  `/companies/${IDS.company}`,
  '/companies/1234567',
  `/buyers/${IDS.buyer}`,
  `/frameworks/${IDS.framework}`,
];
const LISTS = [
  '/notices',
  '/tenders',
  '/contracts',
  '/renewals',
  '/frameworks',
  '/companies?name=harrow',
  '/buyers?name=ambleford',
];
const PAGES = [
  '/',
  '/notices?query=bridge',
  '/companies',
  '/buyers',
  '/status',
  '/docs',
  '/docs/agents',
  '/docs/search_tenders',
  '/pricing',
  '/sign-in',
  '/sign-up',
];

const engine = makeSeededEngine();
let site: Site;

beforeAll(async () => {
  site = await startSite({}, engine);
  await seedCatalogue(site.services.catalogue);
});
afterAll(() => site?.close());

const get = (path: string) => site.visitor().get(path);

describe('every page', () => {
  it.each([...PAGES, ...LISTS, ...THINGS])(
    '%s answers with the licence, the banner and strict headers',
    async (path) => {
      const { status, html, headers } = await get(path);
      expect(status).toBe(200);
      expect(html).toMatch(/^<!doctype html><html lang="en-GB">/);
      expect(html).toContain(OGL);
      for (const publisher of ['Companies House', 'Contracts Finder, the Cabinet Office'])
        expect(html).toContain(`Source: ${publisher}.`);
      expect(html).toContain('Invented data, for a test.');
      expect(html).toMatch(/<title>[^<]+<\/title>/);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).not.toMatch(/<script(?! defer src="\/assets\/[\w/.-]+"><\/script>)|<style| style=| on[a-z]+=/i);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(Buffer.byteLength(html)).toBeLessThan(100_000);
    },
  );

  it.each(THINGS)('%s shows what a publisher wrote as text, and follows no address that is not one', async (path) => {
    const { html } = await get(path);
    expect(html).toContain('&lt;script>alert(');
    expect(html).not.toContain(HOSTILE);
    expect(html).not.toMatch(/href="javascript:/i);
  });
});

describe('a search by words', () => {
  it('shows the piece of the text that holds them, marked, and nothing of it as markup', async () => {
    const { html } = await get('/notices?query=bridge');
    expect(html).toContain('Works on a <mark>bridge</mark> &amp; &lt;b>two&lt;/b> quays');
    expect(html).toContain('Find a Tender and Contracts Finder');
    expect((await get('/notices')).html).not.toContain('<mark>');
  });
});

describe('titles', () => {
  const titleOf = async (path: string) => /<title>([^<]+)</.exec((await get(path)).html)?.[1] ?? '';

  it('tell every page from the others', async () => {
    const paths = [...PAGES, ...LISTS, ...THINGS, '/notices?cpv=45', '/notices?cpv=45&region=London', '/buyers?name=x'];
    const titles = new Map<string, string>();
    // Further addresses of a contract and a company that stand in the list already.
    const again = [`/contracts/${IDS.award}`, '/companies/1234567'];
    for (const path of paths.filter((path) => !again.includes(path))) {
      const title = await titleOf(path);
      expect(titles.get(title), `${path}: ${title}`).toBeUndefined();
      titles.set(title, path);
    }
  });

  it('name the filters in force, and say where a list continues', async () => {
    expect(await titleOf('/notices?query=bridge&region=London')).toContain('bridge - Notices - Region: London');
    const [, next = ''] = /href="([^"]*cursor=the-next-page[^"]*)"/.exec((await get('/notices')).html) ?? [];
    expect(await titleOf(next)).toContain('further results');
    expect([(await get(next)).status, engine.asked.at(-1)?.cursor]).toEqual([200, 'the-next-page']);
    expect((await get('/notices?cursor=the-next-page')).status).toBe(422);
  });
});

describe('a walk', () => {
  const linksOf = async (path: string) => [...(await get(path)).html.matchAll(/href="([^"]+)"/g)].map(([, to]) => to);

  it('leads from a search to the notice, its contract, the company, the buyer and the framework', async () => {
    expect(await linksOf('/tenders')).toContain(`/notices/${IDS.tender}`);
    expect(await linksOf(`/notices/${IDS.tender}`)).toContain(`/contracts/${IDS.contract}`);
    const contract = await linksOf(`/contracts/${IDS.contract}`);
    expect(contract).toContain(`/companies/${IDS.company}`);
    expect(contract).toContain(`/buyers/${IDS.buyer}`);
    expect(contract).toContain(`/frameworks/${IDS.framework}`);
    expect(await linksOf(`/companies/${IDS.company}`)).toContain(`/contracts/${IDS.contract}`);
    expect(await linksOf(`/buyers/${IDS.buyer}`)).toContain(`/contracts/${IDS.contract}`);
    expect(await linksOf(`/frameworks/${IDS.framework}`)).toContain(`/companies/${IDS.company}`);
    expect(await linksOf(`/notices/${IDS.tender}`)).toContain(
      `https://www.find-tender.service.gov.uk/Notice/${IDS.tender}`,
    );
  });
});

describe('the searches', () => {
  it('hand the filters of the address to the engine, leave foreign ones out, and offer the next page', async () => {
    const { html } = await get(
      '/notices?query=bridge&region=London&value_min=1000&stage=tender&nonsense=1&sort=-value',
    );
    const asked = engine.asked.at(-1);
    expect(asked).toMatchObject({ scope: 'notices', text: 'bridge', sort: '-value' });
    expect(asked?.filters).toEqual({ region: ['UKI'], value_min: 1000, stage: ['tender'] });
    expect(html).toContain('cursor=the-next-page');
    expect(html).toContain('Remove the filter Region: London');
  });

  it('say what is wrong with a filter beside the form, and keep the rest', async () => {
    const { status, html } = await get('/tenders?query=bridge&value_min=cheap');
    expect(status).toBe(422);
    expect(html).toContain('role="alert"');
    expect(html).toContain('value="bridge"');
    const code = (await get('/tenders?cpv=4')).html;
    expect(code).toContain('CPV code: Input should be CPV codes of 2 to 8 digits, with commas between, at most 20</p>');
  });

  it('call tenders live, and say that no others are shown, only where that is so', async () => {
    const only = 'Only tenders that are open now are shown here';
    for (const [path, head, isOnly] of [
      ['/tenders?query=nothing', 'Live tenders', true],
      ['/tenders?query=nothing&status=closed', 'Tenders', false],
      ['/tenders?query=nothing&status=any', 'Tenders', false],
    ] as const) {
      const { html } = await get(path);
      expect([html.includes(`<h1>${head}</h1>`), html.includes(only)], path).toEqual([true, isOnly]);
    }
    expect((await get('/tenders.atom?status=closed')).html).toContain('<title>Tenders - Status: Closed');
  });

  it('say so where nothing is found, and show the words as text', async () => {
    expect((await get('/tenders?query=nothing')).html).toContain('Nothing was found');
    const { html } = await get(`/notices?query=${encodeURIComponent(`"${HOSTILE}`)}`);
    expect(html).not.toContain(HOSTILE);
  });
});

describe('a page of a list that cannot be found again', () => {
  it.each([`/buyers/${IDS.buyer}`, `/companies/${IDS.company}`])('%s begins again', async (path) => {
    const { status, location } = await get(`${path}?cursor=made-up`);
    expect([status, location]).toEqual([302, path]);
  });
});

describe('the status page', () => {
  it('says in words how fresh each source is, its timetable and what its words mean', async () => {
    const { html } = await get('/status');
    expect(html).toContain('What these words mean');
    expect(html).not.toContain('* * *');
  });
});

describe('what is not there', () => {
  it.each([
    '/nowhere',
    '/notices/999999-2026',
    '/contracts/x',
    '/companies/x',
    '/buyers/x',
    '/frameworks/x',
    '/assets/x',
  ])('%s is a helpful 404', async (path) => {
    const { status, html } = await get(path);
    expect(status).toBe(404);
    expect(html).toContain('type="search"');
    expect(html).toContain(OGL);
  });

  it('shows a hostile id as text, and a broken address as a 400', async () => {
    const { status, html } = await get(`/notices/${encodeURIComponent(HOSTILE)}`);
    expect(status).toBe(404);
    expect(html).not.toContain(HOSTILE);
    expect((await get('/notices/%E0%A4%A')).status).toBe(400);
  });
});
