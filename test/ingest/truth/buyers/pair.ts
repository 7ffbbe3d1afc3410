import type { BuyerAsPublished, BuyerPair } from '../types.ts';

type Sighting = string | BuyerAsPublished;

const asBuyer = (sighting: Sighting): BuyerAsPublished =>
  typeof sighting === 'string' ? { name: sighting } : sighting;

const pair = (a: Sighting, b: Sighting, same: boolean, why: string, doubtful?: string): BuyerPair => ({
  a: asBuyer(a),
  b: asBuyer(b),
  same,
  why,
  ...(doubtful === undefined ? {} : { doubtful }),
});

/** Two sightings of one body; a text is a sighting of which only the name is known. */
export const same = (a: Sighting, b: Sighting, why: string, doubtful?: string) => pair(a, b, true, why, doubtful);

/** Sightings of two bodies. */
export const different = (a: Sighting, b: Sighting, why: string, doubtful?: string) => pair(a, b, false, why, doubtful);
