import { idOf, type KnownCompany } from '../../schema/answers/known-company.ts';
import type { Match } from '../../schema/catalogue/details.ts';
import type { Database } from '../../schema/db/interface.ts';
import { sayBearers } from '../../search/names/match.ts';
import { CANDIDATES_MAX, type Candidate, type Nothing, nothingNear } from '../contract/operation.ts';
import type { BuyerRow } from '../reads/buyers.ts';
import { findBuyerByName, findCompanyByName, type NameAnswer, namesakesOf } from './by-name.ts';
import { lookUpBuyer, lookUpBuyerById, lookUpCompany, NAME } from './organisation.ts';

/** A thing found by its id or by its name. */
interface Named<T> {
  kind: 'found';
  thing: T;
  /** Fields of its answer; empty if it was found by its id. */
  named: { match?: Match; alternatives?: Candidate[] };
}

/** The company with a number or name; below the stated score nothing, with candidates. */
export async function findCompanyGiven(
  catalogue: Database,
  given: { company_number?: string | undefined; name?: string | undefined; postcode?: string | undefined },
): Promise<Named<KnownCompany> | Nothing> {
  if (given.company_number !== undefined) {
    const thing = await lookUpCompany(catalogue, given.company_number);
    return thing ? { kind: 'found', thing, named: {} } : noCompany(catalogue, given.company_number);
  }
  const name = given.name ?? '';
  const answer = await findCompanyByName(catalogue, name, given.postcode);
  // An answer that lists several companies with one name asks for the id of one: it may be sent as the name.
  const identified = answer.best ? undefined : await lookUpCompany(catalogue, name);
  if (identified) return { kind: 'found', thing: identified, named: {} };
  return toNamed('company', name, answer, answer.best && (await lookUpCompany(catalogue, answer.best.id)), idOf);
}

/** The buyer with an id or name; below the stated score nothing, with candidates. */
export async function findBuyerGiven(
  catalogue: Database,
  given: { buyer_id?: string | undefined; name?: string | undefined },
): Promise<Named<BuyerRow> | Nothing> {
  if (given.buyer_id !== undefined) {
    const thing = await lookUpBuyer(catalogue, given.buyer_id);
    return thing ? { kind: 'found', thing, named: {} } : noBuyer(catalogue, given.buyer_id);
  }
  const name = given.name ?? '';
  const identified = await lookUpBuyerById(catalogue, name);
  if (identified) return { kind: 'found', thing: identified, named: {} };
  const answer = await findBuyerByName(catalogue, name);
  return toNamed('buyer', name, answer, answer.best && (await lookUpBuyer(catalogue, answer.best.id)), ({ id }) => id);
}

/** No company has this number or id, but it may be a name: similar companies, and how to look them up. */
export async function noCompany(catalogue: Database, given: string): Promise<Nothing> {
  const message = `no company is known as ${given}`;
  if (await lookUpBuyerById(catalogue, given))
    return { kind: 'nothing', message: `${message}: it is a buyer; {lookup_buyer} takes its id` };
  const { candidates } = NAME.test(given) ? await findCompanyByName(catalogue, given) : { candidates: [] };
  return nothingNear(message, '{search_companies} finds companies by name', candidates);
}

/** No buyer has this id, but it may be a name: similar buyers, and how to look them up. */
export async function noBuyer(catalogue: Database, given: string): Promise<Nothing> {
  const message = `no buyer is known as ${given}`;
  if (await lookUpCompany(catalogue, given))
    return { kind: 'nothing', message: `${message}: it is a company; {lookup_company} takes its id` };
  const { candidates } = NAME.test(given) ? await findBuyerByName(catalogue, given) : { candidates: [] };
  return nothingNear(message, '{search_buyers} finds buyers by name', candidates);
}

function toNamed<T>(
  what: string,
  name: string,
  { best, candidates }: NameAnswer,
  thing: T | undefined,
  idOfThing: (thing: T) => string,
): Named<T> | Nothing {
  if (!thing || !best) return noneNamed(what, name, candidates);
  const alternatives = candidates.filter(({ id }) => id !== idOfThing(thing));
  return { kind: 'found', thing, named: { match: best.match, ...(alternatives.length > 0 && { alternatives }) } };
}

/** A name does not identify one company or buyer; those with similar names. */
export function noneNamed(what: string, name: string, candidates: readonly Candidate[]): Nothing {
  const near = candidates.slice(0, CANDIDATES_MAX);
  const same = namesakesOf(name, near).length;
  if (same > 1) return { kind: 'nothing', message: severalBear(what, name, same), candidates: near };
  return near.length > 0 ? { ...nothingAs(what, name), candidates: near } : nothingAs(what, name);
}

function severalBear(what: string, name: string, count: number): string {
  const said = sayBearers(what === 'company' ? 'companies' : 'buyers', count, `the name ${name}`);
  return `${said}; send the id of a candidate`;
}

function nothingAs(what: string, given: string): Nothing {
  return { kind: 'nothing', message: `no ${what} is known as ${given}; send an id, or more of the full name` };
}
