import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMadeUpFilters, type Widened } from '../../../support/made-up-filters.ts';
import type { Site } from '../site.ts';
import type { Visitor } from '../visitor.ts';

type Engine = ReturnType<typeof import('../engine.ts').makeSeededEngine>;

let project: Widened;
let engine: Engine;
let site: Site;
let person: Visitor;
let buyer: { id: string; name: string };

beforeAll(async () => {
  project = await addMadeUpFilters();
  const { makeSeededEngine } = await project.load<typeof import('../engine.ts')>('test/api/web/engine.ts');
  const { startSite } = await project.load<typeof import('../site.ts')>('test/api/web/site.ts');
  const { BUYER, IDS, seedCatalogue } = await project.load<typeof import('../seed.ts')>('test/api/web/seed.ts');
  engine = makeSeededEngine();
  site = await startSite({}, engine);
  await seedCatalogue(site.services.catalogue);
  person = await site.addPerson({ email: 'ada@example.org' });
  buyer = { id: IDS.buyer, name: BUYER };
});
afterAll(async () => {
  await site?.close();
  await project?.remove();
});

const htmlOf = async (path: string) => (await person.get(path)).html;
/** The field of a form with this heading. */
const fieldOf = (html: string, heading: string) =>
  new RegExp(`<fieldset[^>]*><legend>${heading}</legend>[\\s\\S]*?</fieldset>`).exec(html)?.[0] ?? '';

describe('a filter that is one row of the table', () => {
  it.each(['notices', 'tenders'])('is a field in the form of %s, with the values of its row', async (scope) => {
    const html = await htmlOf(`/${scope}?currency=eur`);
    expect(engine.asked.at(-1)?.filters).toMatchObject({ currency: ['EUR'] });
    const field = fieldOf(html, 'Currency');
    expect(field).toMatch(/type="checkbox" name="currency" value="EUR" checked/);
    expect(field).toMatch(/type="checkbox" name="currency" value="GBP" form/);
  });

  it('is a text field with a hint where its row knows no values, and reads them as values of its kind', async () => {
    const html = await htmlOf(`/notices?lead_buyer=${encodeURIComponent(buyer.name)}`);
    expect(engine.asked.at(-1)?.filters).toEqual({ lead_buyer: buyer.id });
    const field = fieldOf(html, 'Lead buyer');
    expect(field).toMatch(/<label for="lead_buyer"[^>]*>The body that leads<\/label><input id="lead_buyer"/);
    expect(field).toContain('Any lead buyer');
    const chosen = /<ul class="chips"[\s\S]*?<\/ul>/.exec(await htmlOf(`/notices?lead_buyer=${buyer.id}`))?.[0];
    expect(chosen).toMatch(/Lead buyer: Ambleford Council/);
  });

  it('is named among the chosen filters and in the title, with a link that removes each value', async () => {
    const html = await htmlOf('/notices?query=bridge&currency=GBP,EUR');
    expect(html).toMatch(/<title>bridge - Notices - Currency: GBP, EUR/);
    expect(html).toMatch(
      /href="\/notices\?query=bridge&amp;currency=EUR"[^>]*aria-label="Remove the filter Currency: GBP"/,
    );
    expect(html).toContain('name="robots" content="noindex, follow"');
    expect(html).toContain('(2 chosen)');
  });

  it('has a clean address, in which its values are one list', async () => {
    const sent = await person.get('/notices?currency=GBP&query=bridge&currency=EUR');
    expect(sent).toMatchObject({ status: 302, location: '/notices?currency=GBP,EUR&query=bridge' });
  });

  it('is refused with its label', async () => {
    const { status, html } = await person.get('/tenders?currency=nonsense');
    expect(status).toBe(422);
    expect(html).toContain('role="alert">Currency: ');
  });

  it('is a field in the form of the exports that take it, and of no other', async () => {
    const html = await htmlOf('/dashboard/exports/new?dataset=contracts&currency=EUR&delivery_region=Nowhere');
    expect(fieldOf(html, 'Currency')).toMatch(/name="currency" value="EUR" checked/);
    expect(html).toMatch(/<label for="delivery_region">Delivered in/);
    expect(html).toContain('name="delivery_region" value="Nowhere"');
    expect(await htmlOf('/dashboard/exports/new?dataset=notices')).not.toContain('name="delivery_region"');
    expect(await htmlOf('/dashboard/exports/new?dataset=buyers')).not.toContain('name="currency"');
  });

  it('chooses among the rows of an export', async () => {
    const london = JSON.stringify([{ code: 'UKI3', name: 'Inner London - West' }]);
    await site.services.catalogue.write([
      { sql: "UPDATE contract SET detail = json_set(detail, '$.regions', json(?))", args: [london] },
    ]);
    const quote = async (fields: Record<string, string>) =>
      (await person.post('/dashboard/exports/quote', { dataset: 'contracts', ...fields })).html;
    expect(await quote({})).toContain('<strong>1 row</strong>');
    expect(await quote({ currency: 'GBP', delivery_region: 'London' })).toContain('<strong>1 row</strong>');
    expect(await quote({ currency: 'EUR' })).toContain('Nothing matches');
    expect(await quote({ delivery_region: 'Wales' })).toContain('Nothing matches');
  });
});
