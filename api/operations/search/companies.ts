import { z } from 'zod';
import { omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { COMPANY_STATUSES } from '../../../schema/reference/company-status.ts';
import { COMPANY_FILTERS } from '../../../search/filters/listed.ts';
import { splitList } from '../../../search/filters/shapes.ts';
import type { ListedCompanies } from '../../contract/long-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { inputsOf } from '../../validation/inputs.ts';
import { checkPair, effectiveFilters } from '../filters/apply.ts';
import { findUnknownFilters } from '../filters/known.ts';
import { namesOf, queryWords } from '../shared/inputs.ts';
import { listCursor, listLimit, listOf, listQuery, readCursor, toListAnswer } from './list-pages.ts';

/** The filters of a list of companies. */
export const companyFilters = inputsOf(COMPANY_FILTERS);

const input = z.strictObject({
  query: listQuery.meta({
    description: 'Words of its name, or number',
    examples: ['Quayside'],
  }),
  ...companyFilters,
  limit: listLimit,
  cursor: listCursor,
});
type CompanyFilters = Omit<z.output<typeof input>, 'query' | 'limit' | 'cursor'>;

export const companyStatus = z.enum(COMPANY_STATUSES);
export const listedCompany = z.object({
  id: z.string(),
  name: z.string(),
  companies_house_number: z.string().optional(),
  status: companyStatus.optional().describe('In the register; absent where it is not listed there'),
  region: z.string().nullable().describe('The ITL level 1 region of its postcode'),
  region_code: z.string().optional(),
  locality: z.string().nullable(),
  postcode: z.string().optional(),
  is_sme: z.boolean().nullable(),
  incorporated: z.string().optional(),
  sic_code_list: z.array(z.string()).describe('SIC codes'),
  contract_count: z.int(),
  framework_places: z.int(),
  value: z.number().optional().describe('Of its contracts whose value may be added up, in pounds'),
  currency: z.string().optional(),
  last_award: z.string().optional().describe('The day of its newest contract or place on a framework, in London'),
});

export const searchCompanies = defineOperation({
  name: 'search_companies',
  title: 'Search companies',
  description:
    'Use this to find companies by name, trade (SIC), place, age, size or what they won; most contracts first. Counts and value are of all they won. ' +
    'Take id to {company_profile}.',
  credits: 2,
  input,
  filters: COMPANY_FILTERS,
  output: listOf(listedCompany),
  bindings: [
    {
      method: 'GET',
      path: '/companies',
      operationId: 'list_companies',
      summary: 'Companies by name, trade, region, status and what they won',
      description:
        'Lists the companies whose name or former name has these words or begins with them, or whose number does, narrowed by SIC code, region, postcode, status, age, size and what they won. The exact name comes first, then those with most contracts, then those that are active. Suppliers are found by any word of their names; companies that never won anything by how their name, former name or number begins, or without a query by the other filters alone. cpv, won_from and won_to look for one contract or place on a framework of that kind within those days; counts and value are of everything that a company won. For the next page, send next_cursor as cursor.',
      inputs: namesOf(input),
      example: { limit: 2 },
    },
  ],
  stated: ['items.id', 'items.name', 'items.status', 'items.contract_count', 'items.value', 'total', 'next_cursor'],
  toolDefaults: { limit: 15 },
  example: { limit: 2 },
  check: checkCompanyDays,
  async run({ query: asked, limit, cursor, ...given }, services) {
    const query = queryWords(asked);
    const filters = await appliedToCompanies(services.catalogue, given);
    const list = { name: 'companies', query, filters };
    const after = readCursor(services, list, cursor);
    const found = await services.longReads.listCompanies({ ...filters, query, limit, after });
    const { region, cpv } = filters;
    const unknown = await findUnknownFilters(
      services.catalogue,
      { region, cpv },
      { dataset: 'companies', found: found.total > 0 },
    );
    return toListAnswer(found.entries.map(toItem), found, { services, list, unknown });
  },
});

/** Filters as the list compares them. */
export async function appliedToCompanies(catalogue: Database, { region, cpv, ...given }: CompanyFilters) {
  const split = (list: string | undefined) => (list ? splitList(list) : undefined);
  const [sic, status, postcode] = [given.sic, given.status, given.postcode].map(split);
  return { ...given, ...(await effectiveFilters(catalogue, { region, cpv })), sic, status, postcode };
}

/** @throws InvalidInput for a first day after the last */
export function checkCompanyDays(given: CompanyFilters): void {
  checkPair(['incorporated_from'], given.incorporated_from, 'incorporated_to', given.incorporated_to);
  checkPair(['won_from'], given.won_from, 'won_to', given.won_to);
}

function toItem(entry: ListedCompanies['entries'][number]): z.input<typeof listedCompany> {
  return {
    id: entry.id,
    name: entry.name,
    ...omitEmpty({
      companies_house_number: entry.company_number,
      status: entry.status,
      region_code: entry.region_code,
      postcode: entry.postcode,
      incorporated: entry.incorporated,
      last_award: entry.last_award,
    }),
    region: entry.region,
    locality: entry.locality,
    is_sme: entry.is_sme,
    sic_code_list: entry.sic_codes,
    contract_count: entry.contract_count,
    framework_places: entry.framework_places,
    ...(entry.value !== null && { value: entry.value, currency: 'GBP' }),
  };
}
