import type { Services } from '../../contract/operation.ts';
import { readBuyerNames } from '../../reads/buyers.ts';
import { readActiveCompanies } from '../../reads/companies.ts';
import { formatNumbered } from '../components/format.ts';
import { facetBuyers } from '../filters/groups.ts';
import { findHits } from '../queries/hits.ts';
import type { NamedThing } from '../queries/names.ts';

const COMPANIES = 12;

/** Companies that won something last, for whoever has no name to look for yet. */
export async function findActiveCompanies({ catalogue, clocks }: Services): Promise<NamedThing[]> {
  const today = clocks.catalogueNow().toISOString().slice(0, 10);
  const rows = await readActiveCompanies(catalogue, today, COMPANIES);
  return rows.map(({ id, name, locality, contract_count, framework_places }) => ({
    id,
    name,
    facts: [locality],
    contractCount: contract_count,
    frameworkPlaces: framework_places,
  }));
}

/** Buyers with the most tenders that are open now. */
export async function findActiveBuyers(services: Services): Promise<NamedThing[]> {
  const { results } = await findHits(services, 'tenders', { query: '*' }, { limit: 1, facets: ['buyer_id'] });
  if (!results) return [];
  const names = await readBuyerNames(services.catalogue, facetBuyers(results.facets));
  return facetBuyers(results.facets).flatMap((id) => {
    const name = names.get(id);
    const open = formatNumbered(results.facets.buyer_id?.[id] ?? 0, 'open tender');
    return name ? [{ id, name, facts: [open], contractCount: 0, frameworkPlaces: 0 }] : [];
  });
}
