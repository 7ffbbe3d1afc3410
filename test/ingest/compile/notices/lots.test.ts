import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, reference } from '../releases.ts';

const ID = '012345-2026';
const suppliers = [reference(BRIGHT)];
const CANCELLED = ['cancelled', 'cancelled'];

/** The statuses of two lots as served, in the notice and in its process. */
const statusesOf = (awards: JsonObject[], published = CANCELLED, more: JsonObject = {}) => {
  const lots = published.map((status, index) => ({ id: `${index + 1}`, title: `Area ${index + 1}`, status }));
  const legalBasis = { scheme: 'CELEX', id: '32014L0024' };
  const release = actRelease(ID, '2026-03-01T10:00:00Z', {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    tender: { legalBasis, lots },
    awards: awards.map((award, index) => ({ id: `${index + 1}`, status: 'active', suppliers, ...award })),
    ...more,
  });
  const process = compileOne([release]);
  const [inNotice, inProcess] = [process.notices[0]?.detail.lots, process.lots].map((all = []) =>
    all.map(({ status }) => status),
  );
  expect(inNotice).toEqual(inProcess);
  return inNotice;
};

it.each([
  ['an award names it', [{ relatedLots: ['2'] }], ['cancelled', 'complete']],
  [
    'an award names it, also where another of it came to nothing',
    [{ relatedLots: ['1'], status: 'unsuccessful', suppliers: [] }, { relatedLots: ['1'] }],
    ['complete', 'cancelled'],
  ],
  ['an award names none', [{}], ['complete', 'complete']],
  ['an award of it stands, not one that came to nothing', [{ relatedLots: ['1'], status: 'cancelled' }], CANCELLED],
  ['an award of it is made, not only intended', [{ relatedLots: ['1'], status: 'pending' }], CANCELLED],
  ['an award has suppliers, not an amendment alone', [{ suppliers: [], amendments: [{ id: ID }] }], CANCELLED],
  ['no other award tells it apart', [{}, { relatedLots: ['2'] }], ['cancelled', 'complete']],
  [
    'no award came to nothing for a lot that it may name, or not',
    [{}, { status: 'unsuccessful', suppliers: [] }],
    CANCELLED,
  ],
])('a lot that is published as cancelled is complete where %s', (_, awards, statuses) => {
  expect(statusesOf(awards)).toEqual(statuses);
});

it('a lot whose contract was cancelled before it was signed is not complete', () => {
  const contracts = ['1', '2'].map((id) => ({ id, awardID: id, status: id === '1' ? 'cancelled' : 'active' }));
  const awards = [{ relatedLots: ['1'] }, { relatedLots: ['2'] }];
  expect(statusesOf(awards, CANCELLED, { contracts })).toEqual(['cancelled', 'complete']);
});

it('a lot that alone is published as cancelled stays so where the award names none', () => {
  expect(statusesOf([{}], ['complete', 'cancelled'])).toEqual(['complete', 'cancelled']);
});

it('a lot that did not end keeps the status that its notice states', () => {
  expect(statusesOf([{ relatedLots: ['1'] }], ['active', 'active'])).toEqual(['active', 'active']);
});

it('a lot says how it may be extended, not that there is nothing to say', () => {
  const texts = ['2 x 12 months', 'n/a', 'No'].map((description) => ({ hasRenewal: true, renewal: { description } }));
  const lots = texts.map((text, index) => ({ id: `${index + 1}`, title: `Area ${index + 1}`, ...text }));
  const release = actRelease(ID, '2026-03-01T10:00:00Z', { tender: { lots } });
  const stated = compileOne([release]).notices[0]?.detail.lots.map(({ renewal }) => renewal);
  expect(stated).toEqual(['2 x 12 months', undefined, undefined]);
});
