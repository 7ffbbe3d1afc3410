import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { xml2js } from 'xml-js';
import type { SearchHit } from '../../../../search/engine.ts';
import { makeSeededEngine } from '../engine.ts';
import { IDS, seedCatalogue } from '../seed.ts';
import { type Site, signCursor, startSite } from '../site.ts';

/** What a publisher may write into a title: markup, the end of a CDATA section, control characters, half a character. */
const HOSTILE = '<script>&amp; ]]> \u0000\u0008\u001b\ufffe\ud800 "quoted" العربية 🚧';
const SHOWN = '&lt;script&gt;&amp;amp; ]]&gt;';
const APP_URL = 'https://example.org';
/** What a notice need not say. */
const BARE = { deadline: null, deadline_at: null, value: null, regions: [], extract: '', buyer: null };

interface Element {
  _text?: string;
  _cdata?: string | string[];
  _attributes?: Record<string, string>;
}
interface Atom {
  feed: Record<'id' | 'title' | 'updated' | 'rights', Element> & {
    author: { name: Element };
    link: Element[];
    entry?: (Record<'id' | 'updated' | 'title' | 'summary', Element> & { link: Element; author: { name: Element } })[];
  };
}

const seeded = makeSeededEngine();
let hits: SearchHit[] = [];
let site: Site;

beforeAll(async () => {
  const find: typeof seeded.find = async (query) => {
    const answer = await seeded.find(query);
    const [hit] = answer.hits;
    hits =
      hit && query.scope !== 'contracts'
        ? [
            { ...hit, title: HOSTILE, extract: HOSTILE, buyer: HOSTILE, deadline: '2026-06-02' },
            { ...hit, notice_id: IDS.award, deadline: '2026-06-01', tender_expected: '2026-09-30' },
            { ...hit, notice_id: IDS.award, ...BARE },
          ]
        : answer.hits.slice(0, 1);
    return { ...answer, hits };
  };
  site = await startSite({ APP_URL, AS_OF: '2026-06-01T23:30:00Z' }, { ...seeded, find });
  await seedCatalogue(site.services.catalogue);
});
afterAll(() => site?.close());

/** As a reader of feeds asks; left to itself, fetch would forbid an answer of 304. */
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(site.url + path, { headers: { 'cache-control': 'max-age=0', ...headers } });
async function readFeed(path: string): Promise<Atom['feed']> {
  const response = await get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const xml = await response.text();
  const writable = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
  expect(xml).toMatch(writable);
  return (xml2js(xml, { compact: true, alwaysArray: ['link', 'entry'] }) as Atom).feed;
}
const textOf = ({ _text, _cdata }: Element) => _text ?? [_cdata].flat().join('');

describe('the feed of a search', () => {
  it('is Atom: an id, an author, a licence, its own address and an entry a notice', async () => {
    const feed = await readFeed('/notices.atom?query=bridge&region=London&sort=value&nonsense=1');
    const page = `${APP_URL}/notices?query=bridge&region=London`;
    expect(textOf(feed.id)).toBe(page);
    expect(textOf(feed.title)).toBe('bridge - Notices - Region: London - UK Procurement Data');
    expect(textOf(feed.updated)).toBe('2026-10-20T09:00:00.000Z');
    expect(textOf(feed.author.name)).toBe('UK Procurement Data');
    expect(textOf(feed.rights)).toBe(
      'Contains public sector information licensed under the Open Government Licence v3.0. Source: Companies House. ' +
        'Source: Contracts Finder, the Cabinet Office. Source: Find a Tender, the Cabinet Office.',
    );
    expect(feed.link.map(({ _attributes }) => [_attributes?.rel, _attributes?.href])).toEqual([
      ['alternate', page],
      ['self', page.replace('/notices?', '/notices.atom?')],
    ]);
    expect(feed.entry).toHaveLength(3);
    expect(seeded.asked.at(-1)).toMatchObject({ scope: 'notices', text: 'bridge', sort: '-published', limit: 50 });
    expect(seeded.asked.at(-1)?.cursor).toBeUndefined();
  });

  it('shows what a publisher wrote as text, and leaves out what XML cannot write', async () => {
    const [entry, other, bare] = (await readFeed('/tenders.atom?query=bridge')).entry ?? [];
    expect(textOf(entry?.title ?? {})).toContain(SHOWN);
    expect(textOf(entry?.title ?? {})).toMatch(/العربية 🚧$/);
    expect(textOf(entry?.summary ?? {})).toContain(SHOWN);
    expect(textOf(entry?.summary ?? {})).toMatch(/^Tender, closes 2 June 2026, £1,250,000, London, Find a Tender - /);
    expect(textOf(other?.summary ?? {})).toContain(', closed 1 June 2026, tender expected 30 September 2026, £');
    expect(textOf(bare?.summary ?? {})).toBe('Tender, Find a Tender');
    expect(textOf(entry?.author.name ?? {})).toContain('<script>');
    expect(textOf(entry?.id ?? {})).toBe(`${APP_URL}/notices/${IDS.tender}#${IDS.process}`);
    expect(textOf(other?.id ?? {})).not.toBe(textOf(entry?.id ?? {}));
  });

  it('has on its page the day on which the tender of a plan is expected, and that order', async () => {
    const page = await (await get('/notices?query=bridge&sort=tender_expected')).text();
    expect(page.match(/tender expected [\w ]+/g)).toEqual(['tender expected 30 September 2026']);
    expect(page).toMatch(/<option value="tender_expected" selected[^>]*>Tender expected, soonest first/);
    expect(await (await get('/tenders?query=bridge')).text()).not.toContain('xpected');
  });

  it('of contracts has those awarded last, each with its suppliers, value and end', async () => {
    const { catalogue } = site.services;
    const end = (day: string | null) => catalogue.write([{ sql: 'UPDATE contract SET ends = ?', args: [day] }]);
    await end('2099-03-31');
    const address = `/contracts.atom?query=bridge&buyer_id=${IDS.buyer}&company_number=${IDS.company}&sort=ends`;
    const feed = await readFeed(address);
    await end(null);
    const filters = { buyer_id: IDS.buyer, company_number: IDS.company };
    expect(seeded.asked.at(-1)).toMatchObject({
      scope: 'contracts',
      text: 'bridge',
      filters,
      sort: '-awarded',
      limit: 50,
    });
    expect(textOf(feed.title)).toMatch(/^bridge - Contracts - Buyer: Ambleford Council .*, Supplier: HARROW & PIKE /);
    expect(textOf(feed.updated)).toBe('2026-11-02T00:00:00.000Z');
    const [entry] = feed.entry ?? [];
    expect(textOf(entry?.id ?? {})).toBe(`${APP_URL}/contracts/${IDS.contract}`);
    expect(textOf(entry?.summary ?? {})).toMatch(/^HARROW &amp; PIKE .*, £990,000, running, ends 31 March 2099, /);
  });

  it('of contracts says the status of each today, and what a value is that is no price', async () => {
    const summaryOf = async (columns: string) => {
      await site.services.catalogue.write([{ sql: `UPDATE contract SET ${columns}`, args: [] }]);
      const { entry = [] } = await readFeed('/contracts.atom');
      return textOf(entry[0]?.summary ?? {});
    };
    expect(await summaryOf("starts = '2099-01-01', ends = '2099-12-31'")).toContain(', not started, ends 31 December');
    expect(await summaryOf("status = 'terminated', starts = '2020-01-01', ends = '2020-12-31'")).toContain(
      ', £990,000, terminated early, ended 31 December 2020,',
    );
    expect(await summaryOf("value_class = 'framework_ceiling', framework_role = 'establishes'")).toContain(
      ', £990,000 (ceiling of a framework, not spending), ',
    );
  });

  it('is not sent again to a reader that has it', async () => {
    const first = await get('/tenders.atom');
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect((await get('/tenders.atom', { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304);
    expect((await get('/tenders.atom', { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('is sent to a reader that knows the date of its newest entry: others may have changed', async () => {
    const newest = new Date(textOf((await readFeed('/tenders.atom')).updated)).toUTCString();
    expect((await get('/tenders.atom', { 'if-modified-since': newest })).status).toBe(200);
  });

  it('without entries is a feed all the same, as new as what is stored', async () => {
    const feed = await readFeed('/notices.atom?query=nothing');
    expect(feed.entry).toBeUndefined();
    expect(textOf(feed.updated)).toBe('2026-11-20T12:00:00.000Z');
  });

  it('says in words what it does not take', async () => {
    const response = await get('/notices.atom?value_min=cheap');
    expect([response.status, await response.text()]).toEqual([422, expect.stringMatching(/^Value from: /)]);
  });

  it.each([
    ['/notices.atom?cpvs=72', "Unknown parameter 'cpvs'; did you mean 'cpv'?"],
    ['/tenders.atom?query=bridge&Regions=Wales', "Unknown parameter 'Regions'; did you mean 'region'?"],
    ['/tenders.atom?q=bridge', "Unknown parameter 'q'; did you mean 'query'?"],
    ['/tenders.atom?query=bridge&amp;region=Wales', "Unknown parameter 'amp;region'; did you mean 'region'?"],
    ['/notices.atom?region[]=Wales&region[]=London', "Unknown parameter 'region[]'; did you mean 'region'?"],
    ['/notices.atom?publishedFrm=2026-11-01', "Unknown parameter 'publishedFrm'; did you mean 'published_from'?"],
    ['/contracts.atom?expires_before=2027-01-01', "Unknown parameter 'expires_before'; did you mean 'ends_to'?"],
    ['/contracts.atom?buyer=Northwick', "Unknown parameter 'buyer'"],
    ['/notices.atom?deadline_to=2027-01-01', "Unknown parameter 'deadline_to'; there are query, buyer_id"],
  ])('%s, with a filter that it does not have, is refused, and not everything', async (path, said) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining(said)]);
  });

  it('is sent where others added names to its address: counters of visits, readers, and caches', async () => {
    const visits =
      'utm_source=mail&gclid=a&mc_cid=b&_hsenc=c&_ke=d&cid=e&spm=f&cmp=g&share=h&app=i&src=j&user_id=k&ref=l';
    const others = '_=17&v=2&cb=3&time=4&sid=5&sig=6&page=2&amp=1&tags=a&sort=-value&page_size=9&nonsense=';
    for (const scope of ['tenders', 'notices', 'contracts'])
      expect(await (await get(`/${scope}.atom?query=bridge&${visits}&${others}`)).text()).toContain('<feed');
  });

  it('is named by the page of the search', async () => {
    const html = await (await get(`/tenders?query=bridge&sort=-value&cursor=${signCursor('x')}&nonsense=1`)).text();
    const address = '/tenders.atom?query=bridge';
    expect(html).toContain(`<link rel="alternate" href="${address}" type="application/atom+xml"`);
    expect(html).toContain(`<a href="${address}" type="application/atom+xml"`);
  });
});
