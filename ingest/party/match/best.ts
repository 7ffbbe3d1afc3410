import type { LookUp } from './look-up.ts';
import {
  byDistrict,
  byFullName,
  byNameAlone,
  byNearName,
  byPreviousAtPostcode,
  byPreviousFullName,
  byPreviousInDistrict,
  bySamePostcode,
  byShortNameInDistrict,
  type Found,
} from './methods.ts';
import type { Candidate, RegisterMatch, RegisterMethod } from './types.ts';

/** A match below this score is none: the supplier stays `unmatched`. */
export const ACCEPT = 0.95;

/**
 * How sure each method is: what the benchmark measured on a generated register, rounded down, and less where the world
 * holds what that register does not. The last two are measured and not believed.
 */
export const REGISTER_SCORES: Readonly<Record<RegisterMethod, number>> = {
  name_postcode: 0.99,
  previous_name_postcode: 0.98,
  name_district: 0.98,
  full_name: 0.98,
  previous_name_district: 0.97,
  previous_full_name: 0.96,
  near_name: 0.96,
  short_name_district: 0.9,
  name_alone: 0.7,
};

type Step = readonly [RegisterMethod, (asked: LookUp, candidates: readonly Candidate[]) => Found[]];

/** The ways to know a company, surest first. */
const STEPS: readonly Step[] = [
  ['name_postcode', bySamePostcode],
  ['previous_name_postcode', byPreviousAtPostcode],
  ['name_district', byDistrict],
  ['full_name', byFullName],
  ['previous_name_district', byPreviousInDistrict],
  ['previous_full_name', byPreviousFullName],
  ['near_name', byNearName],
  ['short_name_district', byShortNameInDistrict],
  ['name_alone', byNameAlone],
];

/** Methods that rest on a place: no company of another name can take such a match away. */
const PLACED: ReadonlySet<RegisterMethod> = new Set(['name_postcode', 'previous_name_postcode', 'name_district']);

/** Whether a match rests on the company's place. */
export function isPlaced({ method }: RegisterMatch): boolean {
  return PLACED.has(method);
}

/**
 * The company that a supplier without a number is, or null: never one of two that are equally good, and never a company
 * that did not exist yet or had gone. The first method that finds anything decides.
 * @param candidates companies that bear or bore such a name, and those of its block
 * @param least score from which a method is believed
 */
export function matchSupplier(
  asked: LookUp,
  candidates: readonly Candidate[],
  least: number = ACCEPT,
): RegisterMatch | null {
  for (const [method, find] of STEPS) {
    const score = REGISTER_SCORES[method];
    if (score < least || (asked.ways !== 'every' && asked.ways !== method)) continue;
    const found = find(asked, candidates);
    if (found.length === 0) continue;
    const [only] = found;
    if (!only || found.length > 1 || !wasListed(only.candidate, asked.published)) return null;
    const { number, name } = only.candidate;
    const evidence = [...asked.notes, ...only.evidence, `on the Companies House register as ${name}`];
    return { companyNumber: number, method, score, evidence };
  }
  return null;
}

/** Whether it was on the register on the day of the notice; where that is unknown, whether it is today. */
function wasListed({ incorporated, ended }: Candidate, published: string): boolean {
  if (published === '') return ended === null;
  return (incorporated === null || incorporated <= published) && (ended === null || ended >= published);
}
