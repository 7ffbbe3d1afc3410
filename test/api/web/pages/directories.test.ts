import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../../../schema/db/interface.ts';
import { nameKey } from '../../../../schema/names/spelling.ts';
import { makeSeededEngine } from '../engine.ts';
import { IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';

const MANY = 60;
const NAMES = Array.from({ length: MANY }, (_, at) => `Quayside Works ${String(at + 1).padStart(2, '0')}`);
const totals = (value: number) =>
  JSON.stringify({ sum: { GBP: { count: 1, value } }, apart: {}, by_year: {}, top: [], frameworks: [] });

const recordOf = (name: string, number: string) =>
  JSON.stringify({ company_name: name, company_number: number, accounts: {}, sic_codes: [], previous_names: [] });

let site: Site;
beforeAll(async () => {
  site = await startSite({}, makeSeededEngine());
  await seedCatalogue(site.services.catalogue);
  await site.services.catalogue.write(NAMES.flatMap(manyOf));
});
afterAll(() => site?.close());

/** A company and a buyer of a name: the later, the more contracts, until none has any. */
function manyOf(name: string, at: number): Statement[] {
  const number = String(7_000_001 + at).padStart(8, '0');
  const count = at % 50;
  const status = at % 3 === 0 ? 'Liquidation' : 'Active';
  return [
    {
      sql: `INSERT INTO company (id, name, name_key, company_number, contract_count, totals, locality, postcode, digest, seq)
        VALUES (?, ?, ?, ?, ?, ?, 'LONDON', 'EC1A 1BB', 'd', 1)`,
      args: [`GB-COH-${number}`, name, nameKey(name), number, count, totals(count * 1_000)],
    },
    {
      sql: `INSERT INTO registered_company (company_number, name, name_key, status, category, record, digest, seq)
        VALUES (?, ?, ?, ?, 'Private Limited Company', ?, 'd', 1)`,
      args: [number, name, nameKey(name), status, recordOf(name, number)],
    },
    {
      sql: `INSERT INTO buyer (id, name, name_key, kind, region, contract_count, totals, digest, seq)
        VALUES (?, ?, ?, ?, 'London', ?, ?, 'd', 1)`,
      args: [`B-${number}`, name, nameKey(name), at % 2 ? 'nhs' : 'local', count, totals(count * 1_000)],
    },
  ];
}

const get = (path: string) => site.visitor().get(path);
const htmlOf = async (path: string) => (await get(path)).html.replaceAll('&amp;', '&');
/** The addresses of a list, in their order. */
const listed = (html: string) => [...html.matchAll(/<h2><a href="([^"]+)"/g)].map(([, path = '']) => path);
const countsIn = (html: string) => [...html.matchAll(/<strong>(\d+) contracts?</g)].map(([, count]) => Number(count));

describe.each([
  ['companies', 'status=active&won=true', 'status', 40],
  ['buyers', 'kind=nhs', 'kind', 30],
] as const)('the directory of %s', (folder, filters, choice, expected) => {
  it('begins with those that have most contracts', async () => {
    const html = await htmlOf(`/${folder}`);
    const counts = countsIn(html);
    expect(counts.slice(0, 3)).toEqual([49, 48, 47]);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(html).toMatch(/£49,000 (won|awarded)/);
    expect(html).toMatch(/<h1>\w+<\/h1><p class="lead">/);
    if (folder === 'companies') expect(html).toContain('<span>London</span>');
    expect(html).not.toContain('noindex');
    expect(listed(await htmlOf(`/${folder}?limit=1&detail=full`))).toEqual(listed(html));
  });

  it('has pages that show each once, and keep the filters', async () => {
    const first = await htmlOf(`/${folder}?${filters}`);
    expect(first).toContain(`>${expected} ${folder}<`);
    const next = /<a href="([^"]+)" rel="next"/.exec(first)?.[1] ?? '';
    expect(next).toContain(`/${folder}?${filters}&cursor=`);
    const second = await htmlOf(next);
    expect(second).toContain('<meta name="robots" content="noindex, follow"/>');
    expect(new Set([...listed(first), ...listed(second)]).size).toBe(expected);
    expect(second).toContain(`/v1/${folder}?${filters}'`);
    expect(second).toMatch(/<title>[^<]+ - further results/);
    for (const [, removes] of second.matchAll(/class="chip" href="([^"]+)"/g)) expect(removes).not.toContain('cursor');
  });

  it('says in words what it does not take, and shows the form to mend it', async () => {
    const { status, html } = await get(`/${folder}?${choice}=asleep`);
    expect(status).toBe(422);
    expect(html).toMatch(/role="alert">(Status|Kind of body): /);
    expect(html).toContain('<option value="asleep" selected>asleep</option>');
    expect(html.match(/<option value(="")?[ >]/g)?.length).toBe(html.match(/<select/g)?.length);
    expect(html).toMatch(new RegExp(`<link rel="canonical" href="[^"?]+/${folder}"`));
    expect((await htmlOf(`/${folder}?cursor=x`)).replaceAll('&#39;', "'")).toContain('start from its first page');
  });
});

it.each(['companies', 'buyers'])('what one of the %s has none of is not counted', async (folder) => {
  for (const asked of ['query', 'name']) {
    const html = await htmlOf(`/${folder}?${asked}=Quayside+Works+01`);
    expect(html).toMatch(/<h[23]><a href="[^"]+">Quayside Works 01</);
    expect(html).not.toMatch(/\b0 (contracts|open tenders|framework places)|class="lead"/);
  }
});

describe('a directory narrowed', () => {
  it('names its filters with links that remove them, and chooses them in its form', async () => {
    const html = await htmlOf('/buyers?query=quayside&kind=nhs&region=London');
    expect(html).toContain('<title>quayside - Buyers - Kind of body: NHS, Region: London - ');
    expect(html).toMatch(
      /href="\/buyers\?query=quayside&region=London"[^>]*aria-label="Remove the filter Kind of body/,
    );
    expect(html).toContain('<option value="nhs" selected>NHS</option>');
    expect(html).toContain('Narrow these results (2 chosen)');
    for (const [refused, label] of [
      ['sic=abc', 'Nature of business'],
      ['won_value_min=x', 'Won at least'],
    ])
      expect(await htmlOf(`/companies?${refused}`)).toContain(`role="alert">${label}: Input should be`);
    const several = await htmlOf('/companies?status=liquidation,administration');
    expect(several).toContain('>20 companies<');
    expect(several).toContain('Status: Liquidation, Administration');
    expect(several).toContain('<option value="liquidation,administration" selected>Liquidation, Administration');
  });

  it('leads to the company of a number at once, and tells who a name is', async () => {
    expect((await get('/companies?query=7000017')).location).toBe('/companies/GB-COH-07000017');
    expect((await get('/companies?query=7000017&won=true')).status).toBe(200);
    const who = await htmlOf('/companies?name=Quayside+Works+17');
    expect(who).toMatch(/Best match[\s\S]+100% sure[\s\S]+href="\/companies\?query=Quayside\+Works\+17"/);
    expect(await htmlOf('/buyers?name=Quayside+Works+17')).toContain('<span>Local government</span>');
    expect(await htmlOf('/buyers?kind=sub_central')).toContain('Sub-central government');
    expect(await htmlOf(`/companies?name=${'x'.repeat(400)}`)).not.toContain('x'.repeat(301));
    expect(await htmlOf('/buyers?kind=police_fire')).toContain('Nothing was found. Fewer words or filters find more.');
  });

  it('leads to the open tenders of a buyer', async () => {
    expect(await htmlOf('/buyers?query=ambleford')).toContain(
      `<a href="/tenders?buyer_id=${IDS.buyer}" rel="nofollow">1 open tender</a>`,
    );
  });
});
