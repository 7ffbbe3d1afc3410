import { z } from 'zod';
import { fromJson, omitEmpty, withScheme } from '../../../schema/answers/omit-empty.ts';
import {
  candidate,
  counterparty,
  frameworkReference,
  match,
  publishedIdentifier,
  publishedName,
  totals,
  yearTotal,
} from '../../../schema/answers/shapes.ts';
import type { OrganisationDetail } from '../../../schema/catalogue/details.ts';
import { BUYER_KINDS, KIND_SOURCES } from '../../../schema/catalogue/enums.ts';
import { BUYER_SCOPES } from '../../../schema/names/public-bodies.ts';
import { widerRegionOf } from '../../../schema/reference/regions.ts';
import type { BuyerRow } from '../../reads/buyers.ts';
import { issuedItem } from '../contracts/item-shapes.ts';
import { nation, region } from '../shared/notice-shapes.ts';

export const buyerAddress = z.object({
  street: z.string().optional(),
  locality: z.string().optional(),
  postcode: z.string().optional(),
  country: z.string().optional(),
});

export const buyerScope = z.enum(BUYER_SCOPES);
export const buyerKind = z.enum(BUYER_KINDS);
export const buyerKindSource = z.enum(KIND_SOURCES);

const buyerFields = {
  buyer_id: z.string().describe('Stable and URL-safe'),
  name: z.string(),
  region: z.string().nullable().describe('Of its own addresses, by majority; null for a body that acts nationally'),
  region_code: z
    .string()
    .optional()
    .describe('ITL or NUTS code at the level that notices state, from the postcode else'),
  nation: nation.optional(),
  wider_region: region.optional().describe('The ITL level 1 region it lies in'),
  scope: buyerScope
    .nullable()
    .describe(
      'How far it acts: national; regional (a nation, a region, several council areas); local (one place); null where unknown',
    ),
  kind: buyerKind.optional().describe('What kind of body it is; absent where nothing tells it'),
  kind_source: buyerKindSource.optional().describe('What says so'),
  also_known_as: z.array(z.string()).optional(),
  identifiers: z.array(publishedIdentifier).optional(),
  names: z.array(publishedName).optional().describe('As published, the latest first'),
  address: buyerAddress.optional(),
  url: z.string().optional(),
  notice_ids: z
    .array(z.string())
    .optional()
    .describe('Notices of its newest contracts; without any, the latest that name it'),
};

const named = {
  match: match.optional().describe('How the given name was tied to this buyer'),
  alternatives: z.array(candidate).optional(),
};

export const buyerAnswer = z.object({ ...buyerFields, contract_count: z.int(), framework_places: z.int(), ...named });

const issuedList = {
  contract_count: z.int().describe('All contracts issued, each once'),
  framework_places: z.int().describe('Items of the list that award places on a framework'),
  items: z.array(issuedItem),
  count: z.int().describe('Items in this answer'),
  next_cursor: z.string().optional(),
};

export const buyerContractsAnswer = z.object({ ...issuedList, buyer_id: z.string(), name: z.string() });

export const buyerCore = z.object(buyerFields);
export const issuedContracts = z.object(issuedList);

export const buyerProfileAnswer = z.object({
  core: buyerCore,
  contracts: issuedContracts,
  totals,
  by_year: z.array(yearTotal),
  top_suppliers: z.array(counterparty),
  frameworks: z.array(frameworkReference),
});

/** The facts about the buyer itself. */
export function toBuyerCore(row: BuyerRow): z.input<typeof buyerProfileAnswer>['core'] {
  const detail = fromJson<Partial<OrganisationDetail>>(row.detail);
  return {
    buyer_id: row.id,
    name: row.name,
    region: row.region,
    scope: detail.scope ?? null,
    ...omitEmpty({
      region_code: row.region_code,
      nation: row.nation,
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
