import type { Database } from '../../../schema/database.ts';
import type { SearchFilters } from '../../../search/engine.ts';
import { lookUpBuyer } from './find-organisation.ts';

const ITL_CODE = /^TL(?=[A-Z]?\d{0,3}$)/i;

/** Filters as they are applied: any identifier of a buyer becomes its buyer_id, an ITL code takes the form in which regions are kept. */
export async function effectiveFilters(catalogue: Database, filters: SearchFilters): Promise<SearchFilters> {
  const { buyer_id, region } = filters;
  const buyer = buyer_id === undefined ? undefined : await lookUpBuyer(catalogue, buyer_id);
  return {
    ...filters,
    ...(buyer && { buyer_id: buyer.id }),
    ...(region !== undefined && { region: keptRegion(region) }),
  };
}

/** Codes were NUTS codes (`UKI3`) before they were ITL codes (`TLI3`); the services still write the former. */
function keptRegion(region: string): string {
  return ITL_CODE.test(region) ? region.replace(ITL_CODE, 'UK').toUpperCase() : region;
}
