import type { Match } from '../../../schema/catalogue/details.ts';
import { isCommonName } from '../../../schema/names/buyers.ts';
import { nameKey } from '../../../schema/names/clean.ts';
import type { Candidate } from '../../contract/operation.ts';

/** A tie between namesakes that something other than the name decides, and what. */
export interface SettledTie {
  id: string;
  match: Match;
}

/** Below an exact name that is one organisation's alone, above the least score that is answered. */
const SCORE = 0.8;
/** Prefix of the ids of identities without a published identifier. */
const BY_NAME_ALONE = /^name-/;

/** The namesakes of a name, without those that are merely near it. */
export function namesakesOf<T extends { name: string }>(name: string, candidates: readonly T[]): T[] {
  const key = nameKey(name);
  return candidates.filter((one) => nameKey(one.name) === key);
}

/**
 * A public body is published under several numbers of several schemes, so of buyers with one name the one with most
 * awards is meant, and the rest are its alternatives. A name that many bodies may have (`Council`, a parish, a school)
 * does not say which one is meant; nor do two bodies with equally many awards.
 */
export function settleBuyers(name: string, namesakes: readonly Candidate[]): SettledTie | null {
  const [first, next] = namesakes.toSorted((one, other) => awardsOfCandidate(other) - awardsOfCandidate(one));
  if (!first || !next || isCommonName(nameKey(name))) return null;
  if (awardsOfCandidate(first) === awardsOfCandidate(next)) return null;
  return settled(name, first, `${namesakes.length} buyers are held under this name; this one has the most awards`);
}

/** Contracts and places on frameworks: how often it was awarded something, or awarded it. */
export function awardsOfCandidate({ contract_count = 0, framework_places = 0 }: Candidate): number {
  return contract_count + framework_places;
}

/** Two companies may share a name. Only one of them having a published identifier decides; the rest are sightings by name alone. */
export function settleCompanies(name: string, namesakes: readonly Candidate[]): SettledTie | null {
  const [first, ...more] = namesakes.filter(({ id }) => !BY_NAME_ALONE.test(id));
  if (!first || more.length > 0 || namesakes.length < 2) return null;
  return settled(name, first, `the only one of ${namesakes.length} under this name that has an identifier`);
}

function settled(name: string, { id, name: held }: Candidate, why: string): SettledTie {
  const evidence = [`asked for "${name}"`, `held as "${held}"`, why];
  return { id, match: { method: 'cleaned', score: SCORE, evidence } };
}
