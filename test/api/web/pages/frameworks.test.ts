import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeededEngine } from '../engine.ts';
import { alterRow, BUYER, IDS, seedCatalogue } from '../seed.ts';
import { type Site, signCursor, startSite } from '../site.ts';
import { wordsIn } from '../visitor.ts';

const engine = makeSeededEngine();
let site: Site;
beforeAll(async () => {
  site = await startSite({}, engine);
  await seedCatalogue(site.services.catalogue);
});
afterAll(() => site?.close());

const get = (path: string) => site.visitor().get(path);
const NARROWED = `/frameworks?query=bridge&buyer_id=${IDS.buyer}&region=UKI&value_min=100000`;

describe('a list of frameworks', () => {
  it('names each filter of its address, with the way to remove it', async () => {
    const { html } = await get(NARROWED);
    expect(engine.asked.at(-1)?.filters).toMatchObject({ buyer_id: IDS.buyer, region: ['UKI'], value_min: 100_000 });
    const removals = [...html.matchAll(/<a class="chip[^"]*" href="([^"]+)"/g)].map(([, href]) =>
      href?.replaceAll('&amp;', '&'),
    );
    expect(removals).toEqual([
      '/frameworks?query=bridge&region=UKI&value_min=100000',
      `/frameworks?query=bridge&buyer_id=${IDS.buyer}&value_min=100000`,
      `/frameworks?query=bridge&buyer_id=${IDS.buyer}&region=UKI`,
      '/frameworks?query=bridge',
    ]);
    const [, title = ''] = /<title>([^<]+)/.exec(html) ?? [];
    for (const words of [html.slice(html.indexOf('<body')), title])
      for (const filter of [`Buyer: ${BUYER.split(' <')[0]}`, 'Region: London', 'Value from: £100,000'])
        expect(words).toContain(filter);
  });

  it('keeps them in its form and on its further pages', async () => {
    const { html } = await get(NARROWED);
    expect(html).toMatch(/<form class="ask" id="search" action="\/frameworks"><input [^>]*value="bridge"/);
    expect(html).toMatch(/name="region" value="UKI" checked form="search"/);
    expect(html).toMatch(/name="value_min" form="search" value="100000"/);
    expect(html).toMatch(new RegExp(`name="buyer_id" value="${IDS.buyer}" checked form="search"`));
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(html) ?? [];
    expect(next.replaceAll('&amp;', '&').startsWith(`${NARROWED}&cursor=`)).toBe(true);
    const later = await get(`${NARROWED}&cursor=${signCursor('x')}`);
    expect(later.html).toContain('>First page<');
  });

  it('counts what a framework can be narrowed by, and is no watch and no feed', async () => {
    engine.asked.length = 0;
    const { html } = await get('/frameworks');
    expect(engine.asked.map(({ facets }) => facets)).toEqual([
      ['nation', 'region', 'cpv_division', 'buyer_id', 'source'],
    ]);
    expect(html).toContain('/v1/frameworks/search');
    expect(html).toMatch(/type="checkbox" name="framework_kind" value="dynamic_market"[^>]*><span>Dynamic market/);
    for (const other of ['Alert me', '.atom', 'name="stage"', 'name="deadline_to"']) expect(html).not.toContain(other);
    const nothing = await get('/frameworks?query=nothing&region=UKI');
    expect(nothing.html).toContain('Nothing was found. Fewer words or filters find more.');
    expect(nothing.html).not.toContain('Alert me');
  });

  it('says of each when it ends, or that it has ended', async () => {
    const listed = async (ends: string) => {
      await site.services.catalogue.write([{ sql: 'UPDATE framework SET ends = ?', args: [ends] }]);
      return (await get('/frameworks')).html;
    };
    expect(await listed('2099-03-31')).toContain('<span>ends 31 March 2099</span>');
    expect(await listed('2020-03-31')).toContain('<span>ended 31 March 2020</span>');
  });

  it('gives back a filter that was refused', async () => {
    const { status, html } = await get('/frameworks?value_min=cheap');
    expect(status).toBe(422);
    expect(html).toContain('Remove the filter Value from: cheap"');
  });
});

describe('the page of a framework', () => {
  it('counts all of its suppliers, also those that it does not list', async () => {
    const supplier = (number: number) => ({ company_id: `name-${number}`, name: `Supplier ${number}` });
    const lots = Array.from({ length: 12 }, (_, lot) => ({
      lot_id: String(lot + 1),
      title: '',
      suppliers: Array.from({ length: 500 }, (_, at) => supplier(500 * lot + at)),
    }));
    await alterRow(site.services.catalogue, 'framework', IDS.framework, { lots: JSON.stringify(lots) });
    const words = wordsIn((await get(`/frameworks/${IDS.framework}`)).html);
    expect(words).toContain('only the first 416 suppliers of each lot are listed, of 6000 in 12 lots');
    expect(words).toContain('6,000 suppliers in 12 lots');
    expect(words).toContain('Lot 12 500 suppliers Supplier 5500');
  });

  it('says what suppliers pay, and how contracts are called off', async () => {
    const participation_fees = [{ types: ['win'], percent: 2.5, of: 'award', description: 'Each quarter.' }];
    const stated = { participation_fees, call_off_terms: 'By further competition.' };
    const detail = JSON.stringify({ evidence: [], references: [], regions: [], warnings: [], ...stated });
    await alterRow(site.services.catalogue, 'framework', IDS.framework, { detail });
    const words = wordsIn((await get(`/frameworks/${IDS.framework}`)).html);
    expect(words).toContain('Fees for bidders For winning: 2.5% of the award Each quarter.');
    expect(words).toContain('How contracts are called off By further competition.');
  });
});
