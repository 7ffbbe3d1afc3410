import { type Asked, townOf } from './asked.ts';
import { likeness } from './likeness.ts';
import { type LegalForm, legalForm, outwardOf } from './names.ts';
import type { Candidate, RegisterMatch, RegisterMethod } from './types.ts';

/** A match below this score is none: the supplier stays `unmatched`. */
export const ACCEPT = 0.95;

/**
 * How sure each method is: what the benchmark measured on a generated register, rounded down, and less where the world
 * holds what that register does not.
 */
export const REGISTER_SCORES: Readonly<Record<RegisterMethod, number>> = {
  name_postcode: 0.99,
  previous_name_postcode: 0.98,
  name_district: 0.98,
  name_locality: 0.96,
  full_name: 0.98,
  near_name: 0.96,
};

/** Likeness from which a name may be a misspelling: at the very postcode, and elsewhere in its district. */
const LEAST_LIKE = { samePostcode: 0.82, sameDistrict: 0.9 };
/** By how much the likest name must be ahead of the next. */
const MARGIN = 0.06;

interface Found {
  candidate: Candidate;
  evidence: string[];
}

type Step = readonly [RegisterMethod, (asked: Asked, candidates: readonly Candidate[]) => Found[]];

/** The ways to know a company, surest first. */
const STEPS: readonly Step[] = [
  ['name_postcode', bySamePostcode],
  ['previous_name_postcode', byPreviousAtPostcode],
  ['name_district', byDistrict],
  ['name_locality', byLocality],
  ['full_name', byFullName],
  ['near_name', byNearName],
];

/**
 * The company that a supplier without a number is, or null: never one of two that are equally good, and never a company
 * that did not exist yet. The first method that finds anything decides.
 * @param candidates companies that bear or bore such a name, and those of its block
 */
export function matchSupplier(asked: Asked, candidates: readonly Candidate[]): RegisterMatch | null {
  for (const [method, find] of STEPS) {
    if (asked.ways !== 'every' && asked.ways !== method) continue;
    const found = find(asked, candidates);
    if (found.length === 0) continue;
    const [only] = found;
    const score = REGISTER_SCORES[method];
    if (!only || found.length > 1 || score < ACCEPT || !isAlive(only.candidate, asked.published)) return null;
    const { number, name } = only.candidate;
    const evidence = [...asked.notes, ...only.evidence, `on the Companies House register as ${name}`];
    return { companyNumber: number, method, score, evidence };
  }
  return null;
}

function bySamePostcode(asked: Asked, candidates: readonly Candidate[]): Found[] {
  if (!asked.outward) return [];
  const same = current(asked, candidates).filter(({ postcode }) => bare(postcode) === bare(asked.postcode));
  const sameForm = same.filter(({ name }) => legalForm(name) === asked.form);
  const found = same.length > 1 && sameForm.length > 0 ? sameForm : same;
  return found.map((candidate) => ({ candidate, evidence: [`postcode: ${asked.postcode}`] }));
}

function byPreviousAtPostcode(asked: Asked, candidates: readonly Candidate[]): Found[] {
  if (!asked.outward) return [];
  return former(asked, candidates)
    .filter(({ candidate }) => bare(candidate.postcode) === bare(asked.postcode))
    .map(({ candidate, evidence }) => ({ candidate, evidence: [...evidence, `postcode: ${asked.postcode}`] }));
}

function byDistrict(asked: Asked, candidates: readonly Candidate[]): Found[] {
  const { outward } = asked;
  if (!outward) return [];
  return current(asked, candidates)
    .filter(({ postcode, name }) => outwardOf(postcode) === outward && formsAgree(asked.form, legalForm(name)))
    .map((candidate) => ({ candidate, evidence: [`the only one of that name in postcode district ${outward}`] }));
}

/**
 * Only with its legal form: a town is large, and a trader's name without one is often somebody else's too. And only with
 * a postcode: without, suppliers of one name are one wherever they are.
 */
function byLocality(asked: Asked, candidates: readonly Candidate[]): Found[] {
  const { town, form, outward } = asked;
  if (!town || !outward || form === '') return [];
  return current(asked, candidates)
    .filter(({ locality, name }) => townOf(locality) === town && formsAgree(form, legalForm(name)))
    .map((candidate) => ({ candidate, evidence: [`the only one of that name in ${town}`] }));
}

function byFullName(asked: Asked, candidates: readonly Candidate[]): Found[] {
  if (asked.form === '' || asked.published === '') return [];
  const evidence = ['the only live company of that name and legal form: the register refuses a second one'];
  return current(asked, candidates)
    .filter(({ name }) => legalForm(name) === asked.form)
    .map((candidate) => ({ candidate, evidence }));
}

function byNearName(asked: Asked, candidates: readonly Candidate[]): Found[] {
  const { outward, key, form } = asked;
  if (!outward || current(asked, candidates).length > 0 || former(asked, candidates).length > 0) return [];
  const ranked = living(asked, candidates)
    .filter(({ postcode, name }) => outwardOf(postcode) === outward && formsAgree(form, legalForm(name)))
    .map((candidate) => ({ candidate, alike: likeness(key, candidate.nameKey) }))
    .toSorted((a, b) => b.alike - a.alike);
  const [best, second] = ranked;
  if (!best) return [];
  const isThere = bare(best.candidate.postcode) === bare(asked.postcode);
  const isLike = best.alike >= (isThere ? LEAST_LIKE.samePostcode : LEAST_LIKE.sameDistrict);
  if (!isLike || (second && second.alike > best.alike - MARGIN)) return [];
  const place = isThere ? `postcode: ${asked.postcode}` : `in postcode district ${outward}`;
  return [{ candidate: best.candidate, evidence: [`names alike by ${best.alike.toFixed(2)} of 1`, place] }];
}

/** Those that bear the name now. */
function current(asked: Asked, candidates: readonly Candidate[]): Candidate[] {
  return living(asked, candidates).filter(({ nameKey }) => nameKey === asked.key);
}

/** Those that bore it, or the name that the notice calls a former one. */
function former(asked: Asked, candidates: readonly Candidate[]): Found[] {
  const keys = [asked.key, asked.formerKey];
  return living(asked, candidates).flatMap((candidate) => {
    const name = candidate.previousNames.find(({ nameKey }) => keys.includes(nameKey));
    if (!name) return [];
    const evidence = [`its name was ${name.name}${name.ceased ? ` until ${name.ceased}` : ''}`];
    return [{ candidate, evidence }];
  });
}

/** Those on the live register; and those that left it later, which make another one's claim doubtful. */
function living(asked: Asked, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ ended }) => ended === null || asked.published === '' || ended >= asked.published);
}

function isAlive({ incorporated, ended }: Candidate, published: string): boolean {
  return ended === null && (published === '' || incorporated === null || incorporated <= published);
}

/** Whether two endings may be one company's: one of them unsaid, or the same but for limited and plc, which change. */
function formsAgree(a: LegalForm, b: LegalForm): boolean {
  const isLimited = (form: LegalForm) => form === 'limited' || form === 'plc' || form === 'cic';
  return a === '' || b === '' || a === b || (isLimited(a) && isLimited(b));
}

function bare(postcode: string | null | undefined): string {
  return (postcode ?? '').toUpperCase().replace(/\s/g, '');
}
