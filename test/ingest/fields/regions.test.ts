import { expect, it } from 'vitest';
import { postcodeOf, regionsIn, regionsOf } from '../../../ingest/fields/classifications.ts';
import { readSighting } from '../../../ingest/party/sighting.ts';
import { partyOf } from '../../../schema/ocds/release.ts';
import type { OcdsParty } from '../../../schema/ocds/types.ts';
import { codeOfRegionName, regionOfCode, regionOfPostcode, widerRegionOf } from '../../../schema/reference/regions.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';

it.each([
  ['UKE', 'UKE', 'Yorkshire and The Humber'],
  ['ukd7', 'UKD7', 'Merseyside'],
  ['UKE42', 'UKE42', 'Leeds'],
  ['TLI3', 'UKI3', 'Inner London - West'],
  ['TLC31', 'UKC31', 'Hartlepool and Stockton-on-Tees'],
  ['TLN0A', 'UKN0A', 'Derry City and Strabane'],
  ['UKC99', 'UKC99', 'North East'],
])('the code %s is a region with a name of its own level', (raw, code, name) => {
  expect(regionOfCode(raw)).toEqual({ code, name });
  expect([null, code.slice(0, 3)]).toContain(widerRegionOf(code)?.code ?? null);
});

it('a name is the code of the widest region that has it, and none where two regions do', () => {
  expect(['Yorkshire and the Humber', 'leeds', 'KENT'].map(codeOfRegionName)).toEqual(['UKE', 'UKE42', 'UKJ4']);
  expect(['Durham', 'England', 'Atlantis'].map(codeOfRegionName)).toEqual([null, null, null]);
});

it('a place abroad is no region; a postcode tells the widest', () => {
  expect(['FR10', 'GB', 'UKZ', 'UKI312', ''].map(regionOfCode)).toEqual([null, null, null, null, null]);
  expect(regionOfPostcode('LS1 4DY')).toEqual({ code: 'UKE', name: 'Yorkshire and The Humber' });
});

it('a place in another country is no region, though its code or postcode may look like one', () => {
  expect(regionsOf([{ region: 'TL', country: 'TL', countryName: 'East Timor' }])).toEqual([]);
  expect(regionsOf([{ postalCode: 'E1 6AN', country: 'ES', countryName: 'Spain' }])).toEqual([]);
  expect(regionsOf([{ region: 'TL', country: 'GB' }])).toEqual([{ code: 'UK', name: 'United Kingdom' }]);
  expect(regionsOf([{ region: 'TLC31' }])).toEqual([{ code: 'UKC31', name: 'Hartlepool and Stockton-on-Tees' }]);
});

it('an organisation in another country has no region, though the code of its country may look like one', () => {
  const regionIn = (address: JsonObject) => {
    const party = partyOf({ id: '1', name: 'Harrowmere Coffee', address });
    return party && readSighting(party).region?.code;
  };
  expect(regionIn({ region: 'TL', country: 'TL', countryName: 'East Timor' })).toBeUndefined();
  expect(regionIn({ region: 'TL', country: 'GB' })).toBe('UK');
});

it.each([
  ['London', ['KT1 1EU', 'TW9 4DU', 'EN1 3XA', 'RM1 3BB', 'DA14 6NE', 'CR0 1EA']],
  ['South East', ['KT15 2AH', 'TW20 0EX', 'DA1 1DR', 'CR3 6YE', 'BR8 7AP', 'SP10 3LF', 'MK9 3EJ', 'HP20 1UA']],
  ['East of England', ['WD18 0HB', 'WD6 1WA', 'EN8 9XQ', 'HP1 1DN', 'MK42 9AP', 'RM17 6SL', 'PE1 1HL']],
  ['East Midlands', ['S40 1LP', 'S80 2AH', 'PE21 8QR', 'SK17 6EL', 'DN22 6DE']],
  ['Yorkshire and The Humber', ['S1 2HH', 'DN1 3BU', 'DL7 8AD', 'TS9 5AD', 'OL14 7LG']],
  ['West Midlands', ['DE14 2EG']],
  ['South West', ['BH1 1AA', 'SN1 2JH', 'SP1 3SL']],
])('a postcode is in the region of its district, which may not be that of its area: %s', (region, postcodes) => {
  expect(postcodes.map((postcode) => regionOfPostcode(postcode)?.name)).toEqual(postcodes.map(() => region));
});

it('a postcode of several lines is the last: an earlier line may look like one', () => {
  expect(postcodeOf({ streetAddress: 'Plot E1\n2ND Avenue\nYork YO1 7HH' })).toBe('YO1 7HH');
  expect(postcodeOf({ streetAddress: 'Unit B1 1ST Floor\r\nLeeds\r\nls2 7ew\r\nUnited Kingdom' })).toBe('LS2 7EW');
  expect(postcodeOf({ streetAddress: 'Mill Lane\nRomford RM7 OEJ\nUK' })).toBe('RM7 0EJ');
  expect(postcodeOf({ streetAddress: 'Plot E1\n2ND Avenue' })).toBeNull();
  expect(postcodeOf({ streetAddress: '1 Mill Lane', locality: 'Leeds LS2 7EW' })).toBe('LS2 7EW');
});

it('a postcode is read from its own field, else out of an address in one line', () => {
  expect(postcodeOf({ postalCode: 'ls14dy', streetAddress: '1 High Street, M1 1AA' })).toBe('LS1 4DY');
  expect(postcodeOf({ postalCode: 'EH6 6 QQ' })).toBe('EH6 6QQ');
  expect(postcodeOf({ postalCode: 'LS11 GB' })).toBeNull();
  expect(postcodeOf({ streetAddress: '1 High Street\n   Leeds\n   LS1 4DY' })).toBe('LS1 4DY');
  expect(postcodeOf({ streetAddress: 'Unit 4, Mill Lane, Exmouth, EX8 2BB, UK' })).toBe('EX8 2BB');
  expect(postcodeOf({ streetAddress: '1 Mill Lane, Exmouth' })).toBeNull();
  expect(postcodeOf(undefined)).toBeNull();
});

it('at the end of an address the letter O stands for a zero', () => {
  expect(postcodeOf({ streetAddress: '26 Mill Gardens Romford RM7 OEJ' })).toBe('RM7 0EJ');
  expect(postcodeOf({ postalCode: 'BD12ORY' })).toBe('BD12 0RY');
  expect(postcodeOf({ streetAddress: 'Unit B2 Old Road, Leeds' })).toBeNull();
  expect(postcodeOf({ streetAddress: 'Unit B2 Oak' })).toBeNull();
});

it.each([
  ['UKE42', 'UKE42'],
  ['UKE42 - Leeds', 'UKE42'],
  ['uke42 – leeds', 'UKE42'],
  ['UKE42: Leeds', 'UKE42'],
  ['UKE42 Leeds', 'UKE42'],
  ['Leeds (UKE42)', 'UKE42'],
  ['NUTS: UKE42', 'UKE42'],
  ['ITL TLE42', 'UKE42'],
  ['GB-UKE42', 'UKE42'],
  ['UKN0A Derry City and Strabane', 'UKN0A'],
  ['UKE - Yorkshire and The Humber', 'UKE'],
  ['Yorkshire (UKE)', 'UKE'],
  ['UK - United Kingdom', 'UK'],
  ['UKE42, UKE41', 'UKE42 UKE41'],
  ['UKE42;UKE41', 'UKE42 UKE41'],
  ['UKE, UKF', 'UKE UKF'],
  ['UKE42 - Leeds / UKE41 - Bradford', 'UKE42 UKE41'],
  ['E12000003', 'UKE'],
  ['E12000007 - London', 'UKI'],
  ['W92000004', 'UKL'],
  ['S92000003', 'UKM'],
  ['N92000002', 'UKN'],
  ['K02000001', 'UK'],
  ['E92000001', 'England'],
  ['Leeds', 'UKE42'],
])('the region %s is %s', (text, codes) => {
  expect(regionsIn(text).map(({ code, name }) => code ?? name)).toEqual(
    codes === 'England' ? [codes] : codes.split(' '),
  );
  const party = partyOf({ name: 'A', address: { region: text } });
  expect(party && readSighting(party).region).toEqual(regionsIn(text)[0]);
});

it.each([
  'UKHSA',
  'UKHSA offices',
  'UKIP',
  'UKAS accredited',
  'UK-wide',
  'Ukraine',
  'TLC Homes',
  'BUKE42',
  'UKE423',
  'UKE42X',
  'FR10 - Paris',
  'E12000010',
  'E120000031',
  'XE12000003',
  'E08000035',
  'A'.repeat(300_000),
  ' '.repeat(300_000),
])('%s is no region', (text) => {
  expect(regionsIn(text)).toEqual([]);
});

it('a country that stands as a code alone is that country, of a party and of a place', () => {
  const countryOf = (address: JsonObject) => readSighting(partyOf({ name: 'Alder Ltd', address }) as OcdsParty).country;
  expect([{ country: 'IE' }, { country: 'GB' }, { country: 'GB-SCT' }].map(countryOf)).toEqual([
    'IE',
    'GB',
    'Scotland',
  ]);
  expect(countryOf({ country: 'IE', countryName: 'Ireland' })).toBe('Ireland');
  const placed = (country: string) => regionsOf([{ country }]).map(({ name }) => name);
  expect(['GB', 'GB-SCT', 'IE'].map(placed)).toEqual([['United Kingdom'], ['Scotland'], []]);
});
