import type { z } from 'zod';
import type { OrganisationDetail } from '../../../schema/catalogue/details.ts';
import type { SmeSource } from '../../../schema/catalogue/enums.ts';
import { isSmeByAccounts } from '../../../schema/reference/company-size.ts';
import type { SicWords } from '../../reads/companies.ts';
import { awardsOf, idOf, type KnownCompany, nameOf } from '../find/organisation.ts';
import { toRegisterFields } from '../register/rows.ts';
import { fromJson, omitEmpty, withScheme } from '../shared/omit-empty.ts';
import type { companyAnswer, companyCore } from './shapes.ts';

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

/** The core of a profile: what notices say of the company and its whole register record. */
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

/** As a notice says, else as the accounts tell; a company that never won has its register row alone. */
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
