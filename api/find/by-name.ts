import { awardsOf, idOf, type KnownCompany } from '../../schema/answers/known-company.ts';
import { omitEmpty } from '../../schema/answers/omit-empty.ts';
import { labelOf } from '../../schema/answers/register/labels.ts';
import type { Match } from '../../schema/catalogue/details.ts';
import type { Database } from '../../schema/db/interface.ts';
import { isCommonName } from '../../schema/names/buyers.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { findBuyer } from '../../search/names/buyers.ts';
import { type FoundCompany, findCompany } from '../../search/names/companies.ts';
import type { Candidate } from '../contract/operation.ts';
import { lookUpBuyer, lookUpCompany } from './organisation.ts';

/** The result for a name. Without `best`, no candidate is certain enough to be answered and charged as a fact. */
export interface NameAnswer {
  best?: { id: string; match: Match };
  /** In the order in which a person would choose; their ids can be looked up. */
  candidates: Candidate[];
}

/** The best match for a company name among suppliers and the register; a postcode separates companies with the same name. */
export async function findCompanyByName(catalogue: Database, name: string, postcode?: string): Promise<NameAnswer> {
  return answerCompany(catalogue, name, await findCompany(catalogue, name, postcode));
}

/** The result for a name, with what a person would choose by. */
export async function answerCompany(catalogue: Database, name: string, found: FoundCompany): Promise<NameAnswer> {
  const known = await Promise.all(found.candidates.map(({ id }) => lookUpCompany(catalogue, id)));
  const near = found.candidates.map((one, at) => ({ ...one, ...describeCompany(known[at]) }));
  const candidates = eachOnce(name, near);
  const best = bestOf(found);
  if (best) return { best, candidates };
  const tie = breakCompanyTie(name, namesakesOf(name, candidates));
  return tie ? { best: tie, candidates } : { candidates };
}

/** The intended company, if one is certain. */
export function bestOf({ best }: FoundCompany): NameAnswer['best'] {
  const id = best?.company_id ?? best?.company_number;
  return best && id ? { id, match: matchOf(best) } : undefined;
}

/** The best match of a buyer's name. */
export async function findBuyerByName(catalogue: Database, name: string): Promise<NameAnswer> {
  const { best, candidates: found } = await findBuyer(catalogue, name);
  const known = await Promise.all(found.map(({ id }) => lookUpBuyer(catalogue, id)));
  const near = found.map((one, at) => {
    const buyer = known[at];
    if (!buyer) return one;
    return { ...one, ...countedOf(buyer), ...omitEmpty({ place: buyer.region }) };
  });
  const candidates = eachOnce(name, near);
  if (best) return { best: { id: best.buyer_id, match: matchOf(best) }, candidates };
  const tie = breakBuyerTie(name, namesakesOf(name, candidates));
  return tie ? { best: tie, candidates } : { candidates };
}

function describeCompany(known: KnownCompany | undefined): Partial<Candidate> {
  if (!known) return {};
  const { company, registered } = known;
  return {
    id: idOf(known),
    ...countedOf(awardsOf(known)),
    ...omitEmpty({
      place: company?.locality ?? registered?.locality,
      status: labelOf('company_status', registered?.status),
    }),
  };
}

/** A candidate's awards; places on frameworks only where there are any. */
function countedOf({ contract_count, framework_places }: ReturnType<typeof awardsOf>): Partial<Candidate> {
  return { contract_count, ...(framework_places > 0 && { framework_places }) };
}

/** Each once, as a register row and a supplier may be one company. Among companies with the same name and as many awards, those with contracts come first. */
function eachOnce(name: string, near: readonly Candidate[]): Candidate[] {
  const each = [...new Map(near.map((one) => [one.id, one])).values()];
  const same = namesakesOf(name, each);
  const contracts = ({ contract_count = 0 }: Candidate) => contract_count;
  const byAwards = same.toSorted((a, b) => awardsOfCandidate(b) - awardsOfCandidate(a) || contracts(b) - contracts(a));
  return [...byAwards, ...each.filter((one) => !same.includes(one))];
}

function matchOf({ method, score, evidence }: Match): Match {
  return { method, score, evidence };
}

/** The organisation that other evidence chooses among several with the same name, and that evidence. */
interface TieBreak {
  id: string;
  match: Match;
}

/** Below an exact and unique name, above the lowest score that is answered. */
const SCORE = 0.8;
/** Prefix of the ids of identities without a published identifier. */
const BY_NAME_ALONE = /^name-/;

/** The candidates with exactly this name, without merely similar ones. */
export function namesakesOf<T extends { name: string }>(name: string, candidates: readonly T[]): T[] {
  const key = nameKey(name);
  return candidates.filter((one) => nameKey(one.name) === key);
}

/**
 * A public body is published under several numbers of several schemes. So among buyers with one name the one with most awards is
 * meant, and the rest are its alternatives. A name that many bodies may have (`Council`, a parish, a school) does not identify
 * one; nor do two bodies with equally many awards.
 */
function breakBuyerTie(name: string, namesakes: readonly Candidate[]): TieBreak | null {
  const [first, next] = namesakes.toSorted((one, other) => awardsOfCandidate(other) - awardsOfCandidate(one));
  if (!first || !next || isCommonName(nameKey(name))) return null;
  if (awardsOfCandidate(first) === awardsOfCandidate(next)) return null;
  return toTieBreak(name, first, `${namesakes.length} buyers are held under this name; this one has the most awards`);
}

/** Contracts and places on frameworks: how many awards it won or made. */
function awardsOfCandidate({ contract_count = 0, framework_places = 0 }: Candidate): number {
  return contract_count + framework_places;
}

/** Two companies may share a name. If only one has a published identifier, it is meant; the rest are sightings by name alone. */
function breakCompanyTie(name: string, namesakes: readonly Candidate[]): TieBreak | null {
  const [first, ...more] = namesakes.filter(({ id }) => !BY_NAME_ALONE.test(id));
  if (!first || more.length > 0 || namesakes.length < 2) return null;
  return toTieBreak(name, first, `the only one of ${namesakes.length} under this name that has an identifier`);
}

function toTieBreak(name: string, { id, name: storedName }: Candidate, why: string): TieBreak {
  const evidence = [`asked for "${name}"`, `held as "${storedName}"`, why];
  return { id, match: { method: 'cleaned', score: SCORE, evidence } };
}
