import { createHash } from 'node:crypto';
import { memoise } from '../text/memoise.ts';
import { bodyOf, withoutBuyingUnit, withoutLeftovers } from './buying-units.ts';
import { formerNameKey, nameKey } from './clean.ts';
import { plainCouncil } from './public-bodies.ts';

/** Offices whose short names are no initials of theirs. */
const OFFICES: ReadonlySet<string> = new Set(['ofwat', 'ofgem', 'ofcom', 'ofsted', 'ofqual']);

/** Short ways to write what a body is, at the end of its cleaned name. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/ mbc$/, ' metropolitan borough council'],
  [/ mdc$/, ' metropolitan district council'],
  [/ csu$/, ' commissioning support unit'],
  [/ ccg$/, ' clinical commissioning group'],
  [/ icb$/, ' integrated care board'],
  [/ nhs ?ft$/, ' nhs foundation trust'],
  [/ procurement (?:unit|team|department|dept|office|section|division)$/, ' procurement'],
  [/^(?:lb|lbc|london borough)(?: of)? (.+)$/, 'london borough of $1'],
  [/^(.+) (?:lb|lbc|london borough)(?: council)?$/, 'london borough of $1'],
  [/^(?:her|his) majestys /, 'hm '],
  [/^office of the (?=police(?: fire)? and crime commissioner)/, ''],
];

/**
 * A public body's cleaned name without what it is written with at one time and without at another: the one name of a listed
 * body (`Defra`, `Islington`); else without its own abbreviation in brackets, a unit that buys for it, a last `council` after
 * `London Borough of …` and the like, what kind of city or metropolitan borough a council is of, `NHS` before `foundation
 * trust` (there are no others), `United Kingdom` in full. A pure function of the name.
 */
export const plainBuyerKey = memoise((name) => bodyOf(name)?.key ?? plainKeyOf(name));

/** The plain name by which a buyer's id was once made: by the rules of the first edition, which knew no lists. */
export const formerPlainKey = memoise((name) => {
  const key = formerNameKey(withoutAbbreviation(name))
    .replace(/\bunited kingdom\b/g, 'uk')
    .replace(/\b\p{L}(?: \p{L}\b)+/gu, (letters) => letters.replaceAll(' ', ''));
  return plainCouncil(key.replace('nhs foundation trust', 'foundation trust'));
});

/** Bodies that every county may have under the same name. */
const LOCAL_BODY =
  /(?:^| )(?:parish|community) (?:council|meeting)$|(?:^| )(?:primary|infants?|junior|first|nursery|secondary|high|grammar|special) (?:school|academy)(?: and nursery)?$|^st \p{L}+s? (?:.* )?(?:school|academy|church|hospice)$|(?:^| )(?:village|memorial|church) hall(?: trust| committee)?$/u;
/** Words that say what kind of office a buyer is, and not which. */
const OFFICE_WORDS: ReadonlySet<string> = new Set(
  `the a of and for council councils borough county district city town parish procurement purchasing commercial contract
  contracts finance estates corporate service services unit team department dept division section office authority trust
  nhs school academy college university hospital government buyer head`.split(/\s+/),
);

/** Whether many buyers may bear this cleaned name: a place or an identifier tells them apart, the name does not. */
export const isCommonName = memoise(
  (key) => LOCAL_BODY.test(key) || key.split(' ').every((word) => OFFICE_WORDS.has(word)),
);

function plainKeyOf(name: string): string {
  const cleaned = nameKey(withoutAbbreviation(withoutBuyingUnit(withoutLeftovers(name)))).replace(
    /\bunited kingdom\b/g,
    'uk',
  );
  const key = SHORT_FORMS.reduce((text, [short, whole]) => text.replace(short, whole), cleaned).replace(
    'nhs foundation trust',
    'foundation trust',
  );
  return plainCouncil(key.replace(/ (?:city|metropolitan borough|metropolitan district)(?= council$)/, ''));
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

/** A buyer's id from its cleaned name alone. It becomes an alias once the buyer with that name is known. */
export function buyerNameId(key: string): string {
  return nameIdOf(key, key);
}

/** `name-<the name in letters, digits and hyphens>-<8 digits of the sha256 of what tells it from others>`. */
export function nameIdOf(key: string, basis: string): string {
  return `name-${slugOf(key)}-${shortHash(basis)}`;
}

/** A cleaned name in letters, digits and hyphens, 40 of them at most. */
export const slugOf = memoise((key) => {
  const slug = key
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return slug || 'unnamed';
});

/** The first 8 hexadecimal digits of a text's sha256. */
export const shortHash = memoise((text) => createHash('sha256').update(text).digest('hex').slice(0, 8));
