import { type KnownCompany, readKnownCompany, readRegistered } from '../../schema/answers/known-company.ts';
import type { Database } from '../../schema/db/interface.ts';
import { parseCompanyNumber, spellId } from '../../schema/text/ids.ts';
import { type BuyerRow, readBuyer, readBuyerByAlias, readBuyerNamed } from '../reads/buyers.ts';
import { readCompany, readCompanyByAlias } from '../reads/companies.ts';

const REGISTER_PREFIX = /^GB-COH-/i;
/** A text that may be a name: it has a word of three letters and is not an identifier. */
export const NAME = /^(?![A-Z]{2,3}-)(?=.*\p{L}{3}).{3,300}$/u;

/** A text as a company number in its 8-character form; null where it is not one. */
export function numberIn(given: string): string | null {
  return parseCompanyNumber(given.replace(REGISTER_PREFIX, ''));
}

/** The company with a number (any case, padded or not), an id or any known identifier; undefined where there is none. */
export async function lookUpCompany(catalogue: Database, given: string): Promise<KnownCompany | undefined> {
  const number = numberIn(given);
  const known = number ? await readKnownCompany(catalogue, number) : undefined;
  return known ?? byIdentifier(catalogue, given);
}

/** The buyer with an id or any known identifier; undefined where there is none. */
export async function lookUpBuyerById(catalogue: Database, given: string): Promise<BuyerRow | undefined> {
  return (await readBuyer(catalogue, given)) ?? byAlias(given, (alias) => readBuyerByAlias(catalogue, alias));
}

/** The same buyer; a name sent as an id leads to the buyer with exactly this name. Undefined where there is none. */
export async function lookUpBuyer(catalogue: Database, given: string): Promise<BuyerRow | undefined> {
  return (await lookUpBuyerById(catalogue, given)) ?? (NAME.test(given) ? readBuyerNamed(catalogue, given) : undefined);
}

async function byIdentifier(catalogue: Database, given: string): Promise<KnownCompany | undefined> {
  const company =
    (await readCompany(catalogue, given)) ?? (await byAlias(given, (alias) => readCompanyByAlias(catalogue, alias)));
  if (!company) return undefined;
  const registered = company.company_number ? await readRegistered(catalogue, company.company_number) : undefined;
  return { company, registered };
}

/** What an identifier leads to as it is given, otherwise as identities spell it. */
async function byAlias<T>(given: string, read: (alias: string) => Promise<T | undefined>): Promise<T | undefined> {
  return (await read(given.toLowerCase())) ?? read(spellId(given).toLowerCase());
}
