import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMonths } from '../../../../search/filters/within.ts';
import { makeSeededEngine } from '../engine.ts';
import { IDS, seedCatalogue } from '../seed.ts';
import { type Site, signCursor, startSite } from '../site.ts';

const APP_URL = 'https://example.org';
const AS_OF = '2026-11-23T09:00:00Z';
const FACETS = {
  company_id: { [IDS.company]: 4, 'GB-COH-00000000': 1 },
  procedure: { open: 3, direct: 1 },
  cpv_division: { 45: 9, 33: 2 },
};

const engine = makeSeededEngine();
let site: Site;
beforeAll(async () => {
  const find: typeof engine.find = async (query) => {
    const answer = { ...(await engine.find(query)), ...(query.text === 'quays' && { total: 9 }) };
    return query.facets ? { ...answer, facets: FACETS } : answer;
  };
  site = await startSite({ APP_URL, AS_OF }, { ...engine, find });
  await seedCatalogue(site.services.catalogue);
});
afterAll(() => site?.close());

const get = (path: string) => site.visitor().get(path);
const htmlOf = async (path: string) => (await get(path)).html;
const setContract = (sql: string) => site.services.catalogue.write([{ sql: `UPDATE contract SET ${sql}`, args: [] }]);
const withinOf = (html: string) => /<p class="within">[\s\S]*?<\/p>/.exec(html)?.[0].replaceAll('&amp;', '&') ?? '';

describe('a contract that was found', () => {
  it('leads to its page, its buyer and its supplier, with its value and what that counts as', async () => {
    const html = await htmlOf('/contracts?query=bridge');
    expect(engine.asked.at(-1)).toMatchObject({ scope: 'contracts', text: 'bridge' });
    const hit = /<li class="hit">[\s\S]*?<\/li>/.exec(html)?.[0] ?? '';
    expect(hit).toContain(`href="/contracts/${IDS.contract}"`);
    expect(hit).toContain(`Buyer: <a href="/buyers/${IDS.buyer}"`);
    expect(hit).toMatch(new RegExp(`Suppliers?: <span><a href="/companies/${IDS.company}"`));
    expect(hit).toMatch(/<strong>£[\d,]+<\/strong><span class="hint">counted in totals/);
    expect(hit).toContain('<mark>bridge</mark>');
  });

  it('says when it started and ends, when it would end if extended, and its status today', async () => {
    await setContract("starts = '2024-01-01', ends = '2027-02-28', ends_latest = '2029-02-28', procedure = 'open'");
    const running = await htmlOf('/contracts');
    for (const words of [
      'started 1 January 2024',
      'ends 28 February 2027',
      'or 28 February 2029 if extended',
      'procedure: open',
      'Running',
    ]) {
      expect(running).toContain(words);
    }
    await setContract("starts = '2026-11-24', procedure = 'other'");
    const future = await htmlOf('/contracts');
    expect(future).toContain('<span class="tag">Not started</span>');
    expect(future).toContain('starts 24 November 2026');
    // The examples of a filter's value say nothing of this contract.
    expect(future).not.toContain('<span>procedure: ');
    await setContract("starts = '2024-01-01', ends = '2026-11-22', ends_latest = NULL");
    const ended = await htmlOf('/contracts');
    expect(ended).toContain('<span class="tag">Ended</span>');
    expect(ended).toContain('ended 22 November 2026');
    expect(ended).not.toContain('if extended');
    await setContract("status = 'terminated'");
    const terminated = await htmlOf('/contracts');
    expect(terminated).toContain('<span class="tag">Terminated early</span>');
    expect(terminated).toContain('ended 22 November 2026');
    await setContract("status = 'active', ends = '2026-11-23'");
    expect(await htmlOf('/contracts')).toContain('ends 23 November 2026');
  });
});

describe('a search for contracts', () => {
  it('is narrowed in the form of the other searches, by the filters of contracts', async () => {
    const html = await htmlOf('/contracts');
    for (const name of ['ends_from', 'ends_to', 'starts_from', 'awarded_to', 'bids_max', 'framework_id', 'value_max']) {
      expect(html).toContain(`<input id="${name}"`);
    }
    expect(html).toMatch(/type="checkbox" name="procedure" value="direct"[^>]*><span>Direct, without competition/);
    expect(html).toMatch(/type="radio" name="sme" value="true"[^>]*><span>Yes/);
    expect(html).toContain('<option value="active">Running');
    expect(html).not.toContain('name="notice_type"');
    // Without values to choose a field has no list.
    expect(html).not.toContain('<ul></ul>');
  });

  it('counts places on frameworks with the contracts, and says so', async () => {
    expect(await htmlOf('/contracts?query=quays')).toContain('>9 contracts and places on frameworks<');
    expect(await htmlOf('/search?query=quays')).toContain('>All 9 contracts and places on frameworks<');
  });

  it('names its chosen filters by what they mean for contracts', async () => {
    const html = await htmlOf(`/contracts?status=active&company_number=${IDS.company}&sme=true`);
    expect(engine.asked.at(-1)?.filters).toMatchObject({ status: 'active', company_number: IDS.company });
    expect(html).toContain('aria-label="Remove the filter Status: Running"');
    expect(html).toMatch(/aria-label="Remove the filter Supplier: HARROW &amp; PIKE/);
    expect(html).toContain(`name="company_number" value="${IDS.company}" checked`);
    expect(html).toContain('Remove the filter Small or medium-sized supplier: Yes"');
    const usual = await htmlOf('/contracts?status=any');
    expect(usual).not.toContain('Filters in force');
    expect(usual).toContain(`rel="canonical" href="${APP_URL}/contracts"`);
    const { status, html: refused } = await get('/contracts?ends_to=soon');
    expect([status, refused.includes('role="alert">Ends to: ')]).toEqual([422, true]);
  });

  it('is narrowed to several suppliers, each by its name', async () => {
    const other = 'GB-COH-00000000';
    const html = await htmlOf(`/contracts?company_number=${IDS.company},${other}`);
    expect(engine.asked.at(-1)?.filters).toMatchObject({ company_number: [IDS.company, other] });
    for (const one of [IDS.company, other]) {
      expect(html).toContain(`type="checkbox" name="company_number" value="${one}" checked`);
    }
    expect(html).toMatch(/aria-label="Remove the filter Supplier: HARROW &amp; PIKE/);
    expect(html).toContain(`href="/contracts?company_number=${other}"`);
  });

  it('has links to what ends within some months of today, which keep the rest of the search', async () => {
    const within = withinOf(await htmlOf(`/contracts?query=bridge&region=London&cursor=${signCursor('x')}`));
    expect([...within.matchAll(/class="chip" href="([^"]+)"/g)].map(([, href]) => href)).toEqual(
      ['2027-02-23', '2027-05-23', '2027-11-23', '2028-05-23'].map(
        (to) => `/contracts?query=bridge&region=London&ends_from=2026-11-23&ends_to=${to}`,
      ),
    );
    const chosen = withinOf(await htmlOf('/contracts?ends_from=2026-11-23&ends_to=2027-05-23'));
    expect(chosen).toMatch(/aria-current="true">6 months/);
    expect(chosen.match(/aria-current/g)).toHaveLength(1);
  });

  it('is a feed, an export and an API call', async () => {
    const html = await htmlOf('/contracts?query=bridge&sort=ends');
    expect(html).toContain('href="/dashboard/exports/new?dataset=contracts&amp;query=bridge"');
    expect(html).toContain("/v1/contracts/search?query=bridge&amp;sort=ends'");
    expect(html).toContain('<a href="/contracts.atom?query=bridge" type="application/atom+xml"');
    expect(await htmlOf('/renewals')).not.toContain('atom');
    expect(html).toMatch(/<option value="ends" selected>End, soonest first/);
  });

  it('says so where no contract has all of the words, or none was found', async () => {
    const some = await htmlOf('/contracts?query=some+words');
    expect(some).toContain('No contract has all of these words; 7 have some.');
    expect(some).toContain('href="/contracts?query=some+words&amp;match=any"');
    expect(await htmlOf('/contracts?query=nothing')).toContain('Nothing was found');
  });
});

describe('renewals', () => {
  /** The search whose results are shown: others count single facets. */
  const shown = () => engine.asked[0];

  it('are what ends from today on within the months of the address, the soonest first, counted at once', async () => {
    for (const [path, until] of [
      ['/renewals', '2027-11-23'],
      ['/renewals?months=3&region=London', '2027-02-23'],
      ['/renewals?months=99&status=ended&ends_from=2020-01-01&ends_to=2021-01-01', '2027-11-23'],
    ] as const) {
      engine.asked.length = 0;
      const html = await htmlOf(path);
      expect(shown()).toMatchObject({ sort: 'ends', filters: { status: 'active', ends_to: until } });
      expect(shown()?.filters).not.toHaveProperty('ends_from');
      expect(html).not.toContain('Count these by');
      expect(html).toContain('<span class="count">9</span>');
      expect(html).toMatch(/<h1>Renewals<\/h1><p class="lead">Contracts that end soon/);
    }
  });

  it('have an address that holds for any day, and a form that keeps its months', async () => {
    const html = await htmlOf('/renewals?months=6&region=London&status=ended');
    expect(html).toContain(`rel="canonical" href="${APP_URL}/renewals?region=London&amp;months=6"`);
    expect(html).toContain('<input type="hidden" name="months" value="6"/>');
    expect(html).toMatch(/<title>Renewals - within 6 months - Region: London/);
    for (const name of ['status', 'ends_from', 'ends_to']) expect(html).not.toContain(`id="${name}"`);
    expect(html).not.toContain('Remove the filter Status');
    expect(html).toContain('href="/renewals?months=6" rel="nofollow" aria-label="Remove the filter Region: London"');
    const within = withinOf(html);
    expect(within).toMatch(/href="\/renewals\?region=London&months=18"/);
    expect(within).toMatch(/href="\/renewals\?region=London"[^>]*>12 months/);
    expect(within).toMatch(/aria-current="true">6 months/);
    expect(await htmlOf('/contracts')).toContain('<a href="/renewals">');
  });

  it('lead to an export and an API call with the days that they stand for', async () => {
    const html = (await htmlOf('/renewals?months=6')).replaceAll('&amp;', '&');
    const days = 'status=active&ends_to=2027-05-23';
    expect(html).toContain(`href="/dashboard/exports/new?dataset=contracts&${days}"`);
    expect(html).toContain(`/v1/contracts/search?${days}&sort=ends'`);
    expect((await get('/renewals?value_min=cheap')).status).toBe(422);
    expect(await htmlOf('/renewals?query=nothing')).toContain('<a href="/contracts">all contracts</a>');
  });
});

describe('months from a day', () => {
  it.each([
    ['2026-11-30', 3, '2027-02-28'],
    ['2027-08-31', 6, '2028-02-29'],
    ['2026-12-31', 12, '2027-12-31'],
  ])('of %s, %d later, end with a shorter month', (day, months, later) => expect(addMonths(day, months)).toBe(later));
});
