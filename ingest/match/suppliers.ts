import type { Database } from '../../schema/database.ts';
import { type Asked, readAsked } from './asked.ts';
import { readBearers, readNeighbours } from './candidates.ts';
import { matchSupplier } from './match.ts';
import type { RegisterMatch, Wanted } from './types.ts';

/**
 * The companies that suppliers without a number are, in the order asked for; null where none is sure. Three reads for all:
 * by name and former name first, then, for those whose name nobody bears or bore, by block.
 */
export async function matchSuppliers(
  catalogue: Database,
  wanted: readonly Wanted[],
): Promise<(RegisterMatch | null)[]> {
  const asked = wanted.map(readAsked);
  const all = asked.filter((one) => one !== null);
  const found = new Map<Asked, RegisterMatch | null>();
  const unborne: Asked[] = [];
  const bearersOf = await readBearers(catalogue, all);
  for (const one of all) {
    const bearers = bearersOf(one);
    if (bearers.length === 0) unborne.push(one);
    else found.set(one, matchSupplier(one, bearers));
  }
  const neighboursOf = await readNeighbours(catalogue, unborne);
  for (const one of unborne) found.set(one, matchSupplier(one, neighboursOf(one)));
  return asked.map((one) => (one && found.get(one)) ?? null);
}
