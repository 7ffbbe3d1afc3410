import { z } from 'zod';
import { SME_SOURCES } from '../../../schema/catalogue/enums.ts';
import { registerFields } from '../register/shapes.ts';
import { candidate, match, publishedIdentifier, publishedName } from '../shared/shapes.ts';

export const smeSource = z.enum(SME_SOURCES);
const is_sme_source = smeSource
  .optional()
  .describe(
    'notice: a notice said so; accounts: it files accounts that only a small or medium company may ' +
      '(micro-entity, small, medium, total or partial exemption, abridged). Full accounts tell nothing',
  );

export const companyAnswer = z.object({
  id: z.string().describe('Stable and URL-safe; accepted wherever a company_number is'),
  name: z.string(),
  companies_house_number: z.string().optional(),
  is_sme: z.boolean().nullable().describe('null: not known'),
  locality: z.string().nullable(),
  is_sme_source,
  postcode: z.string().optional(),
  category: z.string().optional().describe('The same as type'),
  contract_count: z.int(),
  framework_places: z.int(),
  also_known_as: z.array(z.string()).optional(),
  identifiers: z.array(publishedIdentifier).optional(),
  names: z.array(publishedName).optional().describe('As published, the latest first'),
  url: z.string().optional(),
  notice_ids: z.array(z.string()).optional().describe('Notices of its newest contracts'),
  ...registerFields,
  match: match.optional().describe('How the given name was tied to this company'),
  alternatives: z.array(candidate).optional(),
});

export const companyCore = z.object({
  name: z.string(),
  company_number: z.string().optional(),
  id: z.string(),
  is_sme: z.boolean().nullable(),
  locality: z.string().nullable(),
  is_sme_source,
  postcode: z.string().optional(),
  also_known_as: z.array(z.string()).optional(),
  identifiers: z.array(publishedIdentifier).optional(),
  names: z.array(publishedName).optional().describe('As published, the latest first'),
  url: z.string().optional(),
  notice_ids: z.array(z.string()).optional().describe('Notices of its newest contracts'),
  ...registerFields,
});

/** What a brief answer keeps of a company's register record. */
export const REGISTER_KEPT = [
  'postcode',
  'status',
  'type',
  'incorporated',
  'dissolved',
  'sic_codes',
  'sic_codes.description',
  'accounts',
  'accounts.category_label',
  'accounts.last_made_up',
  'accounts.overdue',
  'has_insolvency_history',
  'has_charges',
  'left_register',
  'url',
] as const;
