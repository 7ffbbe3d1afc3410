import type { z } from 'zod';
import type { OrganisationDetail } from '../../../schema/details.ts';
import type { companyAnswer, companyCore } from './company-shapes.ts';
import { idOf, type KnownCompany, nameOf } from './find-organisation.ts';
import { fromJson, held, withScheme } from './held.ts';
import { toRegisterFields } from './register-rows.ts';

/** The company answer without its match. */
export function toCompanyAnswer(known: KnownCompany): z.input<typeof companyAnswer> {
  const { company, registered } = known;
  return {
    ...identityOf(known),
    contract_count: company?.contract_count ?? 0,
    ...held({
      companies_house_number: numberOf(known),
      status: registered?.status,
      category: registered?.category,
      incorporated: registered?.incorporated,
      left_register: registered?.gone === 1 ? true : null,
    }),
    ...descriptionOf(known),
  };
}

/** The core of a profile: what notices say of the company and its whole register record. */
export function toCompanyCore(known: KnownCompany): z.input<typeof companyCore> {
  return {
    ...identityOf(known),
    ...held({ company_number: numberOf(known) }),
    ...descriptionOf(known),
    ...(known.registered && toRegisterFields(known.registered)),
  };
}

function identityOf(known: KnownCompany) {
  const { company, registered } = known;
  const sme = company?.is_sme ?? null;
  return {
    id: idOf(known),
    name: nameOf(known),
    is_sme: sme === null ? null : sme === 1,
    locality: company?.locality ?? registered?.locality ?? null,
  };
}

function numberOf({ company, registered }: KnownCompany): string | null {
  return company?.company_number ?? registered?.company_number ?? null;
}

function descriptionOf(known: KnownCompany) {
  const { company, registered } = known;
  const detail = fromJson<Partial<OrganisationDetail>>(company?.detail ?? '{}');
  const names = [company?.name, ...(detail.also_known_as ?? [])].filter((name) => name !== undefined);
  return held({
    is_sme_source: company?.is_sme === null ? null : detail.is_sme_source,
    postcode: company?.postcode ?? registered?.postcode,
    also_known_as: [...new Set(names)].filter((name) => name !== nameOf(known)),
    identifiers: withScheme(detail.identifiers),
    url: detail.url,
    notice_ids: detail.notice_ids,
  });
}
