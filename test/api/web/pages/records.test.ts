import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noticeDates } from '../../../../api/operations/notices/shapes.ts';
import { formatDay } from '../../../../api/web/components/format.ts';
import { Related } from '../../../../api/web/records/parts.tsx';
import { makeSeededEngine } from '../engine.ts';
import { alterRow, DAYS, IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';
import { wordsIn } from '../visitor.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite({}, makeSeededEngine());
  await seedCatalogue(site.services.catalogue);
});
afterAll(() => site?.close());

const get = (path: string) => site.visitor().get(path);
const alter = (table: string, id: string, values: Parameters<typeof alterRow>[3]) =>
  alterRow(site.services.catalogue, table, id, values);

describe('the page of a contract', () => {
  it('tells every notice of it, oldest first, and what each said', async () => {
    const { html } = await get(`/contracts/${IDS.contract}`);
    const items = [...html.matchAll(/<li[^>]*><span class="order">(.*?)<\/li>/g)].map(([item]) => wordsIn(item));
    expect(items).toEqual([
      expect.stringMatching(/^1 20 October 2026 UK4 Tender notice 000123-2026$/),
      expect.stringMatching(/^2 2 November 2026 UK6 .* 000456-2026 with .*Sons &lt;Ltd>$/),
      expect.stringMatching(/^3 2 November 2026 UK10 .* Active · £990,000 \(excluding VAT\) · until 31 March 2029$/),
      expect.stringMatching(/^4 3 November 2026 UK9 .* 000100-2026$/),
    ]);
    expect(html).toContain('href="/notices/000099-2026"');
  });

  it('has who won and for how much in its headline', async () => {
    const { html } = await get(`/contracts/${IDS.contract}`);
    const headline = wordsIn(html.slice(html.indexOf('class="heading"'), html.indexOf('</main>'))).slice(0, 400);
    expect(headline).toMatch(/Awarded to .+ · £[\d,]+ \(.+?\).* Bought by /);
    expect(html).toMatch(/aria-current="page"[^>]*>Contracts</);
  });

  it('draws them on a line of time, with the same numbers', async () => {
    const { html } = await get(`/contracts/${IDS.contract}`);
    const picture = /<svg[^>]*role="img"[^>]*><title>Timeline of 4 notices.*?<\/svg>/.exec(html)?.[0] ?? '';
    expect([...picture.matchAll(/>(\d)<\/text>/g)].map(([, number]) => number)).toEqual(['1', '2', '3', '4']);
    expect(picture).toContain('<desc>20 October 2026: UK4 Tender notice. 3 November 2026: UK9');
  });
});

describe('the same procurement elsewhere', () => {
  const one = { title: 'Payroll', source: 'find_a_tender', notice_id: '000123-2026', ocid: 'ocds-h6vhtk-1' };
  const say = (method: 'identifier' | 'title', counted_once: boolean) => {
    const related = [{ ...one, match: { method, score: 1, evidence: [] }, counted_once }];
    return wordsIn(render(h(Related, { related }), { titles: new Map() }));
  };

  it('says how its awards are counted, and of a tender and its copy, which searches find once, nothing else', () => {
    expect(say('identifier', true)).toContain('Its awards are counted once.');
    expect(say('title', false)).toContain('Counted separately.');
    expect(say('identifier', false)).not.toContain('Counted');
  });
});

describe('the CPV code of a record', () => {
  it.each([`/contracts/${IDS.contract}`, `/frameworks/${IDS.framework}`])('%s has its meaning', async (path) => {
    await alter('contract', IDS.contract, { cpv: '45221119' });
    await alter('framework', IDS.framework, { cpv: '45221119' });
    const code = '<a href="/notices?cpv=45221119">45221119</a>';
    expect((await get(path)).html).toContain(`${code} </dd>`);
    const words = JSON.stringify({ 45221119: 'Bridge <renewal>' });
    const named = `UPDATE notice SET cpv = '45221119', detail = json_set(detail, '$.cpv_descriptions', json(?)) WHERE notice_id = ?`;
    await site.services.catalogue.write([{ sql: named, args: [words, IDS.tender] }]);
    expect((await get(path)).html).toContain(`${code} Bridge &lt;renewal></dd>`);
    const back = `UPDATE notice SET cpv = '45000000', detail = json_remove(detail, '$.cpv_descriptions') WHERE notice_id = ?`;
    await site.services.catalogue.write([{ sql: back, args: [IDS.tender] }]);
  });
});

describe('the status of a contract', () => {
  it.each([
    ['Running', { starts: '2020-01-01', ends: '2126-01-01' }],
    ['Not started', { starts: '2125-01-01', ends: '2126-01-01' }],
    ['Ended', { starts: '2020-01-01', ends: '2021-01-01' }],
    ['Terminated early', { status: 'terminated', ends: '2126-01-01' }],
    ['Pending', { status: 'pending', ends: null }],
  ])('is %s on its page as in a list of them', async (status, fields) => {
    await alter('contract', IDS.contract, fields);
    expect(wordsIn((await get(`/contracts/${IDS.contract}`)).html)).toContain(`Details Status ${status} `);
  });
});

const TENDER_ROW = `${IDS.tender}_${IDS.process}`;
const parts = (html: string, ...words: string[]) => words.map((word) => html.indexOf(word));

describe('the page of a tender', () => {
  it('says first until when and how to bid, and leads to the official notice', async () => {
    const { html } = await get(`/notices/${IDS.tender}`);
    expect(wordsIn(html)).toMatch(/Open, [\d,]+ days left .*15 January 2099 deadline, at 12:00 London time/);
    const places = parts(
      html,
      'deadline, at',
      'How to apply',
      '<h2>Description',
      '<h2>Details',
      'Where this comes from',
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(html).toContain(`href="https://www.find-tender.service.gov.uk/Notice/${IDS.tender}"`);
  });

  it('shows the beginning of a long text, and the rest to unfold', async () => {
    const sentence = 'The supplier shall keep the bridge. ';
    await alter('notice', TENDER_ROW, { description: `${sentence.repeat(40)}\n\nThe end.` });
    const { html } = await get(`/notices/${IDS.tender}`);
    const told = html.slice(
      html.indexOf('<h2>Description'),
      html.indexOf('</section>', html.indexOf('<h2>Description')),
    );
    const [shown = '', rest = ''] = told.split('<details>');
    expect(wordsIn(shown).length).toBeLessThan(800);
    expect(shown).toMatch(/shall keep the bridge\.<\/p>$/);
    expect(rest).toContain('The end.');
  });

  it('that was withdrawn, or holds no deadline, says so', async () => {
    const held = { deadline: DAYS.deadline, deadline_at: `${DAYS.deadline}T12:00:00Z` };
    await alter('process', IDS.process, { status: 'withdrawn' });
    const withdrawn = (await get(`/notices/${IDS.tender}`)).html;
    expect(withdrawn).toContain('<span class="tag">Withdrawn</span>');
    expect(withdrawn).toContain('deadline before it was withdrawn');
    await alter('process', IDS.process, { status: 'open' });
    await alter('notice', TENDER_ROW, { deadline: null, deadline_at: null });
    expect((await get(`/notices/${IDS.tender}`)).html).toContain('<span class="tag">A later notice follows</span>');
    await alter('notice', TENDER_ROW, held);
  });

  it('does not call open what is past its deadline', async () => {
    await alter('notice', TENDER_ROW, { deadline: '2020-01-15', deadline_at: '2020-01-15T12:00:00Z' });
    const { html } = await get(`/notices/${IDS.tender}`);
    expect(html).toContain('<span class="tag">Closed</span>');
    expect(html).toContain('It is not open for bids at the moment');
  });

  it('has every date of its answer', async () => {
    const names = Object.keys(noticeDates.shape).filter((name) => name !== 'enquiries_until_at');
    const days = names.map((name, at) => [name, `2027-${String(at + 1).padStart(2, '0')}-15`]);
    const closes = `${Object.fromEntries(days).enquiries_until}T16:45:00Z`;
    const dates = JSON.stringify({ ...Object.fromEntries(days), enquiries_until_at: closes });
    const sql = "UPDATE notice SET detail = json_set(detail, '$.dates', json(?)) WHERE notice_id = ?";
    await site.services.catalogue.write([{ sql, args: [dates, IDS.tender] }]);
    const { html } = await get(`/notices/${IDS.tender}`);
    for (const [name, day] of days) expect([name, html.includes(formatDay(day) ?? '')]).toEqual([name, true]);
    expect(html).toContain(', at 17:45 London time');
  });
});

describe('an awkward award', () => {
  it('without a supplier and with a value that nobody believes says both', async () => {
    await alter('contract', IDS.contract, { supplier: null, suppliers: '[]', value: 1, value_class: 'absurd' });
    const { html } = await get(`/contracts/${IDS.contract}`);
    expect(wordsIn(html)).toContain('No supplier is named · £1 (implausible, excluding VAT)');
    expect(html).toContain('role="note"');
    expect(html).not.toContain('How the suppliers were identified');
  });

  it('with very many suppliers names a few and unfolds the others', async () => {
    const match = { method: 'unmatched', score: 0, evidence: [] };
    const suppliers = Array.from({ length: 90 }, (_, at) => ({
      company_id: `name-x-${at}`,
      name: `Supplier ${at}`,
      match,
    }));
    await alter('contract', IDS.contract, { supplier: 'Supplier 0', suppliers: JSON.stringify(suppliers) });
    const { html } = await get(`/contracts/${IDS.contract}`);
    expect(wordsIn(html)).toContain('Awarded to Supplier 0 , Supplier 1 , Supplier 2 , Supplier 3 and 86 more ·');
    expect(html).toContain('<summary>All 90 suppliers</summary>');
  });
});

describe('the page of a framework', () => {
  it('tells how many suppliers, for how long, and who is in which lot', async () => {
    const lots = [
      { lot_id: '1', title: 'Roads', suppliers: [{ company_id: IDS.company, name: 'Harrow' }] },
      { lot_id: '2', title: 'Quays', suppliers: [] },
    ];
    await alter('framework', IDS.framework, { lots: JSON.stringify(lots), starts: '2026-01-01', ends: '2029-12-31' });
    const words = wordsIn((await get(`/frameworks/${IDS.framework}`)).html);
    expect(words).toContain('1 supplier in 2 lots 1 contract called off 4 years from 1 January 2026');
    expect(words).toContain('Roads 1 supplier Harrow Quays no supplier is named');
    expect(words).toContain('Framework: 1 Jan 2026 to 31 Dec 2029');
  });
});

describe('where it comes from', () => {
  it('names the official notices, the releases stored and when they were fetched, and the licence', async () => {
    await site.services.catalogue.write(
      ['a', 'b'].map((id) => ({
        sql: `INSERT INTO release (source, ocid, release_id, digest, page_sha256, date, fetched_at, body)
              VALUES ('find_a_tender', ?, ?, 'd', 'p', '2026-10-20', ?, x'')`,
        args: [IDS.process, id, `2026-11-0${id === 'a' ? 1 : 2}T09:30:00Z`],
      })),
    );
    const { html } = await get(`/notices/${IDS.tender}`);
    const section = wordsIn(html.slice(html.indexOf('class="provenance"'), html.indexOf('</main>')));
    expect(section).toContain('The official notice on Find a Tender is authoritative');
    expect(section).toContain('2 releases held as Find a Tender published them, last fetched 2 November 2026 at 09:30');
    expect(section).toContain('licensed under the Open Government Licence v3.0');
  });
});

describe('what is not stored', () => {
  it('says what is near, and where to search', async () => {
    const { status, html } = await get('/companies/Harrow%20Pike');
    expect(status).toBe(404);
    expect(html).toContain('Did you mean');
    expect(html).toContain('href="/companies/GB-COH-01234567"');
    expect(html).toContain('<form class="ask" action="/companies">');
  });

  it('says of what has gone that it was stored and removed', async () => {
    const went = (table: string, gone: number) =>
      site.services.catalogue.write([{ sql: `UPDATE ${table} SET gone = ?`, args: [gone] }]);
    await went('framework', 1);
    const framework = await get(`/frameworks/${IDS.framework}`);
    await went('framework', 0);
    expect([framework.status, framework.html.includes('<h1>This framework was removed</h1>')]).toEqual([410, true]);
    await went('notice', 1);
    const notice = await get(`/notices/${IDS.tender}`);
    await went('notice', 0);
    expect([notice.status, notice.html.includes('taken down at somebody')]).toEqual([410, true]);
    expect(notice.html).not.toContain('Bridge repair');
    expect((await get('/notices/999999-2026')).status).toBe(404);
  });

  it('finds the notice whose id stands inside the query', async () => {
    const { html } = await get(`/notices/${encodeURIComponent(`Notice ${IDS.tender} (again)`)}`);
    expect(html).toContain(`href="/notices/${IDS.tender}"`);
  });
});
