import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeMarket } from '../../../../api/web/records/parts.tsx';
import { makeSeededEngine } from '../engine.ts';
import { alterRow, IDS, seedCatalogue } from '../seed.ts';
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
const parts = (html: string, ...words: string[]) => words.map((word) => html.indexOf(word));

describe('a name that two have', () => {
  it('is said to be, with both to choose from', async () => {
    const twin = (id: string) => ({
      sql: "INSERT INTO company (id, name, name_key, contract_count, digest, seq) VALUES (?, 'Twin Works', 'twin works', 2, '', 1)",
      args: [id],
    });
    await site.services.catalogue.write([twin('name-twin-1'), twin('name-twin-2')]);
    const { html } = await get('/companies?name=twin+works');
    expect(html).toContain('<h2>2 companies have this name</h2>');
    expect([...html.matchAll(/href="\/companies\/(name-twin-\d)"/g)].map(([, id]) => id)).toEqual([
      'name-twin-1',
      'name-twin-2',
    ]);
  });
});

describe('the page of a company', () => {
  it('draws each currency by itself, and never adds them up', async () => {
    const totals = {
      sum: { EUR: { count: 1, value: 70_000 }, GBP: { count: 2, value: 500_000 } },
      apart: { shared: { count: 3 } },
      by_year: {
        2024: { count: 1, sum: { GBP: 300_000 } },
        2025: { count: 1, sum: {} },
        2026: { count: 4, sum: { EUR: 70_000, GBP: 200_000 } },
      },
      top: [],
      frameworks: [],
    };
    await alter('company', IDS.company, { totals: JSON.stringify(totals) });
    const { html } = await get(`/companies/${IDS.company}`);
    const pictures = [...html.matchAll(/<title>([^<]+)<\/title><desc>([^<]+)<\/desc>/g)].map(([, ...words]) => words);
    expect(pictures).toEqual([
      ['Value in GBP', 'From 2024 to 2026. Most in 2024: £300,000. In 2026: £200,000.'],
      ['Value in EUR', 'From 2024 to 2026. Most in 2026: €70,000.'],
      ['Contracts', 'From 2024 to 2026. Most in 2026: 4 contracts.'],
    ]);
    expect(wordsIn(html)).toContain('2026 4 £200,000, €70,000');
    expect(wordsIn(html)).toMatch(/won £500,000 in total, over 2 [\w ]+ €70,000 in total, over 1 /);
    expect(html).not.toContain('570,000');
    expect(wordsIn(html)).toContain('not in the sum: shared by several suppliers: 3');
  });

  it('says first who it is on the register, then what it won, a row each with buyer, value and days', async () => {
    const { html } = await get(`/companies/${IDS.company}`);
    const places = parts(html, '<h2>Companies House register', 'class="figures"', 'id="contracts"');
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const table = /<table class="stack contracts"[\s\S]*?<\/table>/.exec(html)?.[0] ?? '';
    const heads = [...table.matchAll(/<th scope="col"[^>]*>([^<]+)/g)].map(([, head]) => head);
    expect(heads).toEqual(['Contract', 'Buyer', 'Value', 'Awarded', 'Ends']);
    expect(table).toMatch(/data-label="Awarded" data-by="\d{4}-\d\d-\d\d"/);
    expect(html).toMatch(/<script defer src="\/assets\/\w+\/sorting\.js"/);
  });

  it('names the lots that a contract is of', async () => {
    const lots = [{ lot_id: '2', title: 'Quays' }, { lot_id: 'Lot 3' }];
    const detail = JSON.stringify({ lots, warnings: [], regions: [], cpvs: [] });
    const [before] = await site.services.catalogue.read<{ detail: string }>({
      sql: 'SELECT detail FROM contract WHERE id = ?',
      args: [IDS.contract],
    });
    await alter('contract', IDS.contract, { detail });
    const { html } = await get(`/companies/${IDS.company}`);
    await alter('contract', IDS.contract, { detail: before?.detail ?? '' });
    expect(html).toContain('<span class="hint">Lot 2: Quays; Lot 3</span>');
  });

  it('tells places on frameworks from contracts: in its figures, by year, by counterparty and in its list', async () => {
    const { catalogue } = site.services;
    const [held] = await catalogue.read<{ totals: string }>({
      sql: 'SELECT totals FROM buyer WHERE id = ?',
      args: [IDS.buyer],
    });
    const totals = {
      ...JSON.parse(held?.totals ?? '{}'),
      by_year: { 2026: { count: 1, places: 2, sum: { GBP: 990_000 } } },
      top: [
        { id: IDS.company, name: 'Bidder', count: 1, places: 2, value: 990_000, currency: 'GBP' },
        ...['Quayside', 'Oakes'].map((name) => ({ id: name, name, count: 0, places: 3 })),
      ],
    };
    await alter('buyer', IDS.buyer, { framework_places: 2, totals: JSON.stringify(totals) });
    const role = (one: string) => catalogue.write([{ sql: 'UPDATE contract SET framework_role = ?', args: [one] }]);
    await role('establishes');
    const { html } = await get(`/buyers/${IDS.buyer}`);
    const words = wordsIn(html);
    expect(words).toContain('1 contract issued 2 places on frameworks £990,000');
    expect(words).toContain('Contracts by year of award Year Contracts Framework places Total value 2026 1 2 £990,000');
    expect(words).toMatch(/Name Contracts Framework places Value HARROW .* 1 2 £990,000/);
    const shares = [...html.matchAll(/<title>(in [^<]+)<\/title>/g)].map(([, share]) => share);
    expect(shares).toEqual(['in 100% of the contracts', 'in 0% of the contracts', 'in 0% of the contracts']);
    expect(words).toMatch(/Supplier Value Awarded Ends .* Place on a framework /);
    await role('call_off');
    await alter('buyer', IDS.buyer, { framework_places: 0, totals: held?.totals ?? '' });
    expect(wordsIn((await get(`/buyers/${IDS.buyer}`)).html)).not.toMatch(/places?\b/i);
  });

  it('draws no chart of one or two years', async () => {
    const totals = {
      sum: { GBP: { count: 2, value: 500_000 } },
      apart: {},
      by_year: { 2025: { count: 1, sum: { GBP: 300_000 } }, 2026: { count: 1, sum: { GBP: 200_000 } } },
      top: [],
      frameworks: [],
    };
    await alter('company', IDS.company, { totals: JSON.stringify(totals) });
    const { html } = await get(`/companies/${IDS.company}`);
    expect(html).not.toContain('class="bars"');
    expect(wordsIn(html)).toContain('2026 1 £200,000');
  });

  it('says what is of the register, and leads to the official record', async () => {
    await site.services.catalogue.write([{ sql: "UPDATE registered_company SET edition = '2026-11-01'", args: [] }]);
    const { html } = await get(`/companies/${IDS.company}`);
    expect(html).toContain('From the register of 1 November 2026. Source: Companies House.');
    expect(html).toContain('https://find-and-update.company-information.service.gov.uk/company/01234567');
  });
});

describe('the page of a buyer without contracts', () => {
  it('does not call the notices that name it those of its contracts', async () => {
    const notice_ids = [IDS.tender];
    await alter('buyer', IDS.buyer, { contract_count: 1, detail: JSON.stringify({ notice_ids }) });
    expect(wordsIn((await get(`/buyers/${IDS.buyer}`)).html)).toContain(
      `Notices of its newest contracts: ${IDS.tender}`,
    );
    await alter('buyer', IDS.buyer, { contract_count: 0 });
    const words = wordsIn((await get(`/buyers/${IDS.buyer}`)).html);
    expect(words).toContain(`Latest notices: ${IDS.tender}`);
    expect(words).not.toContain('its newest contracts');
    await alter('buyer', IDS.buyer, { contract_count: 1 });
  });
});

describe('a dynamic market', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  it.each([
    ['2027-03-31', 'Open, apply until 31 March 2027'],
    ['2026-11-20', 'Open, apply until 20 November 2026'],
    ['2026-11-19', 'Closed since 19 November 2026'],
    [undefined, 'Open to applications, no end date is stated'],
  ])('that ends %s says "%s"', (until, words) => expect(describeMarket(until, now)).toBe(words));

  it.each([
    ['open', '2099-12-31', 'Open, apply until 31 December 2099'],
    ['open', '2020-12-31', 'Open'],
    ['closed', '2099-12-31', 'Closed'],
    ['closed', '2020-12-31', 'Closed since 31 December 2020'],
    ['closed', null, 'Closed'],
    ['cancelled', '2099-12-31', 'Cancelled'],
  ])('says on its page what its newest notice does: %s, until %s', async (status, ends, words) => {
    await alter('framework', IDS.framework, { kind: 'dynamic_market', ends });
    await alter('process', IDS.process, { status });
    const { html } = await get(`/frameworks/${IDS.framework}`);
    expect(/<span class="tag[^"]*">([^<]+)<\/span>/.exec(html)?.[1]).toBe(words);
    await alter('framework', IDS.framework, { kind: 'framework' });
    await alter('process', IDS.process, { status: 'open' });
  });
});
