import type { Database } from '../../../schema/database.ts';
import { codeOfRegionName, regionOfCode } from '../../../schema/regions.ts';
import type { SearchFilters } from '../../../search/engine.ts';
import { lookUpBuyer } from './find-organisation.ts';

/** Filters as they are applied: any identifier of a buyer becomes its buyer_id, a region takes the form in which it is kept. */
export async function effectiveFilters(catalogue: Database, filters: SearchFilters): Promise<SearchFilters> {
  const { buyer_id, region } = filters;
  const buyer = buyer_id === undefined ? undefined : await lookUpBuyer(catalogue, buyer_id);
  return {
    ...filters,
    ...(buyer && { buyer_id: buyer.id }),
    ...(region !== undefined && { region: keptRegion(region) }),
  };
}

/** A code as regions are kept under it (`UKI3` for `TLI3`), a region's name as its code, which finds what lies in it too. */
function keptRegion(region: string): string {
  return codeOfRegionName(region) ?? regionOfCode(region)?.code ?? region;
}
