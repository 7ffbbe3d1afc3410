import { legalForm, mendEnding, nameKey } from '../../../schema/names/spelling.ts';

/**
 * What lists of awards write before or behind the name of a company and is no part of it. Behind a name it is taken off
 * after a legal form only, and only where it is one of these: `(Guernsey)`, `(North)` or `and Birch Ltd` tell of another.
 */
const FORM = String.raw`\b(?:ltd|limited|plc|llp|cic)\b\.?`;
const LOTS = String.raw`lots?\s*\d+[a-z]?(?:\s*(?:,|&|and|to|-)\s*\d+[a-z]?)*`;
const BEFORE = new RegExp(
  String.raw`^(?:${LOTS}\s*[:–-]\s*|\d{1,3}[.)]\s+|[a-z]\)\s+|messrs\.?\s+|m\/s\.?\s+)(?=\S.*${FORM})`,
  'i',
);
const SIZE = `(?:non[- ])?sme|vcse|micro|small|medium|large`;
const STATE = `in (?:administration|liquidation|receivership)`;
const ROLE = `(?:awarded|successful|winner|winning bidder|preferred (?:bidder|supplier)|(?:framework |approved )?(?:supplier|contractor|provider))`;
const GROUP = String.raw`(?:a )?(?:part|member) of (?:the )?\S.*|an? \S.* (?:group )?company`;
const PLACE = String.raw`\S.* (?:branch|office|depot)`;
const WORDS = `${LOTS}|${SIZE}|${STATE}|${ROLE}|${GROUP}`;
const STREET = String.raw`\d+[a-z]?,? \S.*\b(?:street|st|road|rd|lane|avenue|way|close|drive|park|estate|house|place|square|row)\b.*`;
const BEHIND = new RegExp(
  String.raw`^(.{3,}?${FORM})(?:\s*[([](?:the|${WORDS}|${PLACE})[)\]]|\s*,\s*(?:${WORDS}|${STREET})|\s+[–-]\s+(?:${WORDS})|\s+n\/a|\s+(?:https?:\/\/|www\.)\S+)\s*$`,
  'i',
);
/** The firm whose address is given ("care of") is not the supplier. */
const CARE_OF = new RegExp(String.raw`^(.{3,}?${FORM})[\s,]+c\/o\s`, 'i');
/** The initials of a name in brackets behind it: `Eldon Catering Ltd (ECL)`. */
const INITIALS = new RegExp(String.raw`^(.{3,}?${FORM})\s*\(([A-Z&]{2,8})\)\s*$`, 'i');
/** A name is longer than this only where somebody wrote a letter into it. */
const READ_MOST = 300;

/** A published supplier's name, taken apart. */
interface NameParts {
  /** The name to look for: what stands before "trading as" or "formerly", else the whole. */
  legal: string;
  trading?: string;
  former?: string;
}

const END = String.raw`\)?\s*$`;
const DIVISION = new RegExp(
  String.raw`\b(?:a )?(?:division|trading name|trading style|brand|subsidiary) of\s+(.{3,}?)${END}`,
  'i',
);
const TRADING = new RegExp(
  String.raw`^(.{3,}?)[\s,;.(–-]+(?:t[\/\\]as?|t\.a\.?|d\/b\/a|trading as|trading name(?! of)|operating as|doing business as|trading under the name(?: of)?)[\s:.]+(.{2,}?)${END}`,
  'i',
);
/** Without its stroke it is believed between two names only; letter by letter, or as `dba`, after a legal form only. */
const TRADING_BARE = /^(.{3,}?\w)\s(?:ta|TA)\s(\w.+)$/;
const TRADING_AFTER_FORM = /^(.{3,}?\b(?:ltd|limited|plc|llp)\.?)[\s,]+(?:t a|dba)\s+(\w.+)$/i;
/** Under its former name first; the present one is the company's. */
const NOW = new RegExp(String.raw`^(.{3,}?)[\s,;(–-]+now (?:known as|called)[\s:]+(.{3,}?)${END}`, 'i');
/** A row that adds up what a company was paid, in a list of payments: `Marwell Ltd Total`. */
const TOTAL_ROW =
  /\b(?:ltd|limited|plc|llp|cic|inc)[\s.)]*[\s:(–-]+(?:sub|grand|sum)?[\s-]?totals?[\s.:)]*$|^(?:sub|grand)[\s-]?totals?\b/i;
const FORMERLY = new RegExp(
  String.raw`^(.{3,}?)[\s,;(–-]+(?:formerly|previously|f\/k\/a|fka)(?: know[n]? as| called)?[\s:]+(.{3,}?)${END}`,
  'i',
);

/** Takes apart "A Ltd t/a B", "A (formerly known as B)" and "B, a division of A Ltd". */
export function splitName(raw: string): NameParts {
  const name = unwrapName(raw.replace(/\s+/g, ' ').trim());
  const division = DIVISION.exec(name)?.[1];
  if (division && legalForm(division)) return { legal: mendEnding(division), trading: name };
  const [, before, trading] = TRADING.exec(name) ?? TRADING_BARE.exec(name) ?? TRADING_AFTER_FORM.exec(name) ?? [];
  if (before && trading) {
    const isTurned = legalForm(trading) !== '' && legalForm(before) === '';
    return isTurned ? { legal: mendEnding(trading), trading: before } : { legal: mendEnding(before), trading };
  }
  const [, now, former] = FORMERLY.exec(name) ?? [];
  if (now && former) return { legal: mendEnding(now), former: mendEnding(former) };
  const [, earlier, present] = NOW.exec(name) ?? [];
  if (earlier && present) return { legal: mendEnding(present), former: mendEnding(earlier) };
  return { legal: mendEnding(name) };
}

/** Whether a published name labels a sum and names nobody. */
export function isTotalRow(name: string): boolean {
  return TOTAL_ROW.test(name.trim());
}

/** The cleaned name of a part of a published name. */
export function keyOf(name: string): string {
  return nameKey(mendEnding(name));
}

/** Words that the register treats as the same: it refuses a second company whose name differs only by them. */
const EITHER_WAY: readonly (readonly [RegExp, string])[] = [
  [/\blimited liability partnership$/i, 'LLP'],
  [/\bllp$/i, 'Limited Liability Partnership'],
  [/\blimited partnership$/i, 'LP'],
  [/\blp$/i, 'Limited Partnership'],
  [/\bco\.?(?= ?(?:ltd|limited|plc)\.?$)/i, 'Company '],
  [/\bcompany(?= (?:ltd|limited|plc)\.?$)/i, 'Co'],
];

/** Cleaned names that a name may be meant by, itself first: `NexusJupiter` may be two words, `LLP` be written out. */
export function spellingsOf(name: string): string[] {
  const others = EITHER_WAY.flatMap(([written, other]) => (written.test(name) ? name.replace(written, other) : []));
  const parted = name.replace(/(\p{Ll})(?=\p{Lu}\p{Ll})/gu, '$1 ');
  return [...new Set([name, parted, ...others].map(keyOf))];
}

/** The outward half of a postcode, such as `LS1`, or null where this is no postcode. */
export function outwardOf(postcode: string | null | undefined): string | null {
  return /^([A-Z]{1,2}\d[A-Z\d]?)\s*\d[A-Z]{2}$/.exec((postcode ?? '').trim().toUpperCase())?.[1] ?? null;
}

/** A published name without what is written about it. */
function unwrapName(name: string): string {
  if (name.length > READ_MOST) return name;
  const listed = name.replace(BEFORE, '');
  const bare = CARE_OF.exec(listed)?.[1] ?? listed;
  const [, head, initials] = INITIALS.exec(bare) ?? [];
  if (head && initials && areInitials(initials, head)) return head;
  const [, before] = BEHIND.exec(bare) ?? [];
  const rest = before === undefined ? '' : bare.slice(before.length);
  return before === undefined || new RegExp(FORM, 'i').test(rest) ? bare : before;
}

function areInitials(initials: string, name: string): boolean {
  const all = [...name.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word[0]).join('');
  return all.toUpperCase().startsWith(initials.replaceAll('&', '').toUpperCase());
}

/** Suppliers that are no single company of the register. */
type OtherKind = 'consortium' | 'person' | 'public_body' | 'charity' | 'total';

/** Kinds that may be on the register all the same: believed where it lists that very name at that very postcode. */
const MAY_BE_LISTED: ReadonlySet<OtherKind | null> = new Set(['public_body', 'charity']);

const CONSORTIUM =
  /\bconsorti(?:um|a)\b|\bjoint venture\b|\bjv\b|\bin (?:association|partnership|consortium) with\b|\bled by\b/i;
const COMPANY_FORM = String.raw`\b(?:ltd|limited|plc|llp)\b`;
const TWO_COMPANIES = new RegExp(`${COMPANY_FORM}.*(?:\\band\\b|&|[,;/+|]).*${COMPANY_FORM}`, 'i');
/** What follows a comma and tells of the company before it, not of another. */
const ASIDE = String.raw`(?:an?|part|member|subsidiary|division|formerly|previously|trading|t\/a|c\/o|on)\b`;
/** A legal form, what joins two names, and a second name with a legal form. */
const TOGETHER = new RegExp(
  String.raw`${COMPANY_FORM}[.)]*\s*(?:\band\b|&|\+|;|\/|\||,)\s*(?!${ASIDE})\S.*${COMPANY_FORM}`,
  'i',
);
const PERSON = /^(?:mr|mrs|ms|miss|mx|dr|prof|professor|rev|sir|dame)\b\.?\s/i;
const PUBLIC_BODY =
  /\b(?:council|borough|nhs|health board|universit(?:y|ies)|prifysgol|police|constabulary|fire (?:and|&) rescue|ministry|department (?:of|for)|government|authority|school|academy|college|academies trust)\b/i;
const CHARITY = /\bcharit(?:y|able|ies)\b/i;
const CHARITY_IDS = /^GB-(?:CHC|SC|NIC)-/;
const PUBLIC_IDS = /^GB-(?:NHS|UKPRN|LAE|LAS|GOR)-/;

const HOME =
  /^(?:uk|gb|gbr|u\.k\.|united kingdom.*|(?:great )?britain|england|scotland|wales|cymru|northern ireland|[a-z]*shire)$/i;

/** Whether an address names another country: a company there may bear the name of one here. */
export function isAbroad(country: string | undefined): boolean {
  return country !== undefined && country.trim() !== '' && !HOME.test(country.trim());
}

/** Whether one name holds the names of several companies: `Alder Ltd and Birch LLP`. */
export function namesSeveral(name: string): boolean {
  return TWO_COMPANIES.test(name) && TOGETHER.test(splitName(name).legal);
}

/**
 * How a supplier may be looked for: in every way, by name and postcode only, or not at all. Who is known by another
 * identifier and gives no company number is mostly no company.
 */
export function waysFor(parts: NameParts, ids: readonly string[]): 'every' | 'name_postcode' | 'none' {
  const kind = otherKindOf(parts, ids);
  if (kind === null) return ids.length > 0 ? 'name_postcode' : 'every';
  return MAY_BE_LISTED.has(kind) ? 'name_postcode' : 'none';
}

/**
 * What kind of supplier a name and its identifiers tell of, or null where it may be a company. A name that ends in a
 * company's legal form is a company's, unless it is two.
 */
function otherKindOf({ legal }: NameParts, ids: readonly string[]): OtherKind | null {
  if (isTotalRow(legal)) return 'total';
  if (TWO_COMPANIES.test(legal)) return 'consortium';
  const form = legalForm(legal);
  if (form === 'cio' || ids.some((id) => CHARITY_IDS.test(id))) return 'charity';
  if (form !== '') return null;
  if (CONSORTIUM.test(legal)) return 'consortium';
  if (PERSON.test(legal)) return 'person';
  if (PUBLIC_BODY.test(legal) || ids.some((id) => PUBLIC_IDS.test(id))) return 'public_body';
  return CHARITY.test(legal) ? 'charity' : null;
}

const CONSONANTS = 3;

/**
 * The key under which names that may be misspellings of each other meet: the first consonants of the cleaned name as
 * they sound, and the outward half of the postcode (`fnk LS1` for "Phoenix Cars" in LS1). The name comes first, as
 * editions of the register are in the order of names: rows that follow each other lie together in the index.
 */
export function blockOf(nameKey: string, postcode: string | null | undefined): string | null {
  const outward = outwardOf(postcode);
  const sound = outward && soundOf(nameKey);
  return sound ? `${sound.slice(0, CONSONANTS)} ${outward}` : null;
}

/** The block of a name, then those where it belongs if one of its first consonants is too many, or swapped with the next. */
export function blocksOf(nameKey: string, postcode: string | null | undefined): string[] {
  const outward = outwardOf(postcode);
  const sound = soundOf(nameKey);
  if (!outward || !sound) return [];
  const [a = '', b = '', c = '', d = ''] = sound;
  const sounds = [a + b + c, a + c + d, a + b + d, a + c + b, b + c + d, b + a + c];
  return [...new Set(sounds.map((some) => `${some} ${outward}`))];
}

/** The first consonants of a cleaned name; more of it than this is never needed for them. */
function soundOf(nameKey: string): string {
  const plain = nameKey
    .slice(0, 24)
    .replace(/\b(?:and|the)\b|[^a-z0-9]+/g, '')
    .replace(/ph/g, 'f')
    .replace(/[cq]/g, 'k')
    .replace(/z/g, 's');
  const rest = plain.slice(1).replace(/[aeiouyhw]+/g, '');
  return `${plain.slice(0, 1)}${rest}`.replace(/(.)\1+/g, '$1').slice(0, CONSONANTS + 1);
}
