import type { Database } from '../../../schema/database.ts';
import type { Match } from '../../../schema/details.ts';
import type { BuyerRow } from '../../reads/buyers.ts';
import { findBuyerByName, findCompanyByName, type NameAnswer } from './find-by-name.ts';
import { type KnownCompany, lookUpBuyer, lookUpCompany } from './find-organisation.ts';
import { type Nothing, noBuyer, noCompany } from './near-things.ts';

const CANDIDATES_MAX = 5;

/** A thing found by its id or by its name; the match and the alternatives only where it was by name. */
export interface Named<T> {
  kind: 'found';
  thing: T;
  match?: Match;
  alternatives?: { id: string; name: string }[];
}

/** The company that a number or a name leads to; below the stated score nothing, with candidates. */
export async function findCompanyGiven(
  catalogue: Database,
  given: { company_number?: string | undefined; name?: string | undefined },
): Promise<Named<KnownCompany> | Nothing> {
  if (given.company_number !== undefined) {
    const thing = await lookUpCompany(catalogue, given.company_number);
    return thing ? { kind: 'found', thing } : noCompany(catalogue, given.company_number);
  }
  const name = given.name ?? '';
  const answer = await findCompanyByName(catalogue, name);
  return byName('company', name, answer, answer.best && (await lookUpCompany(catalogue, answer.best.id)), (known) => [
    known.company?.id,
    known.company?.company_number,
    known.registered?.company_number,
  ]);
}

/** The buyer that an id or a name leads to; below the stated score nothing, with candidates. */
export async function findBuyerGiven(
  catalogue: Database,
  given: { buyer_id?: string | undefined; name?: string | undefined },
): Promise<Named<BuyerRow> | Nothing> {
  if (given.buyer_id !== undefined) {
    const thing = await lookUpBuyer(catalogue, given.buyer_id);
    return thing ? { kind: 'found', thing } : noBuyer(catalogue, given.buyer_id);
  }
  const name = given.name ?? '';
  const identified = await lookUpBuyer(catalogue, name);
  if (identified) return { kind: 'found', thing: identified };
  const answer = await findBuyerByName(catalogue, name);
  return byName('buyer', name, answer, answer.best && (await lookUpBuyer(catalogue, answer.best.id)), ({ id }) => [id]);
}

function byName<T>(
  what: string,
  name: string,
  { best, candidates }: NameAnswer,
  thing: T | undefined,
  ids: (thing: T) => (string | null | undefined)[],
): Named<T> | Nothing {
  if (!thing || !best) {
    const near = candidates.slice(0, CANDIDATES_MAX);
    return near.length > 0 ? { ...nothingAs(what, name), candidates: near } : nothingAs(what, name);
  }
  const alternatives = candidates.filter(({ id }) => !ids(thing).includes(id));
  return { kind: 'found', thing, match: best.match, ...(alternatives.length > 0 && { alternatives }) };
}

function nothingAs(what: string, given: string): Nothing {
  return { kind: 'nothing', message: `no ${what} is known as ${given}; send an id, or more of the full name` };
}
