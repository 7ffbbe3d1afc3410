import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, reference } from '../releases.ts';

const ID = '012345-2026';
const suppliers = [reference(BRIGHT)];
const statusesOf = (awards: JsonObject[], lotStatus = 'cancelled') => {
  const lots = ['1', '2'].map((id) => ({ id, title: `Area ${id}`, status: lotStatus }));
  const legalBasis = { scheme: 'CELEX', id: '32014L0024' };
  const release = actRelease(ID, '2026-03-01T10:00:00Z', {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    tender: { legalBasis, status: 'complete', lots },
    awards: awards.map((award, index) => ({ id: `${ID}-${index + 1}`, status: 'active', suppliers, ...award })),
  });
  return compileOne([release]).notices[0]?.detail.lots.map(({ status }) => status);
};

it.each([
  ['an award names it', [{ relatedLots: ['2'] }], ['cancelled', 'complete']],
  [
    'an award names it, also where another of it came to nothing',
    [{ relatedLots: ['1'], status: 'unsuccessful', suppliers: [] }, { relatedLots: ['1'] }],
    ['complete', 'cancelled'],
  ],
  ['an award names none', [{}], ['complete', 'complete']],
  [
    'an award of it stands, not one that came to nothing',
    [{ relatedLots: ['1'], status: 'cancelled' }],
    ['cancelled', 'cancelled'],
  ],
  [
    'an award has suppliers, not an amendment alone',
    [{ suppliers: [], amendments: [{ id: ID }] }],
    ['cancelled', 'cancelled'],
  ],
])('a lot that is published as cancelled is complete where %s', (_, awards, statuses) => {
  expect(statusesOf(awards)).toEqual(statuses);
});

it('a lot that did not end keeps the status that its notice states', () => {
  expect(statusesOf([{ relatedLots: ['1'] }], 'active')).toEqual(['active', 'active']);
});

it('a lot says how it may be extended, not that there is nothing to say', () => {
  const texts = ['2 x 12 months', 'n/a', 'No'].map((description) => ({ hasRenewal: true, renewal: { description } }));
  const lots = texts.map((text, index) => ({ id: `${index + 1}`, title: `Area ${index + 1}`, ...text }));
  const release = actRelease(ID, '2026-03-01T10:00:00Z', { tender: { lots } });
  const stated = compileOne([release]).notices[0]?.detail.lots.map(({ renewal }) => renewal);
  expect(stated).toEqual(['2 x 12 months', undefined, undefined]);
});
