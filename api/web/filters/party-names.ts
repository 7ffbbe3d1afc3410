import type { Database } from '../../../schema/db/interface.ts';
import { readBuyerNames } from '../../reads/buyers.ts';
import { readNamesOf } from '../../reads/names.ts';
import type { Query } from '../queries/hits.ts';
import { chosenParties } from './active.tsx';
import { type Counts, facetParties } from './groups.ts';

/** Names of the buyers and suppliers on a page. @param found - the buyer of a result, if it was chosen by another identifier than its id */
export async function readPartyNames(
  catalogue: Database,
  counts: Counts,
  query: Query,
  found: string | null | undefined,
): Promise<Map<string, string>> {
  const chosen = chosenParties('buyer', query);
  const companies = [...facetParties('company', counts), ...chosenParties('company', query)];
  const names = new Map([
    ...(await readBuyerNames(catalogue, [...facetParties('buyer', counts), ...chosen])),
    ...(companies.length > 0 ? await readNamesOf(catalogue, 'supplier', companies) : []),
  ]);
  for (const one of chosen) if (found && !names.has(one)) names.set(one, found);
  return names;
}
