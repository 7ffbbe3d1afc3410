import type { Database } from '../../../schema/db/interface.ts';
import { isPlaced, matchSupplier } from './best.ts';
import { readBearers, readNeighbours, unique } from './candidates.ts';
import { type Asked, readAsked } from './look-up.ts';
import type { RegisterMatch, Wanted } from './types.ts';

/**
 * The companies that suppliers without a number are, in the order asked for; null where none is sure. Three reads for all:
 * by name and former name first, then, for those whom that does not place, by block.
 * @param least score from which a method is believed, as `matchSupplier` takes it
 */
export async function matchSuppliers(
  catalogue: Database,
  wanted: readonly Wanted[],
  least?: number,
): Promise<(RegisterMatch | null)[]> {
  const asked = wanted.map(readAsked);
  const all = asked.filter((one) => one !== null);
  const bearersOf = await readBearers(catalogue, all);
  const found = new Map(all.map((one) => [one, matchSupplier(one, bearersOf(one), least)]));
  // Whoever bears the name, a neighbour may still be whom the notice means; where somebody's place agrees none can.
  const unplaced = all.filter((one) => {
    const match = found.get(one);
    return match ? !isPlaced(match) : bearersOf(one).length === 0;
  });
  const neighboursOf = await readNeighbours(catalogue, unplaced);
  for (const one of unplaced)
    found.set(one, matchSupplier(one, unique([...bearersOf(one), ...neighboursOf(one)]), least));
  return asked.map((one: Asked | null) => (one && found.get(one)) ?? null);
}
