import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import {
  actRelease,
  BRIGHT,
  COUNCIL,
  compileOne,
  contractWarnings,
  noticeDocument,
  OAKES,
  reference,
} from './releases.ts';

/** A framework with everything that these tests write in another way. */
const FULL = {
  tag: ['award'],
  planning: { documents: [noticeDocument('000400-2026', 'UK6')] },
  parties: [COUNCIL, BRIGHT, OAKES],
  tender: {
    status: 'active',
    techniques: { hasFrameworkAgreement: true },
    suitability: { sme: true },
    procurementMethod: 'open',
    mainProcurementCategory: 'works',
    lots: [{ id: '1', title: 'North' }, { id: '2' }],
    value: { amount: 90_000, currency: 'GBP' },
    tenderPeriod: { endDate: '2026-02-01T12:00:00Z' },
  },
  awards: [
    {
      id: '1',
      status: 'active',
      date: '2026-02-27T00:00:00Z',
      value: { amount: 80_000, currency: 'GBP' },
      suppliers: [reference(BRIGHT)],
      relatedLots: ['1', '2'],
      contractPeriod: { startDate: '2026-04-01T00:00:00+01:00', endDate: '2028-07-31T23:59:59Z' },
      milestones: [{ type: 'futureSignatureDate', dueDate: '2026-03-20T00:00:00Z' }],
    },
    { id: '2', status: 'cancelled', suppliers: [reference(OAKES)] },
  ],
};

/** The release with every member changed that `change` knows. */
function rewrite(value: unknown, change: (key: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => rewrite(member, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(key, rewrite(one, change))]));
}

const compile = (more: JsonObject) =>
  JSON.parse(JSON.stringify(compileOne([actRelease('000400-2026', '2026-03-01T09:00:00Z', more)])));
const DUE = compile(FULL);

const texts = (keys: RegExp, change: (text: string) => unknown) => (key: string, one: unknown) =>
  keys.test(key) && typeof one === 'string' ? change(one) : one;

const TERMS = 'https://buyer.example/terms.pdf';
const CODES = /^(?:tag|roles|procurementMethod|mainProcurementCategory)$/;

describe('a release in another shape says the same', () => {
  it.each<[string, (key: string, one: unknown) => unknown]>([
    ['a value without its currency', (key, one) => (key === 'value' ? (one as { amount: number }).amount : one)],
    ['a value in words', (key, one) => (key === 'value' ? `£${(one as { amount: number }).amount}.00` : one)],
    ['a value with its code', (key, one) => (key === 'amount' ? `GBP ${(one as number) / 1_000},000` : one)],
    ['a value in thousands', (key, one) => (key === 'amount' ? `£${(one as number) / 1_000}k` : one)],
    ['a status in capitals', texts(/^status$/, (text) => text.toUpperCase())],
    ['a status as Americans spell it', texts(/^status$/, (text) => text.replace('ll', 'l'))],
    ['codes in capitals', (key, one) => (CODES.test(key) ? mapText(one, (text) => text.toUpperCase()) : one)],
    ['codes with a capital', (key, one) => (CODES.test(key) ? mapText(one, capital) : one)],
    ['a kind of milestone with a capital', texts(/^type$/, capital)],
    ['lots in one text', (key, one) => (key === 'relatedLots' ? (one as string[]).join(', ') : one)],
    ['lots as objects', (key, one) => (key === 'relatedLots' ? (one as string[]).map((id) => ({ id })) : one)],
    ['pounds as a sign', texts(/^currency$/, (text) => text.replace('GBP', '£'))],
    ['a notice type with a space', texts(/^noticeType$/, (text) => text.replace('UK', 'uk '))],
    ['flags as words', (_, one) => (one === true ? 'Yes' : one)],
    ['flags as numbers', (_, one) => (one === true ? 1 : one)],
    ['numbers that repeat their scheme', (key, one) => (key === 'identifier' ? withScheme(one as JsonObject) : one)],
    ['times after a space', texts(/date$/i, (text) => text.replace('T', ' '))],
    ['times in small letters', texts(/date$/i, (text) => text.toLowerCase())],
    ['dates with the day first', texts(/date$/i, (text) => text.replace(/^(\d{4})-(\d\d)-(\d\d)T?/, '$3/$2/$1 '))],
    ['days and months of one digit', texts(/date$/i, (text) => text.replace(/^(\d{4})-0(\d)-(\d\d)T?/, '$3/$2/$1 '))],
    ['offsets of hours alone', texts(/date$/i, (text) => text.replace('+01:00', '+01'))],
    ['zones after a space', texts(/date$/i, (text) => text.replace(/(?=Z|\+)/, ' '))],
    ['the end of a day as 24:00', texts(/date$/i, (text) => text.replace('T23:59:59', 'T24:00:00'))],
    ['times without seconds', texts(/date$/i, (text) => text.replace(/:(?:00|59)(?=Z|\+)/, ''))],
  ])('%s', (_, change) => {
    expect(compile(rewrite(FULL, change) as JsonObject)).toEqual(DUE);
  });

  it.each<[string, JsonObject]>([
    ['a buyer that is named without its id', { buyer: { name: ' HARROWMERE City Council' } }],
    ['a buyer that only its role names', { buyer: null }],
    ['a buyer with its details, away from its party', { ...apart(COUNCIL) }],
    [
      'a buyer that is only the procuring entity',
      {
        buyer: {},
        parties: [withoutRoles(COUNCIL), BRIGHT, OAKES],
        tender: { ...FULL.tender, procuringEntity: reference(COUNCIL) },
      },
    ],
    ['a buyer that is no party', { buyer: withoutRoles(COUNCIL), parties: [BRIGHT, OAKES] }],
  ])('%s', (_, more) => {
    expect(compile({ ...FULL, ...more })).toEqual(DUE);
  });

  it('a buyer that is a bare name, and no party', () => {
    const buyers = ({ parties }: typeof DUE) => parties.filter(({ role }: { role: string }) => role === 'buyer');
    const named = { parties: [BRIGHT, OAKES], tender: { procuringEntity: 'Harrowmere Schools' } };
    expect(buyers(compile({ ...FULL, ...named, tender: {}, buyer: 'TBC' }))).toEqual([]);
    expect(buyers(compile({ ...FULL, ...named, buyer: 'Harrowmere' }))).toMatchObject([
      { sighting: { name: 'Harrowmere' } },
    ]);
    for (const buyer of ['', 'TBC', { name: 'TBC' }])
      expect(buyers(compile({ ...FULL, ...named, buyer }))).toMatchObject([
        { sighting: { name: 'Harrowmere Schools' } },
      ]);
  });

  it('a release without a date says so', () => {
    const undated = compile({ ...FULL, date: undefined });
    expect(undated.notices[0].detail.warnings).toEqual([
      'no date was published: that of its answer or its fetch is taken',
    ]);
  });

  it('lists of one in place of objects', () => {
    const listed = rewrite(actRelease('000400-2026', '2026-03-01T09:00:00Z', FULL), (_, one) =>
      isObject(one) ? [one] : one,
    );
    expect(JSON.parse(JSON.stringify(compileOne([listed as JsonObject])))).toEqual(DUE);
  });

  it.each(['2026-06-30', '2026-06-30T23:59:59', '2026-06-30T24:00'])('a deadline in summer: %s', (endDate) => {
    for (const tenderPeriod of [{ endDate }, endDate]) {
      const { notices } = compile({ tag: ['tender'], tender: { status: 'active', tenderPeriod } });
      expect(notices).toMatchObject([{ deadline: '2026-06-30', deadlineAt: '2026-06-30T22:59:59Z' }]);
    }
  });

  it('an amount that can be read in two ways is none, and its notice says so', () => {
    const of = (value: JsonObject) => compile({ tag: ['tender'], tender: { value } }).notices[0];
    for (const value of [
      { amount: '£1m to £2m', currency: 'GBP' },
      { amount: '12m', currency: 'GBP' },
      { amount: '£100', currency: 'EUR' },
    ]) {
      const warnings = [`a value that is no number was published: ${value.amount}`];
      expect(of(value)).toMatchObject({ value: null, detail: { warnings } });
    }
  });

  it('the lot of an award in the singular', () => {
    const lots = [1, 2].map((id) => ({ id, value: { amount: id * 1_000, currency: 'GBP' } }));
    const of = (more: JsonObject) =>
      compile({ ...FULL, tender: { lots }, awards: [{ id: '1', suppliers: [reference(BRIGHT)], ...more }] });
    expect(of({ relatedLot: '2' })).toEqual(of({ relatedLots: ['2'] }));
    expect(of({ relatedLot: '2' }).contracts).toMatchObject([{ lotIds: ['2'], value: 2_000 }]);
  });

  it('a code without its leading zero', () => {
    const cpvs = (id: unknown) =>
      compile({ ...FULL, tender: { classification: { scheme: 'CPV', id } } }).notices[0].cpvs;
    expect([9123000, '3000000-1', 4500000].map(cpvs)).toEqual([['09123000'], ['03000000'], []]);
  });

  it('two codes in place of the main one', () => {
    const codes = ['45000000', '90911300'].map((id) => ({ scheme: 'CPV', id }));
    const of = (tender: JsonObject) => compile({ ...FULL, tender });
    const due = {
      notices: [{ cpvs: ['45000000', '90911300'] }],
      contracts: [{ detail: { cpvs: codes.map(({ id }) => id) } }],
    };
    expect(of({ classification: codes })).toMatchObject(due);
    expect(of({ items: [{ id: 1, classification: codes }] })).toMatchObject(due);
  });

  it.each<[string, JsonObject]>([
    ['of the tender', { deliveryAddresses: [{ region: 'UKE42' }] }],
    ['of the tender, a lone one', { deliveryAddress: { region: 'UKE42' } }],
    ['of an item, as a code', { items: [{ deliveryLocations: [{ gazetteer: { identifiers: ['UKE42'] } }] }] }],
    ['of an item, as a name', { items: [{ deliveryLocation: { description: 'Leeds' } }] }],
    ['of an item, as a lone code', { items: [{ deliveryLocation: { gazetteer: 'UKE42' } }] }],
    ['of the tender, as texts', { deliveryAddresses: ['UKE42 - Leeds'] }],
    ['of the tender, as one text', { deliveryAddresses: 'Leeds' }],
    ['of an item, as a text', { items: [{ deliveryLocations: ['UKE42'] }] }],
  ])('a place of delivery %s', (_, tender) => {
    const regions = [{ code: 'UKE42', name: 'Leeds' }];
    expect(compile({ ...FULL, tender })).toMatchObject({
      notices: [{ regions }],
      contracts: [{ detail: { regions } }],
    });
  });

  it.each([
    ['as a text', 'Town Hall, Leeds, LS1 1AA'],
    ['in a street', { streetAddress: 'Town Hall\nLeeds\nLS1 1AA' }],
  ])('a place of delivery with its postcode %s', (_, address) => {
    const { notices } = compile({ ...FULL, tender: { deliveryAddresses: [address] } });
    expect(notices).toMatchObject([{ regions: [{ code: 'UKE' }] }]);
  });

  it.each<[string, unknown]>([
    ['under another name', [{ id: 1, uri: TERMS }]],
    ['as a link', [{ id: 1, href: TERMS }]],
    ['as a list of one', [{ id: 1, url: [TERMS] }]],
    ['alone', [TERMS]],
    ['alone, in no list', TERMS],
  ])('the address of a document %s', (_, documents) => {
    const of = (given: unknown) =>
      compile({ ...FULL, tender: { documents: given } }).documents.map(({ url }: JsonObject) => url);
    expect(of(documents)).toEqual(of([{ id: 1, url: TERMS }]));
    expect(of(documents)).toContain(TERMS);
    expect(of(['Terms and conditions'])).toEqual(of([]));
  });

  it('a word in place of a currency is none', () => {
    const awards = [{ ...FULL.awards[0], value: { amount: 80_000, currency: 'TBC' } }];
    const process = compile({ ...FULL, tender: {}, awards });
    expect(process.contracts[0]).toMatchObject({ value: null, currency: null });
    expect(contractWarnings(process)).toContain('a value in no known currency was published: taken as not stated');
  });
});

function isObject(one: unknown): boolean {
  return typeof one === 'object' && one !== null && !Array.isArray(one);
}

function mapText(one: unknown, change: (text: string) => string): unknown {
  return Array.isArray(one) ? one.map(change) : change(one as string);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function withScheme({ scheme, id, ...rest }: JsonObject): JsonObject {
  return { scheme, id: `${scheme}-${id}`, ...rest };
}

function withoutRoles({ roles: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

function apart(buyer: JsonObject): JsonObject {
  return { buyer: withoutRoles(buyer), parties: [{ ...reference(buyer), roles: ['buyer'] }, BRIGHT, OAKES] };
}
