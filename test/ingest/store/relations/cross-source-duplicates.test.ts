import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { BRIGHT, COUNCIL, OAKES, reference } from '../../compile/releases.ts';
import { catalogueDigest } from '../catalogue-digest.ts';
import { countedOf, GUID, makeCatalogues, onFinder, onTender, PAGE, relatedOf, store } from './both-services.ts';

const { makeCatalogue, closeAll } = makeCatalogues();

afterAll(closeAll);

describe('one procurement on both services', () => {
  const tender = onTender('000101', '2024-03-01T00:00:00Z', { tender: { id: 'DN712345' } });

  it('is recognised by the reference of the buyer, with what speaks for it, from both sides', async () => {
    const catalogue = await makeCatalogue();
    const finder = onFinder(1, '2024-03-20T00:00:00Z', {
      tender: { id: 'HARROW001-DN712345-99887766', title: 'GB-Harrowmere: Window cleaning, civic buildings' },
    });
    await store(catalogue, [tender, finder]);
    const [there] = await relatedOf(catalogue, tender.ocid);
    expect(there).toMatchObject({ id: finder.ocid, method: 'reference', score: 0.97 });
    expect(there?.evidence).toEqual([
      `buyer: ${COUNCIL.id}`,
      'reference: DN712345',
      'titles share most words',
      'published 19 days apart',
    ]);
    expect(await relatedOf(catalogue, finder.ocid)).toMatchObject([{ id: tender.ocid, method: 'reference' }]);
    // Likeness alone merges nothing: both are counted.
    expect(await countedOf(catalogue)).toMatchObject({ count: 2, sum: { GBP: { count: 2, value: 10_000 } } });
    const day = onFinder(2, '2024-03-02T00:00:00Z', { tender: { id: 'DN712345', title: 'Window cleaning' } });
    await store(catalogue, [day]);
    expect((await relatedOf(catalogue, day.ocid)).map(({ evidence }) => evidence.at(-1))).toEqual([
      'published a day apart',
    ]);
  });

  it('is recognised by title where dates agree, and not where they do not, nor for another buyer', async () => {
    const catalogue = await makeCatalogue();
    const other = {
      ...COUNCIL,
      id: 'GB-PPON-PBCD-9999-FGHJ',
      name: 'Elsewhere Borough Council',
      identifier: undefined,
    };
    const finder = onFinder(1, '2024-03-03T00:00:00Z');
    const later = onFinder(3, '2025-09-03T00:00:00Z');
    const elsewhere = onFinder(5, '2024-03-03T00:00:00Z', { buyer: reference(other), parties: [other, BRIGHT] });
    await store(catalogue, [finder, later, elsewhere, tender]);
    expect(await relatedOf(catalogue, tender.ocid)).toMatchObject([{ id: finder.ocid, method: 'title', score: 0.95 }]);
    expect(await relatedOf(catalogue, later.ocid)).toEqual([]);
    expect(await relatedOf(catalogue, elsewhere.ocid)).toEqual([]);
  });

  it('under the Procurement Act is on one service only: nothing is likened', async () => {
    const catalogue = await makeCatalogue();
    const act = onTender('000102', '2024-03-01T00:00:00Z', { tender: { legalBasis: { id: '2023/54' } } });
    await store(catalogue, [onFinder(1, '2024-03-03T00:00:00Z'), act]);
    expect(await relatedOf(catalogue, act.ocid)).toEqual([]);
  });
});

describe('one names the other', () => {
  const tender = onTender('000201', '2024-03-01T00:00:00Z');
  const naming = (more: JsonObject = {}) =>
    onFinder(1, '2024-04-01T00:00:00Z', {
      ...more,
      tender: { title: 'Panes', description: `As published, 2024/S 000-000201.`, ...(more.tender as JsonObject) },
    });

  it.each([
    ['its number', naming()],
    ['its page', naming({ tender: { description: `See ${PAGE}/000201-2024?origin=x` } })],
    ['its ocid', naming({ tender: { description: '' }, relatedProcesses: [{ identifier: tender.ocid }] })],
  ])('by %s: the contract counts once, in totals too, and both lead to it', async (_, finder) => {
    for (const releases of [
      [tender, finder],
      [finder, tender],
    ]) {
      const catalogue = await makeCatalogue();
      await store(catalogue, releases);
      expect(await relatedOf(catalogue, finder.ocid)).toMatchObject([
        { id: tender.ocid, method: 'identifier', score: 1 },
      ]);
      expect(await countedOf(catalogue)).toEqual({
        contracts: [`${tender.ocid}-a-1`],
        count: 1,
        sum: { GBP: { count: 1, value: 5000 } },
      });
      const notices = await catalogue.read<{ detail: string }>({ sql: 'SELECT detail FROM notice WHERE gone = 0' });
      const ids = notices.map(({ detail }) => JSON.parse(detail).contract_ids);
      expect(ids).toEqual([[`${tender.ocid}-a-1`], [`${tender.ocid}-a-1`]]);
    }
  });

  it('counts the one that states its value', async () => {
    const catalogue = await makeCatalogue();
    const unstated = onTender('000201', '2024-03-01T00:00:00Z', {
      awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
    });
    await store(catalogue, [naming(), unstated]);
    expect(await countedOf(catalogue)).toMatchObject({ count: 1, sum: { GBP: { count: 1, value: 5000 } } });
  });

  it.each([
    [
      'the winner is another',
      naming({
        parties: [{ ...COUNCIL, id: 'GB-SRS-x/1' }, OAKES],
        awards: [{ id: '1', status: 'active', suppliers: [reference(OAKES)] }],
      }),
    ],
    ['it is the contract before', onTender('000201', '2022-01-01T00:00:00Z')],
    [
      'it is called off from it',
      naming({ tender: { procurementMethodDetails: 'Call-off from a framework agreement' } }),
    ],
  ])('and yet both count where %s', async (_, other) => {
    const catalogue = await makeCatalogue();
    const isTender = String(other.ocid).startsWith('ocds-h6vhtk');
    await store(catalogue, isTender ? [other, naming()] : [tender, other]);
    expect(await countedOf(catalogue)).toMatchObject({ count: 2 });
  });

  it('and is nothing to those who name it where more than eight do', async () => {
    const catalogue = await makeCatalogue();
    const guid = (n: number) => `11111111-2222-4333-8444-5555555555${n}`;
    const quoting = Array.from({ length: 9 }, (_, index) => ({
      ...naming({ tender: { title: `Panes ${index} of nine` } }),
      ocid: `ocds-b5fd17-${guid(10 + index)}`,
      id: `${guid(30 + index)}-1`,
    }));
    await store(catalogue, [tender, ...quoting.slice(0, 8)]);
    expect(await relatedOf(catalogue, tender.ocid)).toHaveLength(5);
    expect(await relatedOf(catalogue, quoting[0]?.ocid)).toMatchObject([{ method: 'identifier' }]);
    await store(catalogue, quoting.slice(8));
    expect(await relatedOf(catalogue, tender.ocid)).toEqual([]);
    for (const { ocid } of quoting) expect(await relatedOf(catalogue, ocid)).toEqual([]);
    expect(await countedOf(catalogue)).toMatchObject({ count: 10 });
  });

  it('what no release says any more is undone', async () => {
    const catalogue = await makeCatalogue();
    await store(catalogue, [
      tender,
      naming(),
      { ...naming(), date: '2024-05-01T00:00:00Z', tender: { title: 'Panes', description: 'x' } },
    ]);
    expect(await countedOf(catalogue)).toMatchObject({ count: 2 });
  });

  it('in any order the catalogue is the same', async () => {
    const releases = [
      tender,
      naming(),
      onFinder(3, '2024-03-05T00:00:00Z', { tender: { description: `${PAGE}/000202-2024` } }),
      onTender('000202', '2024-03-02T00:00:00Z', {
        awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
      }),
      onTender('000203', '2024-03-02T00:00:00Z', {
        description: `https://www.contractsfinder.service.gov.uk/Notice/${GUID}4`,
      }),
    ];
    const digests = [];
    for (const order of [releases, releases.toReversed(), [...releases.slice(2), ...releases.slice(0, 3)]]) {
      const catalogue = await makeCatalogue();
      await store(catalogue, order);
      digests.push(await catalogueDigest(catalogue));
    }
    expect(digests[1]).toEqual(digests[0]);
    expect(digests[2]).toEqual(digests[0]);
  });
});

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
