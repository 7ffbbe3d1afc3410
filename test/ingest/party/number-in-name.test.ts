import { expect, it } from 'vitest';
import { readSighting } from '../../../ingest/party/sighting.ts';

it('a company number in the name of one company is its own, unless another is stated', () => {
  const idsOf = (name: string, id = 'PBCD-1234-FGHJ', scheme = 'GB-PPON') =>
    readSighting({ name, identifier: { scheme, id }, additionalIdentifiers: [], roles: [], classifications: [] }).ids;
  const both = (number: string) => [`GB-COH-${number}`, 'GB-PPON-PBCD-1234-FGHJ'];
  expect(idsOf('AMBER PLAY LIMITED (01234567)')).toEqual(both('01234567'));
  expect(idsOf('Amber Play Ltd. (ni012345) t/a Amber Gyms')).toEqual(both('NI012345'));
  expect(idsOf('Amber Play Ltd (company number: 01234567)')).toEqual(both('01234567'));
  expect(idsOf('Amber Play Ltd, SC012345')).toEqual(both('SC012345'));
  for (const name of [
    'Amber Play (01234567)',
    'Amber Play Ltd 01234567',
    'Amber Play Ltd (1234567)',
    'Amber Play Ltd (Lot 01234567)',
    'Amber Play Ltd and Birch Ltd (01234567)',
    'Amber Play Ltd (01234567) and Birch Ltd (07654321)',
    'Amber Play Ltd (01234567) & Birch',
    'Amber Play Ltd (01234567) / Birch GmbH',
    'Amber Play Ltd (XX012345)',
  ])
    expect([name, idsOf(name)]).toEqual([name, ['GB-PPON-PBCD-1234-FGHJ']]);
  expect(idsOf('Amber Play Ltd (01234567)', '07654321', 'GB-COH')).toEqual(['GB-COH-07654321']);
});

it('what stands around a name is no part of it', () => {
  const nameOf = (name: string) =>
    readSighting({ name, additionalIdentifiers: [], roles: [], classifications: [] }).name;
  expect(nameOf(') AMBER PLAY LIMITED')).toBe('AMBER PLAY LIMITED');
  expect(nameOf('Amber Council,')).toBe('Amber Council');
  expect(nameOf('Amber Trains Limited .')).toBe('Amber Trains Limited');
  expect(nameOf('Amber Hospital 01632 960123')).toBe('Amber Hospital');
  for (const name of ['! LIMITED', 'Amber Co. Ltd.', '(Amber) Play', 'Amber Play (UK)', 'Amber+', '“Amber”', '.amber'])
    expect(nameOf(name)).toBe(name);
});
