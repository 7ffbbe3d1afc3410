import { z } from 'zod';
import { wonItem } from './contract-shapes.ts';
import { candidate, counterparty, frameworkReference, match, totals, yearTotal } from './shapes.ts';

const leftRegister = z
  .boolean()
  .optional()
  .describe('True where the newest edition lists it no more: what is said of it is what the last one said');

export const companyAnswer = z.object({
  id: z.string().describe('Stable and URL-safe; accepted wherever a company_number is'),
  name: z.string(),
  companies_house_number: z.string().optional(),
  is_sme: z.boolean().nullable().describe('null: not known'),
  locality: z.string().nullable(),
  is_sme_source: z.string().optional().describe('notice or accounts'),
  postcode: z.string().optional(),
  status: z.string().optional().describe('As Companies House shows it'),
  category: z.string().optional(),
  incorporated: z.string().optional(),
  left_register: leftRegister,
  contract_count: z.int(),
  also_known_as: z.array(z.string()).optional(),
  identifiers: z.array(z.object({ scheme: z.string(), id: z.string() })).optional(),
  url: z.string().optional(),
  notice_ids: z.array(z.string()).optional().describe('Notices of its newest contracts'),
  match: match.optional().describe('How the given name was tied to this company'),
  alternatives: z.array(candidate).optional(),
});

const coded = z.object({ code: z.string(), description: z.string().optional() });
const period = z.object({ next_due: z.string().optional(), last_made_up: z.string().optional() });

/** The whole Companies House record that is held, under one set of names whichever of the two services it came from. */
const registerFields = {
  status: z.string().optional(),
  status_detail: z.string().optional(),
  type: z.string().optional(),
  subtype: z.string().optional(),
  jurisdiction: z.string().optional(),
  country_of_origin: z.string().optional(),
  incorporated: z.string().optional(),
  dissolved: z.string().optional(),
  registered_office: z
    .object({
      care_of: z.string().optional(),
      po_box: z.string().optional(),
      line_1: z.string().optional(),
      line_2: z.string().optional(),
      locality: z.string().optional(),
      county: z.string().optional(),
      country: z.string().optional(),
      postal_code: z.string().optional(),
    })
    .optional(),
  accounts: period
    .extend({
      reference_day: z.number().optional(),
      reference_month: z.number().optional(),
      category: z.string().optional(),
      overdue: z.boolean().optional(),
    })
    .optional(),
  annual_return: period.optional(),
  confirmation_statement: period.extend({ overdue: z.boolean().optional() }).optional(),
  mortgages: z
    .object({
      charges: z.number().optional(),
      outstanding: z.number().optional(),
      part_satisfied: z.number().optional(),
      satisfied: z.number().optional(),
    })
    .optional(),
  has_charges: z.boolean().optional(),
  has_insolvency_history: z.boolean().optional(),
  limited_partnerships: z
    .object({ general_partners: z.number().optional(), limited_partners: z.number().optional() })
    .optional(),
  sic_codes: z.array(coded).optional(),
  previous_names: z.array(z.object({ name: z.string(), ceased: z.string().optional() })).optional(),
  register_url: z.string().optional(),
  register_edition: z.string().optional().describe('The bulk edition that last listed it'),
  left_register: leftRegister,
  profile_fetched_at: z.string().optional(),
};

export const companyCore = z.object({
  name: z.string(),
  company_number: z.string().optional(),
  id: z.string(),
  is_sme: z.boolean().nullable(),
  locality: z.string().nullable(),
  is_sme_source: z.string().optional(),
  postcode: z.string().optional(),
  also_known_as: z.array(z.string()).optional(),
  identifiers: z.array(z.object({ scheme: z.string(), id: z.string() })).optional(),
  url: z.string().optional(),
  notice_ids: z.array(z.string()).optional().describe('Notices of its newest contracts'),
  ...registerFields,
});

/** The paged list of a company, alone or inside its profile. */
const wonList = {
  contract_count: z.int().describe('All contracts won, each once'),
  items: z.array(wonItem),
  count: z.int().describe('Items in this answer'),
  next_cursor: z.string().optional(),
};

export const companyContractsAnswer = z.object({ ...wonList, company_id: z.string(), name: z.string() });

export const companyProfileAnswer = z.object({
  core: companyCore,
  contracts: z.object(wonList),
  totals,
  by_year: z.array(yearTotal),
  top_buyers: z.array(counterparty),
  frameworks: z.array(frameworkReference),
  match: match.optional(),
  alternatives: z.array(candidate).optional(),
});
