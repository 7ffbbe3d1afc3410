import { expect, it } from 'vitest';
import { readSighting } from '../../../ingest/party/sighting.ts';
import { partyOf } from '../../../schema/ocds/release.ts';

const isSme = (scale: unknown) =>
  readSighting(partyOf({ name: 'Amber Play Ltd', details: { scale } }) ?? never()).isSme;

it.each(['sme', 'SME', 'micro', 'small', 'medium', 'selfEmployed'])('a supplier of the size %s is an SME', (scale) => {
  expect(isSme(scale)).toBe(true);
});

it('a large one is none, and of any other nothing is known', () => {
  expect(['large', 'Large'].map(isSme)).toEqual([false, false]);
  expect(['N/A', 'unknown', 'other', '', null, 250].map(isSme)).toEqual(Array(6).fill(undefined));
});

function never(): never {
  throw new Error('an object is a party');
}
