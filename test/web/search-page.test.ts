import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeededEngine } from './engine.ts';
import { BUYER, IDS, seedCatalogue } from './seed.ts';
import { type Site, signCursor, startSite } from './site.ts';

const APP_URL = 'https://example.org';
const FACETS = {
  stage: { tender: 12, award: 30 },
  region: { UKI: 40, UKD: 3, 'United Kingdom': 2, '<odd>': 1 },
  cpv_division: { 33: 2, 45: 9 },
  value_band: { '100000-999999': 3, '0-9999': 1, '100000000+': 2 },
  buyer_id: { [IDS.buyer]: 5, 'GB-PPON-PGON-0000-GONE': 1 },
  notice_type: { UK4: 12 },
  source: { find_a_tender: 30, contracts_finder: 12 },
};

const engine = makeSeededEngine();
let site: Site;
beforeAll(async () => {
  const find: typeof engine.find = async (query) => {
    const answer = await engine.find(query);
    return query.facets ? { ...answer, facets: FACETS } : answer;
  };
  site = await startSite({ APP_URL }, { ...engine, find });
  await seedCatalogue(site.house.catalogue);
});
afterAll(() => site?.close());

const htmlOf = async (path: string) => (await site.visitor().get(path)).html;
/** Label, count and address of every value to narrow by. */
const valuesOf = (html: string) =>
  [...html.matchAll(/<li><a href="([^"]+)" rel="nofollow">([^<]+)<\/a><span class="count">([\d,]+)</g)].map(
    ([, href = '', label, count]) => [label, count, href.replaceAll('&amp;', '&')],
  );

describe('counted values beside the results', () => {
  it('are links that add their filter and keep the rest of the search, the most frequent first', async () => {
    const values = valuesOf(await htmlOf(`/notices?query=bridge&sort=-value&cursor=${signCursor('x')}&facets=1`));
    const search = '/notices?query=bridge&sort=-value&facets=1';
    expect(values.slice(0, 4)).toEqual([
      ['Award', '30', `${search}&stage=award`],
      ['Tender', '12', `${search}&stage=tender`],
      ['London', '40', `${search}&region=UKI`],
      ['North West', '3', `${search}&region=UKD`],
    ]);
    // Of the whole country a filter would find more than was counted.
    expect(values.slice(4).map(([label, , href = '']) => [label, href.slice(search.length)])).toEqual([
      ['Construction work', '&cpv=45'],
      [expect.stringMatching(/^Medical/), '&cpv=33'],
      ['Below £10,000', '&value_max=9999'],
      ['£100,000 to £1 million', '&value_min=100000&value_max=999999'],
      ['£100 million and more', '&value_min=100000000'],
      ['Find a Tender', '&source=find_a_tender'],
      ['Contracts Finder', '&source=contracts_finder'],
    ]);
  });

  it('name buyers by their names', async () => {
    const both = { ...FACETS.buyer_id };
    FACETS.buyer_id[IDS.buyer] = 6;
    await site.house.catalogue.write([
      { sql: 'UPDATE buyer SET gone = 0 WHERE id = ?', args: [IDS.buyer] },
      {
        sql: `INSERT INTO buyer (id, name, name_key, contract_count, totals, detail, digest, seq)
          SELECT ?, 'Otherwick', 'otherwick', 0, totals, detail, 'd', 1 FROM buyer WHERE id = ?`,
        args: ['GB-PPON-PGON-0000-GONE', IDS.buyer],
      },
    ]);
    const labels = valuesOf(await htmlOf('/tenders')).map(([label]) => label);
    expect(labels).toContain('Otherwick');
    expect(labels.join()).toContain(BUYER.split(' <')[0]);
    Object.assign(FACETS.buyer_id, both);
  });

  it('come at once where they cost little, elsewhere by a link', async () => {
    const asked = async (path: string) => {
      const html = await htmlOf(path);
      return [engine.asked.at(-1)?.facets !== undefined, html.includes('Count these by')];
    };
    const atOnce = [true, false];
    expect(await asked('/notices')).toEqual(atOnce);
    expect(await asked('/tenders?query=bridge&region=London')).toEqual(atOnce);
    expect(await asked('/notices?query=bridge&facets=1')).toEqual(atOnce);
    expect(await asked('/notices?query=bridge')).toEqual([false, true]);
    expect(await asked('/tenders?query=bridge&status=any')).toEqual([false, true]);
  });

  it('leave a filter in force to the link that takes it away', async () => {
    const html = await htmlOf('/notices?region=UKI&cpv=45&value_min=100000&stage=award&facets=1');
    const labels = valuesOf(html).map(([label]) => label);
    expect(labels).not.toContain('London');
    expect(labels).not.toContain('Award');
    expect(html).toContain('aria-label="Remove the filter Region: London"');
    expect(html).toContain('aria-label="Remove the filter Value from: £100,000"');
    expect(html).toContain('href="/notices?cpv=45&amp;value_min=100000&amp;stage=award&amp;facets=1"');
  });
});

describe('words that nothing has all of', () => {
  it.each([
    ['/tenders?query=some+words', 'No tender has all of these words; 7 have some.', '/tenders'],
    ['/notices?query=some+words', 'No notice has all of these words; 7 have some.', '/notices'],
    ['/search?query=some+words', 'No live tender has all of these words; 7 have some.', '/tenders'],
  ])('are said so, and what has some of them stands below a line: %s', async (path, sentence, list) => {
    const html = await htmlOf(path);
    const [above = '', below = ''] = html.slice(html.indexOf(sentence)).split('<hr');
    expect(above.startsWith(sentence)).toBe(true);
    expect(below).toContain(`href="/notices/${IDS.tender}"`);
    expect(below).toContain(`href="${list}?query=some+words&amp;match=any"`);
    expect(html).not.toContain('Nothing was found');
  });

  it('may be asked for singly, which stands above the results with the way back', async () => {
    const html = await htmlOf('/notices?query=some+words&match=any');
    expect(html).toContain('aria-label="Remove the filter Words: any of them"');
    expect(html).toContain('7 notices');
    expect(html).not.toContain('match=any" type="application/atom+xml"');
  });

  it('stay all of them in a feed', async () => {
    const { html } = await site.visitor().get('/notices.atom?query=some+words&match=any');
    expect(html).toContain('<feed');
    expect(html).not.toContain('<entry>');
    expect(html).not.toContain('match=any');
  });
});

describe('the address of a search', () => {
  it.each([
    ['/notices?query=bridge&sort=&region=+&value_min=5', '/notices?query=bridge&value_min=5'],
    ['/tenders?query=a%26b&cpv=', '/tenders?query=a%26b'],
    ['/companies?name=', '/companies'],
  ])('is freed of the blank fields of a form: %s', async (path, clean) => {
    const { status, headers } = await site.visitor().get(path);
    expect([status, headers.get('location')]).toEqual([302, clean]);
  });

  it('is told in its one canonical form, whatever else stood in it', async () => {
    const canonical = async (path: string) => /rel="canonical" href="([^"]+)"/.exec(await htmlOf(path))?.[1];
    expect(await canonical('/tenders?nonsense=1&query=*&status=open&limit=7&sort=relevance')).toBe(
      `${APP_URL}/tenders`,
    );
    const long = '/notices?value_min=500&utm_source=x&query=bridge&query=quay&facets=1';
    expect(await canonical(long)).toBe(`${APP_URL}/notices?query=bridge&amp;value_min=500`);
  });
});

describe('next to the count of results', () => {
  it('stand a feed and the same search as an API call; value and deadline have a column of their own', async () => {
    const html = await htmlOf("/notices?query=bridge's&region=UKI&facets=1");
    expect(html).toMatch(/class="found-bar"><p class="muted">[\s\S]*?Alert me<\/a>[\s\S]*?As an API call/);
    expect(html).toContain('href="/notices.atom?query=bridge%27s&amp;region=UKI"');
    expect(html).toContain("/v1/notices/search?query=bridge%27s&amp;region=UKI'");
    expect(html).toMatch(/<li class="hit"><div>[\s\S]*?<div class="hit-facts">/);
    expect(await htmlOf('/tenders')).toContain("/v1/tenders/search?query=*'");
  });
});
