import { z } from 'zod';
import type { OrganisationDetail } from '../catalogue/details.ts';
import { SME_SOURCES, type SmeSource } from '../catalogue/enums.ts';
import { isSmeByAccounts } from '../reference/company-size.ts';
import { awardsOf, idOf, type KnownCompany, nameOf, type SicWords } from './known-company.ts';
import { fromJson, omitEmpty, withScheme } from './omit-empty.ts';
import { registerFields, toRegisterFields } from './register/record.ts';
import { candidate, match, publishedIdentifier, publishedName } from './shapes.ts';

export const smeSource = z.enum(SME_SOURCES);
const is_sme_source = smeSource
  .optional()
  .describe(
    'notice: a notice said so; accounts: it files accounts that only a small or medium company may ' +
      '(micro-entity, small, medium, total or partial exemption, abridged). Full accounts tell nothing',
  );

/** What notices say of a company, and then its Companies House record. */
const recordFields = {
  also_known_as: z.array(z.string()).optional(),
  identifiers: z.array(publishedIdentifier).optional(),
  names: z.array(publishedName).optional().describe('As published, the latest first'),
  url: z.string().optional(),
  notice_ids: z
    .array(z.string())
    .optional()
    .describe('Notices of its newest contracts; without any, the latest that name it'),
  ...registerFields,
};

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
  ...recordFields,
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
  ...recordFields,
});

/** What a brief answer keeps of a company's register record. */
export const REGISTER_KEPT = [
  'postcode',
  'status',
  'status_detail',
  'type',
  'incorporated',
  'dissolved',
  'sic_codes',
  'sic_codes.description',
  'accounts',
  'accounts.category_label',
  'accounts.last_made_up',
  'accounts.overdue',
  'confirmation_statement',
  'confirmation_statement.overdue',
  'has_insolvency_history',
  'has_charges',
  'left_register',
  'url',
] as const;

/** The company answer without its match. */
export function toCompanyAnswer(known: KnownCompany, sicWords: SicWords): z.input<typeof companyAnswer> {
  const register = registerOf(known, sicWords);
  return {
    ...identityOf(known),
    ...awardsOf(known),
    ...omitEmpty({ companies_house_number: numberOf(known), category: register.type }),
    ...descriptionOf(known),
    ...register,
  };
}

/** The core of a profile: what notices say about the company, and its whole register record. */
export function toCompanyCore(known: KnownCompany, sicWords: SicWords): z.input<typeof companyCore> {
  return {
    ...identityOf(known),
    ...omitEmpty({ company_number: numberOf(known) }),
    ...descriptionOf(known),
    ...registerOf(known, sicWords),
  };
}

function registerOf({ registered }: KnownCompany, sicWords: SicWords): ReturnType<typeof toRegisterFields> {
  return registered ? toRegisterFields(registered, sicWords) : {};
}

function identityOf(known: KnownCompany) {
  const { company, registered } = known;
  return {
    id: idOf(known),
    name: nameOf(known),
    is_sme: sizeOf(known)?.isSme ?? null,
    locality: company?.locality ?? registered?.locality ?? null,
  };
}

/** As a notice says, otherwise as its accounts suggest; for a company that never won, only the register row is known. */
function sizeOf({ company, registered }: KnownCompany): { isSme: boolean; source: SmeSource | undefined } | null {
  if (company && company.is_sme !== null) {
    const { is_sme_source: source } = fromJson<Partial<OrganisationDetail>>(company.detail);
    return { isSme: company.is_sme === 1, source };
  }
  if (registered?.gone !== 0) return null;
  const isSme = isSmeByAccounts(registered.record.accounts?.category);
  return isSme && { isSme, source: 'accounts' };
}

function numberOf({ company, registered }: KnownCompany): string | null {
  return company?.company_number ?? registered?.company_number ?? null;
}

function descriptionOf(known: KnownCompany) {
  const { company, registered } = known;
  const detail = fromJson<Partial<OrganisationDetail>>(company?.detail ?? '{}');
  const names = [company?.name, ...(detail.also_known_as ?? [])].filter((name) => name !== undefined);
  return omitEmpty({
    is_sme_source: sizeOf(known)?.source,
    postcode: company?.postcode ?? registered?.postcode,
    also_known_as: [...new Set(names)].filter((name) => name !== nameOf(known)),
    identifiers: withScheme(detail.identifiers),
    names: detail.names,
    url: detail.url,
    notice_ids: detail.notice_ids,
  });
}
