import { type Ending, endingOf } from '../../../schema/names/spelling.ts';
import { likeness, slipLikeness } from './likeness.ts';
import { isAbroad, keyOf, outwardOf, spellingsOf, splitName, waysFor } from './names.ts';
import type { Candidate, Wanted } from './types.ts';

/** A supplier's name and place, prepared for looking it up. */
export interface LookUp {
  /** Cleaned name to look for. */
  key: string;
  /** That name, and equivalent spellings. */
  keys: readonly string[];
  /** The cleaned former name that it states. */
  formerKey: string | null;
  form: Ending;
  postcode: string | undefined;
  outward: string | null;
  published: string;
  /** Whether it may be looked up in every way, or by name and postcode only. */
  ways: 'every' | 'name_postcode';
  /** The parts of the name, as evidence shows them. */
  notes: string[];
}

/** Prepares a look-up; null where the name is not a single company's, or is missing. */
export function readLookUp({ name, nameKey, postcode, country, ids, published }: Wanted): LookUp | null {
  const parts = splitName(name);
  const ways = waysFor(parts, ids);
  const [key = '', ...others] = spellingsOf(parts.legal);
  if (nameKey === '' || key === '' || ways === 'none') return null;
  const notes = [`cleaned name: ${key}`];
  if (parts.trading) notes.push(`trading as: ${parts.trading}`);
  if (parts.former) notes.push(`formerly: ${parts.former}`);
  return {
    key,
    keys: [...new Set([key, ...others].flatMap(spellingsOnRegister))],
    formerKey: parts.former ? keyOf(parts.former) : null,
    form: endingOf(parts.legal),
    postcode,
    outward: outwardOf(postcode),
    published,
    ways: isAbroad(country) ? 'name_postcode' : ways,
    notes,
  };
}

/** A cleaned name, and others that the register counts as the same: `CURLEW COMPANY(THE)`, `CO-OPERATIVE` as one word. */
function spellingsOnRegister(key: string): string[] {
  const bare = key.replace(/ the$/, '');
  const joined = bare.replace(/\bco operative/g, 'cooperative');
  const all = [key, bare, joined, joined.replace(/\bcooperative/g, 'co operative')];
  return all.flatMap((one) => [one, `${one} the`]);
}

/** A company that a method found, and the evidence. */
export interface Found {
  candidate: Candidate;
  evidence: string[];
}

/** Likeness from which a name may be a misspelling: at the same postcode, and elsewhere in its district. */
const LIKE_MIN = { samePostcode: 0.82, sameDistrict: 0.9 };
/** By how much the most similar name must be ahead of the next. */
const MARGIN = 0.06;

/**
 * Companies with exactly this name at the same postcode. Of several, those with the published legal form. None where another
 * company there had the name on that day: two companies may exchange their names.
 */
export function bySamePostcode(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  if (!asked.outward) return [];
  const hadItThen = ({ candidate, ceased }: FoundByFormer) =>
    asked.published !== '' && isThere(asked, candidate) && ceased !== undefined && ceased >= asked.published;
  if (former(asked, candidates).some(hadItThen)) return [];
  const same = current(asked, candidates).filter(
    (one) => isThere(asked, one) && mayBeOneBody(asked.form, endingOf(one.name)),
  );
  const sameForm = same.filter(({ name }) => endingOf(name) === asked.form);
  const found = same.length > 1 && sameForm.length > 0 ? sameForm : same;
  return unrivalled(asked, candidates, found).map((candidate) => ({
    candidate,
    evidence: [`postcode: ${asked.postcode}`],
  }));
}

/** Companies that formerly had this name and are at the same postcode. */
export function byPreviousAtPostcode(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  return former(asked, candidates)
    .filter(({ candidate, name }) => isThere(asked, candidate) && mayBeOneBody(asked.form, endingOf(name)))
    .map(({ candidate, evidence }) => ({ candidate, evidence: [...evidence, `postcode: ${asked.postcode}`] }));
}

/** Companies of a name in the postcode district. Only with its legal form: without one, a trader's name is often a neighbour's too. */
export function byDistrict(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  return asked.form === '' ? [] : inDistrict(asked, candidates);
}

/** Companies of a name without its legal form in the postcode district. Measured by the benchmark, but not accepted as a match. */
export function byShortNameInDistrict(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  return asked.form === '' ? inDistrict(asked, candidates) : [];
}

function inDistrict(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  const { outward, form } = asked;
  if (!outward) return [];
  const found = current(asked, candidates).filter(
    ({ postcode, name }) => outwardOf(postcode) === outward && formsAgree(form, endingOf(name)),
  );
  return unrivalled(asked, candidates, found).map((candidate) => ({
    candidate,
    evidence: [`the only one of that name in postcode district ${outward}`],
  }));
}

/**
 * Companies found at a place, unless a company of the same name elsewhere is as likely. Then only one with exactly the form
 * that the notice states is returned.
 */
function unrivalled(asked: LookUp, candidates: readonly Candidate[], found: readonly Candidate[]): Candidate[] {
  const isStated = ({ name }: Candidate) => endingOf(name) === asked.form;
  const isContested = asked.form !== '' && current(asked, candidates).some(isStated);
  return found.filter((one) => !isContested || isStated(one));
}

/**
 * The register refuses a second company with the same name, whatever its ending. Not accepted where a company with a longer name
 * is at the same postcode: the notice may have shortened that one.
 */
export function byFullName(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  if (!isUnique(asked) || isCutShort(asked, candidates)) return [];
  const bearers = current(asked, candidates);
  // A company of the same name at the same postcode, with another form, is as likely to be meant.
  if (bearers.some((one) => isThere(asked, one) && formsAgree(asked.form, endingOf(one.name)))) return [];
  const same = bearers.filter(({ name }) => endingOf(name) === asked.form);
  const alike = bearers.filter(({ name }) => endingOf(name) !== '' && isRegisteredAs(asked.form, endingOf(name)));
  if (same.length > 0) return same.map((candidate) => ({ candidate, evidence: [`${ONLY} and legal form`] }));
  return alike.map((candidate) => {
    const forms = `${asked.form} in the notice, ${endingOf(candidate.name)} on the register`;
    return { candidate, evidence: [`${ONLY}; legal form: ${forms}`] };
  });
}

const ONLY = 'the only live company of that name';

/** Whether the register guarantees a single company of such a name on a day: names under another country's law are not kept unique. */
function isUnique({ form, published }: LookUp): boolean {
  return form !== '' && form !== 'foreign' && published !== '';
}

/** Measured, but not accepted: many with a company's name and no legal form are not companies. */
export function byNameAlone(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  if (asked.form !== '' || asked.published === '') return [];
  return current(asked, candidates).map((candidate) => ({ candidate, evidence: ['the only company of that name'] }));
}

/** Companies that formerly had this name and legal form, in the postcode district, where none has the name now. */
export function byPreviousInDistrict(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  const { outward, form } = asked;
  if (!outward || form === '' || current(asked, candidates).length > 0) return [];
  return former(asked, candidates)
    .filter((one) => outwardOf(one.candidate.postcode) === outward && formsAgree(form, endingOf(one.name)))
    .map(({ candidate, evidence }) => ({ candidate, evidence: [...evidence, `in postcode district ${outward}`] }));
}

/** While a name with its legal form was in use, only one company had it. */
export function byPreviousFullName(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  const { form, published } = asked;
  if (!isUnique(asked) || isCutShort(asked, candidates)) return [];
  return former(asked, candidates).filter(
    ({ name, ceased }) => endingOf(name) === form && ceased !== undefined && ceased >= published,
  );
}

/** The company in the district with nearly the same name, where none has or had exactly the name and no other is close. */
export function byNearName(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  const { outward, key, form } = asked;
  if (!outward || current(asked, candidates).length > 0 || former(asked, candidates).length > 0) return [];
  const ranked = living(asked, candidates)
    .filter(({ postcode, name }) => outwardOf(postcode) === outward && formsAgree(form, endingOf(name)))
    .map((candidate) => {
      const slips = isThere(asked, candidate) ? slipLikeness(key, candidate.nameKey) : 0;
      return { candidate, alike: Math.max(slips, likeness(key, candidate.nameKey)) };
    })
    .toSorted((a, b) => b.alike - a.alike);
  const [best, second] = ranked;
  if (!best) return [];
  const there = isThere(asked, best.candidate);
  const isLike = best.alike >= (there ? LIKE_MIN.samePostcode : LIKE_MIN.sameDistrict);
  if (!isLike || (second && second.alike > best.alike - MARGIN)) return [];
  const place = there ? `postcode: ${asked.postcode}` : `in postcode district ${outward}`;
  return [{ candidate: best.candidate, evidence: [`names alike by ${best.alike.toFixed(2)} of 1`, place] }];
}

/** Those that have the name now. */
function current(asked: LookUp, candidates: readonly Candidate[]): Candidate[] {
  return living(asked, candidates).filter(({ nameKey }) => asked.keys.includes(nameKey));
}

interface FoundByFormer extends Found {
  name: string;
  ceased: string | undefined;
}

/** Those that had it, or the name that the notice calls a former one. */
function former(asked: LookUp, candidates: readonly Candidate[]): FoundByFormer[] {
  const keys = [...asked.keys, asked.formerKey];
  return living(asked, candidates).flatMap((candidate) => {
    const match = candidate.previousNames.find(({ nameKey }) => keys.includes(nameKey));
    if (!match) return [];
    const { name, ceased } = match;
    return [{ candidate, name, ceased, evidence: [`its name was ${name}${ceased ? ` until ${ceased}` : ''}`] }];
  });
}

/** Those on the live register, and those that left it later, which make another match doubtful. */
function living(asked: LookUp, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ ended }) => ended === null || asked.published === '' || ended >= asked.published);
}

function isCutShort(asked: LookUp, candidates: readonly Candidate[]): boolean {
  return living(asked, candidates).some((one) => isThere(asked, one) && one.nameKey.startsWith(`${asked.key} `));
}

function isThere(asked: LookUp, { postcode }: Candidate): boolean {
  return asked.outward !== null && bare(postcode) === bare(asked.postcode);
}

/** Whether two endings may belong to one company: one is missing, or they differ as limited and plc, which companies change. */
function formsAgree(a: Ending, b: Ending): boolean {
  const isLimited = (form: Ending) => form === 'limited' || form === 'plc' || form === 'cic';
  return a === '' || b === '' || a === b || (isLimited(a) && isLimited(b));
}

/** The same, where only the name supports it: a community interest company must say what it is. */
function isRegisteredAs(a: Ending, b: Ending): boolean {
  return formsAgree(a, b) && (a === 'cic') === (b === 'cic');
}

/** A partnership and a company may share a name and an address, and so may a subsidiary here and its parent abroad. */
function mayBeOneBody(a: Ending, b: Ending): boolean {
  return a === '' || b === '' || a === b || !(isApart(a) || isApart(b));
}

/** Whether no company here changes into or from this form. Recorded suppliers with a number state it rightly: all 37 partnerships do. */
function isApart(form: Ending): boolean {
  return form === 'foreign' || form === 'llp' || form === 'lp' || form === 'cio';
}

function bare(postcode: string | null | undefined): string {
  return (postcode ?? '').toUpperCase().replace(/\s/g, '');
}
