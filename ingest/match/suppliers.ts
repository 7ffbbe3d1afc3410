import type { Database } from '../../schema/database.ts';
import { readBearers, readNeighbours } from './candidates.ts';
import { matchSupplier } from './match.ts';
import type { RegisterMatch, Wanted } from './types.ts';

/**
 * The companies that suppliers without a number are, in the order asked for; null where none is sure. Three reads for all:
 * by name and former name first, then, for those whose name nobody bears, by block.
 */
export async function matchSuppliers(
  catalogue: Database,
  wanted: readonly Wanted[],
): Promise<(RegisterMatch | null)[]> {
  const bearersOf = await readBearers(catalogue, wanted);
  const bearers = wanted.map(bearersOf);
  const found = wanted.map((one, index) => matchSupplier(one, bearers[index] ?? []));
  const isOpen = (index: number) => !found[index] && bearers[index]?.length === 0;
  const neighboursOf = await readNeighbours(
    catalogue,
    wanted.filter((_, index) => isOpen(index)),
  );
  return wanted.map((one, index) => {
    return isOpen(index) ? matchSupplier(one, neighboursOf(one)) : (found[index] ?? null);
  });
}
