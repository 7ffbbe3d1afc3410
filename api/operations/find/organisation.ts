import type { Database } from '../../../schema/db/interface.ts';
import { parseCompanyNumber } from '../../../schema/text/ids.ts';
import { type BuyerRow, readBuyer, readBuyerByAlias, readBuyerNamed } from '../../reads/buyers.ts';
import {
  type CompanyRow,
  readCompany,
  readCompanyByAlias,
  readCompanyByNumber,
  readRegistered,
  readSicWords,
  type SicWords,
} from '../../reads/companies.ts';
import { bareSicCodes, type Registered, toRegistered } from '../register/answer.ts';

/** A known company: a supplier, a row of the Companies House register, or both. */
export type KnownCompany =
  | { company: CompanyRow; registered: Registered | undefined }
  | { company: undefined; registered: Registered };

const REGISTER_PREFIX = /^GB-COH-/i;
/** A text that may be a name: it has a word of three letters and is no identifier of a scheme. */
export const NAME = /^(?![A-Z]{2,3}-)(?=.*\p{L}{3}).{3,300}$/u;

/** The company behind a number (any case, padded or not), a company id or any identifier seen for it. */
export async function lookUpCompany(catalogue: Database, given: string): Promise<KnownCompany | undefined> {
  const number = parseCompanyNumber(given.replace(REGISTER_PREFIX, ''));
  const known = number ? await byNumber(catalogue, number) : undefined;
  return known ?? byIdentifier(catalogue, given);
}

/** Descriptions, from the register, of the SIC codes that a company's own record gives without one. */
export async function readSicWordsOf(catalogue: Database, { registered }: KnownCompany): Promise<SicWords> {
  return registered ? readSicWords(catalogue, bareSicCodes(registered)) : new Map();
}

/** The buyer behind its id or any identifier seen for it. */
export async function lookUpBuyerById(catalogue: Database, given: string): Promise<BuyerRow | undefined> {
  return (await readBuyer(catalogue, given)) ?? readBuyerByAlias(catalogue, given.toLowerCase());
}

/** The same; a name sent as an id leads to the buyer that bears it exactly. */
export async function lookUpBuyer(catalogue: Database, given: string): Promise<BuyerRow | undefined> {
  return (await lookUpBuyerById(catalogue, given)) ?? (NAME.test(given) ? readBuyerNamed(catalogue, given) : undefined);
}

/** The id of a known company: its own as a supplier, else the one its register number would give it. */
export function idOf({ company, registered }: KnownCompany): string {
  return company ? company.id : `GB-COH-${registered.company_number}`;
}

/** The name of a company: the register's where it is listed. */
export function nameOf({ company, registered }: KnownCompany): string {
  return registered?.name ?? company?.name ?? '';
}

/** How many contracts a company has, and places on frameworks; one that is in the register alone has none. */
export function awardsOf({ company }: KnownCompany): { contract_count: number; framework_places: number } {
  return { contract_count: company?.contract_count ?? 0, framework_places: company?.framework_places ?? 0 };
}

async function byNumber(catalogue: Database, number: string): Promise<KnownCompany | undefined> {
  const company = await readCompanyByNumber(catalogue, number);
  const registered = await findRegistered(catalogue, number);
  if (company) return { company, registered };
  return registered && { company: undefined, registered };
}

async function findRegistered(catalogue: Database, number: string): Promise<Registered | undefined> {
  const row = await readRegistered(catalogue, number);
  return row && toRegistered(row);
}

async function byIdentifier(catalogue: Database, given: string): Promise<KnownCompany | undefined> {
  const company = (await readCompany(catalogue, given)) ?? (await readCompanyByAlias(catalogue, given.toLowerCase()));
  if (!company) return undefined;
  const registered = company.company_number ? await findRegistered(catalogue, company.company_number) : undefined;
  return { company, registered };
}
