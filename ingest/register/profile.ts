import type { RegisterRecord } from '../../schema/catalogue/details.ts';
import { type JsonObject, listOf, numberOf, objectOf, textOf } from '../../schema/text/json-values.ts';

/** An API profile in the shape of a bulk row, for a company that no bulk file lists. Codes stay codes. */
export function recordOfProfile(profile: JsonObject, companyNumber: string): RegisterRecord {
  const accounts = objectOf(profile.accounts);
  const reference = objectOf(accounts?.accounting_reference_date);
  const last = objectOf(accounts?.last_accounts);
  return dropAbsent<RegisterRecord>({
    company_name: textOf(profile.company_name) ?? companyNumber,
    company_number: companyNumber,
    ...readAddress(objectOf(profile.registered_office_address)),
    category: textOf(profile.type),
    status: textOf(profile.company_status),
    dissolved: textOf(profile.date_of_cessation),
    incorporated: textOf(profile.date_of_creation),
    accounts: dropAbsent<RegisterRecord['accounts']>({
      reference_day: numberOf(reference?.day),
      reference_month: numberOf(reference?.month),
      next_due: textOf(objectOf(accounts?.next_accounts)?.due_on) ?? textOf(accounts?.next_due),
      last_made_up: textOf(last?.made_up_to),
      category: textOf(last?.type),
    }),
    sic_codes: listOf(profile.sic_codes, textOf).map((code) => ({ code })),
    previous_names: listOf(profile.previous_company_names, readPreviousName),
  });
}

function readAddress(address: JsonObject | undefined) {
  const line = [textOf(address?.premises), textOf(address?.address_line_1)].filter(Boolean).join(' ');
  return {
    care_of: textOf(address?.care_of),
    po_box: textOf(address?.po_box),
    address_line_1: line || undefined,
    address_line_2: textOf(address?.address_line_2),
    locality: textOf(address?.locality),
    county: textOf(address?.region),
    country: textOf(address?.country),
    postal_code: textOf(address?.postal_code)?.toUpperCase(),
  };
}

function readPreviousName(value: unknown): RegisterRecord['previous_names'][number] | undefined {
  const previous = objectOf(value);
  const name = textOf(previous?.name);
  return name ? dropAbsent({ name, ceased: textOf(previous?.ceased_on) }) : undefined;
}

type Loose<T> = { [K in keyof T]: T[K] | undefined };

/** The same without its absent members. */
function dropAbsent<T extends object>(members: Loose<T>): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
