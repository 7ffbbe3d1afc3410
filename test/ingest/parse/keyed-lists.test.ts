import { describe, expect, it } from 'vitest';
import type { Repairs } from '../../../ingest/parse/repair.ts';
import { cleanRelease } from '../../../ingest/parse/repair.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference } from '../compile/releases.ts';

const LISTS: JsonObject = {
  tag: ['award'],
  parties: [COUNCIL, BRIGHT, OAKES],
  tender: {
    lots: [
      { id: 'A', title: 'North' },
      { id: 'B', title: 'South' },
    ],
    documents: [noticeDocument('000400-2026', 'UK6'), { id: 'terms-1', url: 'https://buyer.example/terms.pdf' }],
  },
  awards: [{ id: 'AW-7', status: 'active', suppliers: [reference(BRIGHT), reference(OAKES)], relatedLots: ['A'] }],
  contracts: [{ id: 'C-1', awardID: 'AW-7', status: 'active', dateSigned: '2026-02-27' }],
};
const NAMES = new Set(['parties', 'lots', 'documents', 'awards', 'suppliers', 'contracts']);

const compile = (more: JsonObject) =>
  JSON.parse(JSON.stringify(compileOne([actRelease('000400-2026', '2026-03-01T09:00:00Z', more)])));

/** Every list of objects as an object keyed by their ids. */
function keyed(value: unknown, keepIds: boolean): unknown {
  if (Array.isArray(value)) return value.map((member) => keyed(member, keepIds));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      NAMES.has(name) ? byId(keyed(one, keepIds), keepIds) : keyed(one, keepIds),
    ]),
  );
}

function byId(members: unknown, keepIds: boolean): JsonObject {
  return Object.fromEntries(
    (members as JsonObject[]).map(({ id, ...rest }) => [id, keepIds ? { id, ...rest } : rest] as const),
  );
}

function clean(text: string) {
  const repairs: Repairs = {};
  return { cleaned: cleanRelease(JSON.parse(text), repairs), repairs };
}

describe('an object keyed by ids', () => {
  it.each([true, false])('is the list of its members, with their ids repeated in them or not: %s', (keepIds) => {
    expect(compile(keyed(LISTS, keepIds) as JsonObject)).toEqual(compile(LISTS));
  });

  it('is counted, and leaves every id as it is', () => {
    expect(
      clean('{"parties": {"GB-COH-1": {"name": "A"}, "constructor": {"id": "constructor", "name": "B"}}}'),
    ).toEqual({
      cleaned: {
        parties: [
          { id: 'GB-COH-1', name: 'A' },
          { id: 'constructor', name: 'B' },
        ],
      },
      repairs: { object_for_array: 1 },
    });
    const own = '{"lots": {"Lot 1": {"id": 7, "title": "A"}}}';
    expect(clean(own).cleaned).toEqual({ lots: [{ id: 7, title: 'A' }] });
  });

  it('loses a member that would become its prototype, counted, and keeps the others', () => {
    const { cleaned, repairs } = clean('{"parties": {"__proto__": {"name": "A"}, "P-1": {"name": "B"}}}');
    expect(cleaned).toEqual({ parties: [{ id: 'P-1', name: 'B' }] });
    expect(repairs).toEqual({ object_for_array: 1, forbidden_member: 1 });
  });

  it('gives its ids to the contacts that are left out', () => {
    const leftOut: { owner: unknown; key: string }[] = [];
    cleanRelease({ parties: { 'P-1': { name: 'B', contactPoint: { name: 'Jo' } } } }, {}, leftOut as never);
    expect(leftOut).toMatchObject([{ owner: 'P-1', key: 'contactPoint' }]);
  });
});

describe('an object in place of a list of one', () => {
  it.each([
    '{"awards": {"id": "1", "value": {"amount": 5}}}',
    '{"awards": {"value": {"amount": 5}, "contractPeriod": {"endDate": "2026-01-01"}}}',
    '{"parties": {"address": {"postalCode": "LS1 1AA"}, "identifier": {"id": "5"}}}',
    '{"contracts": {"implementation": {"milestones": []}}}',
    '{"suppliers": {"x_awardValue": {"amount": 5}}}',
    '{"lots": {}}',
  ])('is that one: %s', (text) => {
    const [[name, one] = ['', {}]] = Object.entries(JSON.parse(text));
    expect(clean(text)).toEqual({ cleaned: { [name]: [one] }, repairs: { object_for_array: 1 } });
  });

  it('is no list of objects where it also has plain members', () => {
    const one = { id: '1', 'x-1': { a: 1 } };
    expect(clean(JSON.stringify({ awards: one })).cleaned).toEqual({ awards: [one] });
  });
});
