import { createHash } from 'node:crypto';
import { nameKey } from './names.ts';

/** Offices whose short names are no initials of theirs. */
const OFFICES: ReadonlySet<string> = new Set(['ofwat', 'ofgem', 'ofcom', 'ofsted', 'ofqual']);
/** What remains of a council's name without its last word, where that is still a council's. */
const STILL_A_COUNCIL = / of | (?:borough|district|county|city)$/;

/**
 * A public body's cleaned name without what it is written with at one time and without at another: its own abbreviation in
 * brackets, a last `council` after `London Borough of …` and the like, `city of` before a council's name, `NHS` before
 * `foundation trust` (there are no others), `United Kingdom` in full. A pure function of the name.
 */
export function plainBuyerKey(name: string): string {
  const key = nameKey(withoutAbbreviation(name))
    .replace(/\bunited kingdom\b/g, 'uk')
    .replace(/\b\p{L}(?: \p{L}\b)+/gu, (letters) => letters.replaceAll(' ', ''))
    .replace('nhs foundation trust', 'foundation trust');
  if (!key.endsWith(' council')) return key;
  const council = key.replace(/^city of /, '');
  const bare = council.replace(/ council$/, '');
  return STILL_A_COUNCIL.test(bare) ? bare : council;
}

function withoutAbbreviation(name: string): string {
  return name.replace(/\(([A-Za-z]{3,8})\)/g, (bracket, short: string) =>
    isAbbreviation(short.toLowerCase(), nameKey(name.replace(bracket, ' '))) ? ' ' : bracket,
  );
}

/** Whether a short name is an office's, or the initials of some words in their order (`for` and `and` may be skipped). */
function isAbbreviation(short: string, key: string): boolean {
  if (OFFICES.has(short)) return true;
  const initials = key.split(' ').map((word) => word.charAt(0));
  let at = 0;
  for (const initial of initials) if (initial === short.charAt(at)) at += 1;
  return at === short.length;
}

/** The id that a buyer has by its cleaned name alone: an alias of whoever bears the name, once that is known. */
export function buyerNameId(key: string): string {
  return nameIdOf(key, key);
}

/** `name-<the name in letters, digits and hyphens>-<8 digits of the sha256 of what tells it from others>`. */
export function nameIdOf(key: string, basis: string): string {
  return `name-${slugOf(key)}-${shortHash(basis)}`;
}

/** A cleaned name in letters, digits and hyphens, 40 of them at most. */
export function slugOf(key: string): string {
  const slug = key
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return slug || 'unnamed';
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
