import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processorMs } from '../../../support/processor-time.ts';
import { makeSeededEngine } from '../engine.ts';
import { BUYER, IDS, seedCatalogue } from '../seed.ts';
import { type Site, signCursor, startSite } from '../site.ts';

const APP_URL = 'https://example.org';
const FACETS = {
  stage: { tender: 12, award: 30 },
  region: { UKI: 40, UKD: 3, '<odd>': 1 },
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
  await seedCatalogue(site.services.catalogue);
});
afterAll(() => site?.close());

const htmlOf = async (path: string) => (await site.visitor().get(path)).html;
/** Name, value and count of everything that a search can be narrowed by; `+` where it is ticked. */
const valuesOf = (html: string) => [
  ...[
    ...html.matchAll(
      /<input type="(?:checkbox|radio)"([^>]*)\/?><span>([^<]*)<\/span>(?:<span class="count">([\d,]+))?/g,
    ),
  ].map(([, attributes = '', label, count = '']) => {
    const [, name, value = ''] = /name="([^"]*)" value(?:="([^"]*)")?/.exec(attributes) ?? [];
    return `${/ checked/.test(attributes) ? '+' : ''}${name}=${value} ${label} ${count}`.trim();
  }),
  ...[
    ...html.matchAll(
      /<button [^>]*name="(value_band)" value="([^"]+)"[^>]*><span>([^<]+)<\/span><span class="count">([\d,]+)/g,
    ),
  ].map(([, name, value, label, count]) => `${name}=${value} ${label} ${count}`),
];
const ofName = (html: string, name: string) =>
  valuesOf(html).filter((value) => value.replace('+', '').startsWith(name));

describe('an address typed by hand', () => {
  it('is read in any case, and the form shows what it means', async () => {
    const html = await htmlOf('/notices?query=bridge&sort=-Value&stage=AWARD&notice_type=uk4&facets=1');
    const filters = { stage: ['award'], notice_type: ['UK4'] };
    expect(engine.asked).toContainEqual(expect.objectContaining({ sort: '-value', filters }));
    expect(html).toContain('<option value="-value" selected>');
    expect(ofName(html, 'stage')).toContain('+stage=award Award 30');
    await htmlOf('/tenders?status=ANY');
    expect(engine.asked.at(-1)?.filters).toMatchObject({ status: 'any' });
  });
});

describe('what a search can be narrowed by', () => {
  it('stands in the one form of the search, the most frequent first; no value is a link', async () => {
    const html = await htmlOf(`/notices?query=bridge&sort=-value&cursor=${signCursor('x')}&facets=1`);
    expect(ofName(html, 'stage')).toEqual(['stage=award Award 30', 'stage=tender Tender 12']);
    // Of the whole country a filter would find more than was counted.
    expect(ofName(html, 'region')).toEqual(['region=UKI London 40', 'region=UKD North West 3']);
    expect(ofName(html, 'cpv')).toEqual(['cpv=45 Construction work 9', expect.stringMatching(/^cpv=33 Medical.* 2$/)]);
    expect(ofName(html, 'value_band')).toEqual([
      'value_band=0-9999 Below £10,000 1',
      'value_band=100000-999999 £100,000 to £1 million 3',
      'value_band=100000000+ £100 million and more 2',
    ]);
    expect(ofName(html, 'source')).toHaveLength(2);
    const aside = html.slice(
      html.indexOf('<aside aria-label="Filters"'),
      html.indexOf('</aside>', html.indexOf('Filters"')),
    );
    expect(aside).not.toContain('<a ');
    const fields = [...aside.matchAll(/<(?:input|select|button)[^>]*>/g)].map(([field]) => field);
    expect(fields.filter((field) => !field.includes('form="search"'))).toEqual([]);
    expect(html).toMatch(/<input type="hidden" name="facets" value="1"/);
  });

  it('stays in the form where the address has it and no field shows it', async () => {
    const html = await htmlOf('/tenders?stage=planning,tender');
    expect(html).toContain('<input type="hidden" name="stage" value="planning,tender" form="search"');
    expect(await htmlOf('/tenders')).not.toContain('name="stage"');
  });

  it('names buyers by their names; one may be chosen, and none again', async () => {
    const both = { ...FACETS.buyer_id };
    FACETS.buyer_id[IDS.buyer] = 6;
    await site.services.catalogue.write([
      { sql: 'UPDATE buyer SET gone = 0 WHERE id = ?', args: [IDS.buyer] },
      {
        sql: `INSERT INTO buyer (id, name, name_key, contract_count, totals, detail, digest, seq)
          SELECT ?, 'Otherwick', 'otherwick', 0, totals, detail, 'd', 1 FROM buyer WHERE id = ?`,
        args: ['GB-PPON-PGON-0000-GONE', IDS.buyer],
      },
    ]);
    const labels = ofName(await htmlOf('/tenders'), 'buyer_id').join();
    expect(labels).toContain('Otherwick');
    expect(labels).toContain(BUYER.split(' <')[0]);
    const chosen = ofName(await htmlOf('/tenders?buyer_id=GB-PPON-PGON-0000-GONE'), 'buyer_id');
    expect(chosen[0]).toMatch(/^\+buyer_id=GB-PPON-PGON-0000-GONE Otherwick/);
    expect(chosen.at(-1)).toBe('buyer_id= Any buyer');
    Object.assign(FACETS.buyer_id, both);
  });

  it('is counted at once where it costs little, elsewhere by a link; what is known is offered without', async () => {
    const asked = async (path: string) => {
      const html = await htmlOf(path);
      return [engine.asked.some(({ facets }) => facets !== undefined), html.includes('Count these by')];
    };
    const atOnce = [true, false];
    for (const path of ['/notices', '/tenders?query=bridge&region=London', '/notices?query=bridge&facets=1']) {
      engine.asked.length = 0;
      expect(await asked(path)).toEqual(atOnce);
    }
    for (const path of ['/notices?query=bridge', '/tenders?query=bridge&status=any']) {
      engine.asked.length = 0;
      expect(await asked(path)).toEqual([false, true]);
    }
    const uncounted = await htmlOf('/notices?query=bridge');
    expect(ofName(uncounted, 'stage')).toContain('stage=award Award');
    expect(ofName(uncounted, 'region')).toHaveLength(12);
  });

  it('keeps what is chosen ticked, in its one form, and counts the others as if it were not', async () => {
    engine.asked.length = 0;
    const html = await htmlOf('/notices?region=London,TLD&cpv=45000000&stage=award&value_min=100000&facets=1');
    expect(ofName(html, 'region')).toEqual(['+region=UKI London 40', '+region=UKD North West 3']);
    expect(ofName(html, 'stage')).toEqual(['+stage=award Award 30', 'stage=tender Tender 12']);
    expect(ofName(html, 'cpv')[0]).toBe('+cpv=45 Construction work 9');
    expect(ofName(html, 'value_band')).toHaveLength(3);
    const counting = engine.asked.slice(1).map(({ facets, filters }) => [facets?.join(), Object.keys(filters).join()]);
    expect(counting).toEqual([
      ['stage', 'cpv,region,value_min'],
      ['region', 'cpv,stage,value_min'],
      ['cpv_division', 'region,stage,value_min'],
      ['value_band', 'cpv,region,stage'],
    ]);
  });

  it('shows each value in force with the way to remove it, and one to remove all', async () => {
    const html = await htmlOf('/notices?query=bridge&sort=-value&region=UKI,UKD&value_min=100000');
    const removals = [
      ...html.matchAll(/<a class="chip[^"]*" href="([^"]+)" rel="nofollow"(?: aria-label="([^"]+)")?/g),
    ];
    expect(removals.map(([, href, label]) => [label, href?.replaceAll('&amp;', '&')])).toEqual([
      ['Remove the filter Region: London', '/notices?query=bridge&region=UKD&value_min=100000&sort=-value'],
      ['Remove the filter Region: North West', '/notices?query=bridge&region=UKI&value_min=100000&sort=-value'],
      ['Remove the filter Value from: £100,000', '/notices?query=bridge&region=UKI,UKD&sort=-value'],
      [undefined, '/notices?query=bridge&sort=-value'],
    ]);
    expect(html).toContain('Narrow these results (3 chosen)');
    expect(html).toContain('<meta name="robots" content="noindex, follow"/>');
    expect(await htmlOf('/notices?region=UKI')).not.toContain('noindex');
  });

  it('keeps a name with a comma whole, and gives back what was refused to be mended', async () => {
    const html = await htmlOf('/notices?region=Bristol,+City+of,London&facets=1');
    expect(ofName(html, 'region').map((value) => value[0])).toEqual(['+', '+', 'r']);
    expect(html).toContain('Remove the filter Region: Bristol, City of');
    const refused = await htmlOf('/notices?cpv=4x');
    expect(refused).toMatch(/role="alert">CPV code: /);
    expect(refused).toMatch(/<input id="cpv"[^>]*value="4x"/);
    expect(await htmlOf('/notices?value_min=cheap')).toContain('Remove the filter Value from: cheap"');
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

  it('may be searched alone; the results say so at the top, with a link back to all', async () => {
    const html = await htmlOf('/notices?query=some+words&match=any');
    expect(html).toContain('aria-label="Remove the filter Words: any of them"');
    expect(html).toContain('7 notices');
    // Both would match all words, and hold nothing of this.
    expect(html).not.toContain('application/atom+xml');
    expect(html).not.toContain('>Download<');
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
    [
      '/notices?query=bridge&sort=-value&stage=award&stage=tender&stage=award&region=UKI&region=Essex&cpv=',
      '/notices?query=bridge&sort=-value&stage=award,tender&region=UKI,Essex',
    ],
    ['/tenders?value_band=10000-99999&value_min=5&value_max=', '/tenders?value_min=10000&value_max=99999.99'],
    ['/tenders?value_band=100000000%2B', '/tenders?value_min=100000000'],
    ['/tenders?value_band=many&value_min=5', '/tenders?value_min=5'],
  ])('is freed of blank fields, with the values of a filter in one list: %s', async (path, clean) => {
    const { status, headers } = await site.visitor().get(path);
    expect([status, headers.get('location')]).toEqual([302, clean]);
  });

  it('is freed in little processor time, however many fields it has', async () => {
    const full = `/notices?${'cpv=1&'.repeat(1_350)}`;
    const before = processorMs();
    for (let at = 0; at < 10; at += 1) {
      const { status, headers } = await site.visitor().get(full);
      expect([status, headers.get('location')]).toEqual([302, '/notices?cpv=1']);
    }
    expect(processorMs() - before).toBeLessThan(1_000);
  });

  it('has one canonical address, whatever else stood in it', async () => {
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
