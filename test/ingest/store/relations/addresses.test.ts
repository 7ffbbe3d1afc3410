import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { BRIGHT, reference } from '../../compile/releases.ts';
import { countedOf, makeCatalogues, onFinder, onTender, PAGE, relatedOf, store } from './both-services.ts';

const { makeCatalogue, closeAll } = makeCatalogues();
afterAll(closeAll);

describe('a notice of Contracts Finder names one of Find a Tender', () => {
  const tender = onTender('000201', '2024-03-01T00:00:00Z');
  const naming = (more: JsonObject) =>
    onFinder(1, '2024-04-01T00:00:00Z', { ...more, tender: { title: 'Panes', ...(more.tender as JsonObject) } });
  const document = (url: string) => ({ tender: { description: '', documents: [{ id: '3', url }] } });
  const method = { procurementMethodDetails: 'Other - Direct Award from a Framework Contract' };
  it.each([
    ['a document', naming(document(`${PAGE}/000201-2024`))],
    ['a document of a call-off', naming({ tender: { ...document(`${PAGE}/000201-2024`).tender, ...method } })],
    ['a text of a call-off', naming({ tender: { ...method, description: `Award: ${PAGE}/000201-2024.` } })],
    ['its data', naming(document('https://www.find-tender.service.gov.uk/api/1.0/ocdsReleasePackages/000201-2024'))],
    [
      'an escaped address',
      naming(document('https://l.example/?u=www.find-tender.service.gov.uk%2FNotice%2F000201-2024')),
    ],
    [
      'an address with other dashes',
      naming({ tender: { description: `find-tender.service.gov.uk/Notice/000201‑2024)` } }),
    ],
    ['an address in pieces', naming({ tender: { description: `${PAGE}/⁠000201-​2024` } })],
    [
      'a contract',
      naming({
        tender: { description: '' },
        contracts: [{ id: '1', awardID: '1', description: `${PAGE}/000201-2024` }],
      }),
    ],
    [
      'an award',
      naming({
        tender: { description: '' },
        awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], description: `${PAGE}/000201-2024` }],
      }),
    ],
    ['a lot', naming({ tender: { description: '', lots: [{ id: '1', title: `See ${PAGE}/000201-2024` }] } })],
  ])(
    'by an address in %s: there is nothing before the other comes, and a link as soon as it does',
    async (_, finder) => {
      const catalogue = await makeCatalogue();
      await store(catalogue, [finder]);
      expect(await relatedOf(catalogue, finder.ocid)).toEqual([]);
      await store(catalogue, [tender]);
      expect(await relatedOf(catalogue, finder.ocid)).toMatchObject([
        { id: tender.ocid, method: 'identifier', score: 1 },
      ]);
      expect(await relatedOf(catalogue, tender.ocid)).toMatchObject([
        { id: finder.ocid, method: 'identifier', score: 1 },
      ]);
    },
  );

  it('by an address, and both are call-offs: the contract counts once; a call-off and its framework are two', async () => {
    const finder = naming({ tender: { ...document(`${PAGE}/000201-2024`).tender, ...method } });
    const calledOff = onTender('000201', '2024-03-01T00:00:00Z', { tender: method });
    for (const [other, count] of [
      [calledOff, 1],
      [tender, 2],
    ] as const) {
      const catalogue = await makeCatalogue();
      await store(catalogue, [finder, other]);
      expect(await countedOf(catalogue)).toMatchObject({ count });
    }
  });
});
