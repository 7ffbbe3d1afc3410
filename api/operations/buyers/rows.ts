import type { z } from 'zod';
import type { OrganisationDetail } from '../../../schema/catalogue/details.ts';
import { widerRegionOf } from '../../../schema/reference/regions.ts';
import type { BuyerRow } from '../../reads/buyers.ts';
import { fromJson, omitEmpty, withScheme } from '../shared/omit-empty.ts';
import type { buyerAnswer, buyerProfileAnswer } from './shapes.ts';

/** What we know of a buyer itself. */
export function toBuyerCore(row: BuyerRow): z.input<typeof buyerProfileAnswer>['core'] {
  const detail = fromJson<Partial<OrganisationDetail>>(row.detail);
  return {
    buyer_id: row.id,
    name: row.name,
    region: row.region,
    scope: detail.scope ?? null,
    ...omitEmpty({
      region_code: row.region_code,
      wider_region: widerRegionOf(row.region_code ?? undefined),
      kind: row.kind,
      kind_source: detail.kind_source,
      also_known_as: detail.also_known_as?.filter((name) => name !== row.name),
      identifiers: withScheme(detail.identifiers),
      names: detail.names,
      address: detail.address,
      url: detail.url,
      notice_ids: detail.notice_ids,
    }),
  };
}

/** The buyer answer without its match. */
export function toBuyerAnswer(row: BuyerRow): z.input<typeof buyerAnswer> {
  return { ...toBuyerCore(row), contract_count: row.contract_count, framework_places: row.framework_places };
}
