import { type Ending, endingOf } from '../../../schema/names/spelling.ts';
import { likeness, slipLikeness } from './likeness.ts';
import { isAbroad, keyOf, outwardOf, spellingsOf, splitName, waysFor } from './names.ts';
import type { Candidate, Wanted } from './types.ts';

/** A supplier's name and place, read for looking it up. */
export interface LookUp {
  /** Cleaned name to look for. */
  key: string;
  /** It, and other spellings that are the same name. */
  keys: readonly string[];
  /** Cleaned name that it says it had before. */
  formerKey: string | null;
  form: Ending;
  postcode: string | undefined;
  outward: string | null;
  published: string;
  /** Whether it may be looked for in every way, or by name and postcode only. */
  ways: 'every' | 'name_postcode';
  /** What was read, as evidence says it. */
  notes: string[];
}

/** Reads what is asked for; null where it is no single company, or has no name. */
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
    keys: [key, ...others],
    formerKey: parts.former ? keyOf(parts.former) : null,
    form: endingOf(parts.legal),
    postcode,
    outward: outwardOf(postcode),
    published,
    ways: isAbroad(country) ? 'name_postcode' : ways,
    notes,
  };
}

/** A company that a method finds, and what that rests on. */
export interface Found {
  candidate: Candidate;
  evidence: string[];
}

/** Likeness from which a name may be a misspelling: at the very postcode, and elsewhere in its district. */
const LEAST_LIKE = { samePostcode: 0.82, sameDistrict: 0.9 };
/** By how much the likest name must be ahead of the next. */
const MARGIN = 0.06;

/** Companies of that very name at the very postcode. Of several, those with the legal form that was published. */
export function bySamePostcode(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  if (!asked.outward) return [];
  const same = current(asked, candidates).filter(
    (one) => isThere(asked, one) && underOneLaw(asked.form, endingOf(one.name)),
  );
  const sameForm = same.filter(({ name }) => endingOf(name) === asked.form);
  const found = same.length > 1 && sameForm.length > 0 ? sameForm : same;
  return unrivalled(asked, candidates, found).map((candidate) => ({
    candidate,
    evidence: [`postcode: ${asked.postcode}`],
  }));
}

/** Companies that had that name before and are at the very postcode. */
export function byPreviousAtPostcode(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  return former(asked, candidates)
    .filter(({ candidate }) => isThere(asked, candidate))
    .map(({ candidate, evidence }) => ({ candidate, evidence: [...evidence, `postcode: ${asked.postcode}`] }));
}

/** Only with its legal form: a trader's name without one is often a neighbour's too. */
export function byDistrict(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  return asked.form === '' ? [] : inDistrict(asked, candidates);
}

/** Measured, not believed. */
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

/** Of companies found at a place, those that no namesake elsewhere contests: one of the very form that the notice states. */
function unrivalled(asked: LookUp, candidates: readonly Candidate[], found: readonly Candidate[]): Candidate[] {
  const isStated = ({ name }: Candidate) => endingOf(name) === asked.form;
  const isContested = asked.form !== '' && current(asked, candidates).some(isStated);
  return found.filter((one) => !isContested || isStated(one));
}

/**
 * The register refuses a second company of a name, whatever its ending. Not where a company of a longer name sits at the
 * very postcode: the notice may have cut that one's short.
 */
export function byFullName(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  if (!isUnique(asked) || isCutShort(asked, candidates)) return [];
  const bearers = current(asked, candidates);
  // A namesake at the very postcode, of another form, is as likely meant.
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

/** Whether the register has one company of such a name on a day: those under another law are not held apart. */
function isUnique({ form, published }: LookUp): boolean {
  return form !== '' && form !== 'foreign' && published !== '';
}

/** Measured, not believed: of those who bear a company's name and say no legal form many are none. */
export function byNameAlone(asked: LookUp, candidates: readonly Candidate[]): Found[] {
  if (asked.form !== '' || asked.published === '') return [];
  return current(asked, candidates).map((candidate) => ({ candidate, evidence: ['the only company of that name'] }));
}

/** Companies that had that name and legal form before, in the postcode district, where none has the name now. */
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

/**
 * The company of the district whose name is nearly the same, where none has or had the very name and no other comes
 * close.
 */
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
  const isLike = best.alike >= (there ? LEAST_LIKE.samePostcode : LEAST_LIKE.sameDistrict);
  if (!isLike || (second && second.alike > best.alike - MARGIN)) return [];
  const place = there ? `postcode: ${asked.postcode}` : `in postcode district ${outward}`;
  return [{ candidate: best.candidate, evidence: [`names alike by ${best.alike.toFixed(2)} of 1`, place] }];
}

/** Those that bear the name now. */
function current(asked: LookUp, candidates: readonly Candidate[]): Candidate[] {
  return living(asked, candidates).filter(({ nameKey }) => asked.keys.includes(nameKey));
}

interface FoundByFormer extends Found {
  name: string;
  ceased: string | undefined;
}

/** Those that bore it, or the name that the notice calls a former one. */
function former(asked: LookUp, candidates: readonly Candidate[]): FoundByFormer[] {
  const keys = [...asked.keys, asked.formerKey];
  return living(asked, candidates).flatMap((candidate) => {
    const match = candidate.previousNames.find(({ nameKey }) => keys.includes(nameKey));
    if (!match) return [];
    const { name, ceased } = match;
    return [{ candidate, name, ceased, evidence: [`its name was ${name}${ceased ? ` until ${ceased}` : ''}`] }];
  });
}

/** Those on the live register; and those that left it later, which make another one's claim doubtful. */
function living(asked: LookUp, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ ended }) => ended === null || asked.published === '' || ended >= asked.published);
}

function isCutShort(asked: LookUp, candidates: readonly Candidate[]): boolean {
  return living(asked, candidates).some((one) => isThere(asked, one) && one.nameKey.startsWith(`${asked.key} `));
}

function isThere(asked: LookUp, { postcode }: Candidate): boolean {
  return asked.outward !== null && bare(postcode) === bare(asked.postcode);
}

/** Whether two endings may be one company's: one of them unsaid, or the same but for limited and plc, which change. */
function formsAgree(a: Ending, b: Ending): boolean {
  const isLimited = (form: Ending) => form === 'limited' || form === 'plc' || form === 'cic';
  return a === '' || b === '' || a === b || (isLimited(a) && isLimited(b));
}

/** The same where nothing but the name speaks for it: a community interest company must say what it is. */
function isRegisteredAs(a: Ending, b: Ending): boolean {
  return formsAgree(a, b) && (a === 'cic') === (b === 'cic');
}

/** A daughter here and her parent abroad may share a name and an address. */
function underOneLaw(a: Ending, b: Ending): boolean {
  return a === '' || b === '' || (a === 'foreign') === (b === 'foreign');
}

function bare(postcode: string | null | undefined): string {
  return (postcode ?? '').toUpperCase().replace(/\s/g, '');
}
