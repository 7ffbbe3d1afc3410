import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, reference } from '../releases.ts';

const [TENDER, CHANGED, AWARD] = ['000001-2026', '000002-2026', '000003-2026'];
const tender = (tenderParts: JsonObject, id = TENDER, date = '2026-03-01T10:00:00Z') =>
  actRelease(id, date, { tender: { documents: [noticeDocument(id, 'UK4', 'tenderNotice')], ...tenderParts } });
const award = (items: JsonObject[]) =>
  actRelease(AWARD, '2026-06-01T10:00:00Z', {
    tag: ['award'],
    parties: [COUNCIL, BRIGHT],
    awards: [
      {
        id: '1',
        status: 'active',
        suppliers: [reference(BRIGHT)],
        items,
        documents: [noticeDocument(AWARD, 'UK6')],
      },
    ],
  });
const placesOf = (...releases: JsonObject[]) =>
  compileOne(releases).notices.map(({ detail }) => detail.delivery_places);
const atItems = (...items: JsonObject[]) => placesOf(tender({ items }))[0];
const LEEDS = { region: 'UKE42', country: 'GB', countryName: 'United Kingdom' };

it.each([
  ['of an item', { deliveryLocation: { description: 'Three depots' } }, ['Three depots']],
  [
    'of several',
    { deliveryLocations: [{ description: 'Depot A' }, { description: 'Depot B' }] },
    ['Depot A', 'Depot B'],
  ],
  ['without an object', { deliveryLocation: 'Three depots' }, ['Three depots']],
  ['next to addresses', { deliveryAddresses: [LEEDS], deliveryLocation: { description: 'Depot A' } }, ['Depot A']],
  [
    'next to the code',
    { deliveryLocation: { gazetteer: { identifiers: ['UKE42'] }, description: 'Depot A' } },
    ['Depot A'],
  ],
  [
    'on lines',
    { deliveryLocation: { description: 'Depot A\r\n Mill Lane,<br/>Harrowmere' } },
    ['Depot A, Mill Lane, Harrowmere'],
  ],
  [
    'with a number',
    { deliveryLocation: { description: 'Ring 01632 960111 first' } },
    ['Ring [telephone removed] first'],
  ],
  ['and none', { deliveryLocation: { description: 'N/A' } }, undefined],
  ['and a region', { deliveryAddresses: [LEEDS], deliveryLocation: { description: 'LEEDS' } }, undefined],
  ["and a region's code", { deliveryAddresses: [LEEDS], deliveryLocation: 'UKE42' }, undefined],
])('a notice says where it is delivered: the words %s', (_, item, places) => {
  expect(atItems(item)).toEqual(places);
  expect(placesOf(tender(item))).toEqual([places]);
});

it('each place is stated once, however it is spelt', () => {
  const depots = ['Depot A', 'depot a.', 'Depot B'].map((description) => ({ deliveryLocation: { description } }));
  expect(atItems(...depots)).toEqual(['Depot A', 'Depot B']);
});

it('an address keeps its town and postcode district alone, as the rest may be a home', () => {
  const home = { streetAddress: '1 Elm Cottage', locality: 'Harrowmere', postalCode: 'ls1 4pl', ...LEEDS };
  expect(atItems({ deliveryAddresses: [home, { ...home, postalCode: 'LS1 9ZZ' }] })).toEqual(['Harrowmere', 'LS1']);
  expect(atItems({ deliveryAddresses: ['1 Elm Cottage, Harrowmere LS1 4PL'] })).toBeUndefined();
  const { detail } = compileOne([tender({ items: [{ deliveryAddresses: [home] }] })]).notices[0] ?? {};
  expect(JSON.stringify(detail)).not.toMatch(/elm cottage|4pl/i);
});

it.each([
  ['Harrowmere ls1 4pl', ['Harrowmere', 'LS1']],
  ['1 Elm Cottage\nHarrowmere, Kent\nLS1 4PL', ['Harrowmere, Kent', 'LS1']],
  ['1 Elm Cottage', undefined],
])('nor are they served where they are written with the town: %j', (locality, places) => {
  expect(atItems({ deliveryAddresses: [{ ...LEEDS, locality }] })).toEqual(places);
});

it('countries abroad are places, unless all of the world is listed', () => {
  const named = (...names: string[]) => ({ deliveryAddresses: names.map((countryName) => ({ countryName })) });
  expect(atItems(named('United Kingdom', 'Scotland', 'Kenya', 'Belize'))).toEqual(['Kenya', 'Belize']);
  expect(atItems(named('United Kingdom', 'Europe', 'Rest of the World'))).toBeUndefined();
  expect(atItems(named(...Array.from({ length: 101 }, (_, n) => `Land ${n}`)))).toBeUndefined();
});

it('a later notice keeps the places that it does not state, and replaces those that it does', () => {
  const first = tender({ items: [{ id: '1', deliveryLocation: { description: 'Depot A' } }] });
  const later = (items?: JsonObject[]) => tender(items ? { items } : {}, CHANGED, '2026-04-01T10:00:00Z');
  expect(placesOf(first, later())).toEqual([['Depot A'], ['Depot A']]);
  const moved = [{ id: '1', deliveryLocation: { description: 'Depot B' } }];
  expect(placesOf(first, later(moved))).toEqual([['Depot A'], ['Depot B']]);
});

it('a contract has the places of its award, otherwise those of the tender', () => {
  const before = tender({ items: [{ id: '1', ...{ deliveryLocation: { description: 'All depots' } } }] });
  const contract = (items: JsonObject[]) => compileOne([before, award(items)]).contracts[0]?.detail;
  expect(contract([{ id: '1', deliveryLocation: { description: 'Depot B' } }])?.delivery_places).toEqual(['Depot B']);
  expect(contract([])?.delivery_places).toEqual(['All depots']);
  const inLeeds = { id: '1', deliveryAddresses: [LEEDS], deliveryLocation: { description: 'Depot B' } };
  expect(contract([inLeeds])).toMatchObject({ regions: [{ code: 'UKE42' }], delivery_places: ['Depot B'] });
});

it('of very many places the first are kept', () => {
  const items = Array.from({ length: 2_001 }, (_, n) => ({ deliveryLocation: { description: `Depot ${n}` } }));
  expect(atItems(...items)).toHaveLength(2_000);
});

it('places are together hardly longer than a text', () => {
  const words = (n: number) => `Depot ${n} ${'far '.repeat(24_000)}`;
  const items = Array.from({ length: 150 }, (_, n) => ({ deliveryLocation: { description: words(n) } }));
  const places = atItems(...items) ?? [];
  expect(places).toHaveLength(101);
  expect(new Set(places.map(({ length }) => length))).toEqual(new Set([999, 1_000]));
});
