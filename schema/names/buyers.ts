import { hash } from 'node:crypto';
import type { Nation } from '../reference/regions.ts';
import { matchesOf, memoise } from '../text/memoise.ts';
import { isPartOf, type KnownBody, knownBody, plainCouncil } from './public-bodies.ts';
import { englishHalf, formerNameKey, nameKey } from './spelling.ts';

/** Fillers at the end of a field without a value, a misplaced company number, and a buyer's number on the Scottish service. */
const LEFTOVERS =
  /[\s,;:(–-]+(?:n\/a|(?:company\s+(?:no|number|reg(?:istration)?(?:\s+(?:no|number))?)\W*)?(?:\d{8}|(?:sc|ni|oc|ip|rs|r)\d{5,6}|aa\d{5}))[\s.)]*$/i;
/** What bodies call their buying units. */
const BUYING =
  '(?:(?:strategic|corporate|central|commercial) )?(?:procurement|purchasing|commissioning|e-?tendering)' +
  '(?: (?:unit|team|department|dept|services?|office|section|division|hub|portal))?';
// Begins where such a run begins: otherwise a name of 2,000 brackets would take seconds.
const BUYERS_AFTER = new RegExp(String.raw`(?<![\s,:(–-])[\s,:(–-]+(?:the )?${BUYING}\)?$`, 'i');
const BUYERS_BEFORE = new RegExp(String.raw`^${BUYING}[\s,:–-]+(?:of |for |at )?`, 'i');
/** An address of somebody else (`… c/o Oakes Ltd`), and an article at the end. */
const AROUND = /\s+c\/o\s.+$|\s*\(the\)$/gi;
/** How councils are written in full: their corporate names. */
const CORPORATE =
  /^(?:the )?(?:right worshipful )?(?:lord )?mayor,? (?:aldermen )?(?:(?:and|&) (?:burgesses|citizens|commonalty) )+of (?:the )?/i;
const COUNCIL_OF = /^(?:the )?council of the (?:metropolitan )?borough of (.+)$/i;
/** Departments of councils that publish under their own names. */
const COUNCIL_UNIT =
  /(?<= council)[\s,:–-]+(?:passenger transport|highways|children['’]?s services|adult social care|property services|facilities management|housing(?: services)?)(?: (?:unit|team|department|service|section))?$/i;
/** A minister buys through a body, which the notice is of: `The Minister for the Cabinet Office acting through …`. */
const ACTING = /^(?:the )?(?:minister|secretary of state) (?:for|of) .+? acting (?:by and )?through (?:the )?(.+)$/i;
/** Bodies whose buying units are recognised by name alone. */
const WHOLE_BODY = /\b(?:council|nhs (?:foundation )?trust|university|constabulary|police|college)$|^university of /i;
/** Where a unit's name begins. */
const UNIT = /\s*[,;:|(/]\s*|\s+[–-]\s+/g;
/** Words of another body, which is not a unit of the first. */
const ANOTHER =
  /\b(?:councils?|borough|trusts?|authority|authorities|limited|ltd|llp|plc|cic|homes|housing|association|partnership|colleges?|schools?|academy|academies|universit\w+|police|fire|constabulary|ministry|commission|hospitals?|on behalf|pensions?|federation|group|company|companies|consortium|board|joint|northern ireland|ni|scotland|wales|prifysgol|coleg|heddlu|awdurdod|ymddiriedolaeth|bwrdd iechyd|comisiynydd|cyngor (?:tref|cymuned))\b/i;
/** `MCA`, `DfTc`: letters, at least two of them capitals. */
const SHORT_NAME = /^(?=.*[A-Z].*[A-Z])[A-Za-z&]{2,8}$/;

const LEGAL_FORM = /\b(?:ltd|limited|plc|llp|cic)\b/i;

/** A name without fillers at its end (`Marwell Council N/A`, `Marwell Ltd 01234567`), and with `Dept` in full. */
function withoutLeftovers(name: string): string {
  return (
    englishHalf(name.replace(LEFTOVERS, '').replace(AROUND, ''))
      .replace(COUNCIL_UNIT, '')
      .replace(CORPORATE, '')
      .replace(COUNCIL_OF, '$1 Borough Council')
      .replace(/^(the )?dept\b\.?/i, '$1Department')
      .trim() || name
  );
}

/** A name without the unit that buys for the body: `Marwell University Procurement Unit`; unchanged if the rest is not a whole body. */
function withoutBuyingUnit(name: string): string {
  const bare = name.replace(BUYERS_AFTER, '').replace(BUYERS_BEFORE, '').trim();
  return WHOLE_BODY.test(bare) || knownBody(nameKey(bare)) ? bare : name;
}

/** Most signs before a unit (`Ministry of Defence, Weapons` has one): a name of 1,000 commas would be cleaned 1,000 times. */
const BREAKS_MAX = 40;

/**
 * The listed body for a published name, or undefined. The name may be any of its names, with its own short name before it
 * or one of its units after it (`Ministry of Defence, Weapons`). Never if another body is named as well.
 */
export function bodyOf(name: string): KnownBody | undefined {
  const whole = withoutBuyingUnit(withoutLeftovers(name));
  const listed = knownBody(nameKey(whole));
  if (listed) return listed.isPlace && LEGAL_FORM.test(name) ? undefined : listed.body;
  const acting = ACTING.exec(whole)?.[1];
  if (acting !== undefined) return bodyOf(acting);
  const breaks = matchesOf(whole, UNIT);
  if (breaks.length > BREAKS_MAX) return undefined;
  for (const { index, 0: sign } of breaks.toReversed()) {
    const [head, rest] = [whole.slice(0, index), whole.slice(index + sign.length)];
    const found = bodyOfParts(head, rest);
    if (found) return found;
  }
  return undefined;
}

function bodyOfParts(head: string, rest: string): KnownBody | undefined {
  const body = wholeNameOf(head);
  const other = knownBody(nameKey(rest.replace(/[)\s]+$/, '')));
  if (!body) return other && !other.isPlace && SHORT_NAME.test(head) ? other.body : undefined;
  const isOwn = other && (other.body.key === body.key || isPartOf(other.body, body));
  const isItsPlace = other?.isPlace && body.scope === 'national';
  return isOwn || isItsPlace || (!other && !ANOTHER.test(rest)) ? body : undefined;
}

/** The body for a name that is more than a place's. */
function wholeNameOf(name: string): KnownBody | undefined {
  const found = knownBody(nameKey(withoutBuyingUnit(name)));
  return found && !found.isPlace ? found.body : undefined;
}

/** Offices whose short names are not their initials. */
const OFFICES: ReadonlySet<string> = new Set(['ofwat', 'ofgem', 'ofcom', 'ofsted', 'ofqual']);

/** Short ways to write what a body is, at the end of its cleaned name. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/ mbc$/, ' metropolitan borough council'],
  [/ mdc$/, ' metropolitan district council'],
  [/ csu$/, ' commissioning support unit'],
  [/ ccg$/, ' clinical commissioning group'],
  [/ icb$/, ' integrated care board'],
  [/ uhb$/, ' university health board'],
  [/ fire and rescue authority$/, ' fire and rescue service'],
  [/ nhs ?ft$/, ' nhs foundation trust'],
  [/ procurement (?:unit|team|department|dept|office|section|division)$/, ' procurement'],
  [/^(?:lb|lbc|london borough)(?: of)? (.+)$/, 'london borough of $1'],
  [/^(.+) (?:lb|lbc|london borough)(?: council)?$/, 'london borough of $1'],
  [/^(?:her|his) majestys /, 'hm '],
  [/^opcc (?:for )?/, 'police and crime commissioner for '],
  [/^office of the (?=.*\bpolice(?: fire)? and crime commissioner)/, ''],
  [/^(.+) opcc$/, 'police and crime commissioner for $1'],
  [/^(.+) (police(?: fire)? and crime commissioner)$/, '$2 for $1'],
];

/**
 * A public body's cleaned name without its optional parts. A listed body has one name (`Defra`, `Islington`). Any other
 * name loses its abbreviation in brackets, a unit that buys for it, and the kind of city or metropolitan borough of a
 * council. It also loses a last `council` after `London Borough of …` and the like, and `NHS` before `foundation trust`, as
 * there are no others. `United Kingdom` is written in full. A pure function of the name.
 */
export const plainBuyerKey = memoise((name) => bodyOf(name)?.key ?? plainKeyOf(name));

/** The plain name from which a buyer's id was formerly derived: by the rules of the first edition, without lists. */
export const formerPlainKey = memoise((name) => {
  const key = formerNameKey(withoutAbbreviation(name, isInitials))
    .replace(/\bunited kingdom\b/g, 'uk')
    .replace(/\b\p{L}(?: \p{L}\b)+/gu, (letters) => letters.replaceAll(' ', ''));
  return plainCouncil(key.replace('nhs foundation trust', 'foundation trust'));
});

/** Bodies that every county may have under the same name. */
const LOCAL_BODY =
  /(?:^| )(?:parish|community) (?:council|meeting)$|(?:^| )(?:primary|infants?|junior|first|nursery|secondary|high|grammar|special) (?:school|academy)(?: and nursery)?$|^st \p{L}+s? (?:.* )?(?:school|academy|church|hospice)$|(?:^| )(?:village|memorial|church) hall(?: trust| committee)?$/u;
/** Words that say what kind of office a buyer is, but not which. */
const OFFICE_WORDS: ReadonlySet<string> = new Set(
  `the a of and for council councils borough county district city town parish procurement purchasing commercial contract
  contracts finance estates corporate service services unit team department dept division section office authority trust
  nhs school academy college university hospital government buyer head`.split(/\s+/),
);

/** Whether many buyers may have this cleaned name: only a place or an identifier distinguishes them. */
export const isCommonName = memoise(
  (key) => LOCAL_BODY.test(key) || key.split(' ').every((word) => OFFICE_WORDS.has(word)),
);

function plainKeyOf(name: string): string {
  let key = nameKey(withoutAbbreviation(withoutBuyingUnit(withoutLeftovers(name))));
  key = key.replace(/\bunited kingdom\b/g, 'uk');
  for (const [short, whole] of SHORT_FORMS) key = key.replace(short, whole);
  key = key.replace('nhs foundation trust', 'foundation trust');
  return plainCouncil(key.replace(/ (?:city|metropolitan borough|metropolitan district)(?= council$)/, ''));
}

function withoutAbbreviation(name: string, isOwn = isAbbreviation): string {
  return name.replace(/\(([A-Za-z&]{3,8})\)/g, (bracket, short: string) =>
    isOwn(short.toLowerCase(), nameKey(name.replace(bracket, ' '))) ? ' ' : bracket,
  );
}

/** Whether a short name belongs to a body: its initials, in the health service after its own short name (`NHSGG&C`). */
function isAbbreviation(short: string, key: string): boolean {
  const [letters, words] = [short.replaceAll('&', ''), key.replace(/^nhs /, '')];
  const ofNhs = words !== key && letters.length > 3 && letters.startsWith('nhs');
  return isInitials(letters, key) || (ofNhs && isInitials(letters.slice(3), words));
}

/** Whether a short name is an office's, or the initials of some words in order (`for` and `and` may be skipped). */
function isInitials(short: string, key: string): boolean {
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

/** `name-<the name in letters, digits and hyphens>-<8 digits of the sha256 of its distinguishing facts>`. */
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
export const shortHash = memoise((text) => hash('sha256', text).slice(0, 8));

/** Streets and places that are named after a nation. */
const NOT_OF_STREET = String.raw`(?! (?:yard|road|street|lane|gate|green|bar|farm|close|avenue)\b)`;
const IN_NAMES: readonly (readonly [Nation, RegExp])[] = [
  ['scotland', new RegExp(String.raw`\b(?:scotland${NOT_OF_STREET}|scottish|alba|nan eilean siar)\b|g[àa]idhlig`, 'i')],
  [
    'wales',
    new RegExp(String.raw`(?<!\b(?:new south|prince of|princess of) )\b(?:wales${NOT_OF_STREET}|welsh|cymru)\b`, 'i'),
  ],
  // Kinds of body that only one nation has, and bodies with a Welsh name only.
  ['scotland', /\bintegration joint board\b/i],
  ['wales', /\b(?:university|teaching) health board\b/i],
  ['wales', /\b(?:cyngor|prifysgol|heddlu|bwrdd iechyd|awdurdod|amgueddfa|llywodraeth)\b/i],
  ['northern_ireland', /\bnorthern ireland\b|\(ni\)/i],
  [
    'england',
    /\b(?:parish council|combined (?:county )?authority|academy trust|integrated care board|icb|clinical commissioning group|ccg|commissioning support unit|csu|nhs foundation trust)\b/i,
  ],
  ['england', new RegExp(String.raw`(?<!\bnew )\b(?:england${NOT_OF_STREET}|english)\b`, 'i')],
];

/** The only nation in the name of a body, or null. */
export function nationInName(name: string): Nation | null {
  const [only = null, ...more] = new Set(IN_NAMES.flatMap(([nation, pattern]) => (pattern.test(name) ? nation : [])));
  return more.length === 0 ? only : null;
}
