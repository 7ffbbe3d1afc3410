import { legalForm, mendEnding, nameKey } from '../../../schema/names/spelling.ts';

/**
 * Additions to a company's name in lists of awards, before or after it. After a name they are removed only after a legal form,
 * and only these: `(Guernsey)`, `(North)` or `and Birch Ltd` belong to a different name.
 */
const FORM = String.raw`\b(?:ltd|limited|plc|llp|cic)\b\.?`;
const LOTS = String.raw`lots?\s*\d+[a-z]?(?:\s*(?:,|&|and|to|-)\s*\d+[a-z]?)*`;
const BEFORE = new RegExp(
  String.raw`^(?:${LOTS}\s*[:–-]\s*|\d{1,3}[.)]\s+|[a-z]\)\s+|messrs\.?\s+|m\/s\.?\s+)(?=\S.*${FORM})`,
  'i',
);
const SIZE_OR_STATE = '(?:non[- ])?sme|vcse|micro|small|medium|large|in (?:administration|liquidation|receivership)';
const ROLE =
  '(?:awarded|successful|winner|winning bidder|preferred (?:bidder|supplier)|(?:framework |approved )?(?:supplier|contractor|provider))';
const GROUP = String.raw`(?:a )?(?:part|member) of (?:the )?\S.*|an? \S.* (?:group )?company`;
/** No other name of the company, and no joint venture. */
const PLACE = String.raw`(?!(?:t\/?as?|d\/b\/a|trading|operating|doing|formerly|previously|f\/?k\/?a|now|joint|jv|in|with)\b)\S.* (?:branch|office|depot)`;
const WORDS = `${LOTS}|${SIZE_OR_STATE}|${ROLE}|${GROUP}`;
const STREET = String.raw`\d+[a-z]?,? \S.*\b(?:street|st|road|rd|lane|avenue|way|close|drive|park|estate|house|place|square|row)\b.*`;
const AFTER_FORM = new RegExp(
  String.raw`^(.{3,}?${FORM})(?:\s*[([](?:the|${WORDS}|${PLACE})[)\]]|\s*,\s*(?:${WORDS}|${STREET})|\s+[–-]\s+(?:${WORDS}|${PLACE})|\s+n\/a|\s+(?:https?:\/\/|www\.)\S+)\s*$`,
  'i',
);
/** A second company in an addition, but for the one group that the supplier is part of: a joint venture is none. */
const JV = String.raw`(?!.*\b(?:with|led by|jv|joint|consorti\w+)\b)`;
const SECOND = new RegExp(String.raw`^(?!\W*a? ?(?:part|member) of ${JV}(?:(?!${FORM}).)+${FORM}\W*$).*${FORM}`, 'i');
/** The firm whose address is given ("care of") is not the supplier. */
const CARE_OF = new RegExp(String.raw`^(.{3,}?${FORM})[\s,]+c\/o\s`, 'i');
/** The initials of a name in brackets after it: `Eldon Catering Ltd (ECL)`. */
const INITIALS = new RegExp(String.raw`^(.{3,}?${FORM})\s*\(([A-Z&]{2,8})\)\s*$`, 'i');
/** A company's number in brackets after its name, which no other firm follows: `Eldon Catering Ltd (01234567)`. */
const NUMBER = new RegExp(
  String.raw`^(?:(?!${FORM}).)+${FORM}(?:\s*\((?:company (?:no|number)\b\W*)?(\d{8}|[a-z]{2}\d{6})\)(?!.*${FORM}|\s*(?:[&+/,;]|and\b|with\b))|[\s,:–-]+((?:sc|ni|oc|so|nc)\d{6})$)`,
  'i',
);
/** Anything longer than this is a letter that somebody wrote into the name. */
const READ_MAX = 300;

/** A published supplier's name, split into parts. */
interface NameParts {
  /** The name to look up: what comes before "trading as" or "formerly", otherwise the whole. */
  legal: string;
  trading?: string;
  former?: string;
}

const END = String.raw`\)?\s*$`;
const DIVISION = new RegExp(String.raw`\b(?:a )?(?:division|trading (?:name|style)|brand) of\s+(.{3,}?)${END}`, 'i');
const TRADING = new RegExp(
  String.raw`^(.{3,}?)[\s,;.(–-]+(?:t[\/\\]as?|t\.a\.?|d\/b\/a|trading as|trading name(?! of)|operating as|doing business as|trading under the name(?: of)?)[\s:.]+(.{2,}?)${END}`,
  'i',
);
/** Without its stroke it counts between two names only; letter by letter, or as `dba`, after a legal form only. */
const TRADING_BARE = /^(.{3,}?\w)\s(?:ta|TA)\s(\w.+)$/;
const TRADING_AFTER_FORM = /^(.{3,}?\b(?:ltd|limited|plc|llp)\.?)[\s,(]+(?:t ?a|dba)\s+(\w.+?)\)?$/i;
/** The former name comes first here; the present one is the company's. */
const NOW = new RegExp(String.raw`^(.{3,}?)[\s,;(–-]+now (?:known as|called)[\s:]+(.{3,}?)${END}`, 'i');
/** A row with the total of a company's payments in a list: `Marwell Ltd Total`. */
const TOTAL_ROW =
  /\b(?:ltd|limited|plc|llp|cic|inc)[\s.)]*[\s:(–-]+(?:sub|grand|sum)?[\s-]?totals?[\s.:)]*$|^(?:sub|grand)[\s-]?totals?\b/i;
const FORMERLY = new RegExp(
  String.raw`^(.{3,}?)[\s,;(–-]+(?:formerly|previously|f\/k\/a|fka)(?: know[n]? as| called)?[\s:]+(.{3,}?)${END}`,
  'i',
);

/** Splits "A Ltd t/a B", "A (formerly known as B)" and "B, a division of A Ltd". */
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

/** Whether a published name is the label of a total rather than a name. */
export function isTotalRow(name: string): boolean {
  return TOTAL_ROW.test(name.trim());
}

/** The cleaned name of a part of a published name. */
export function keyOf(name: string): string {
  return nameKey(mendEnding(name));
}

/** Words that the register treats as the same: it refuses a second company whose name differs only in them. */
const EITHER_WAY: readonly (readonly [RegExp, string])[] = [
  [/\blimited liability partnership$/i, 'LLP'],
  [/\bllp$/i, 'Limited Liability Partnership'],
  [/\blimited partnership$/i, 'LP'],
  [/\blp$/i, 'Limited Partnership'],
  [/\bco\.?(?= ?(?:ltd|limited|plc)\.?$)/i, 'Company '],
  [/\bcompany(?= (?:ltd|limited|plc)\.?$)/i, 'Co'],
];

/** Cleaned names that a name may stand for, itself first: `NexusJupiter` may be two words, `LLP` may be written out. */
export function spellingsOf(name: string): string[] {
  const others = EITHER_WAY.flatMap(([written, other]) => (written.test(name) ? name.replace(written, other) : []));
  const parted = name.replace(/(\p{Ll})(?=\p{Lu}\p{Ll})/gu, '$1 ');
  return [...new Set([name, parted, ...others].map(keyOf))];
}

/** The outward half of a postcode, such as `LS1`, or null where the text is not a postcode. */
export function outwardOf(postcode: string | null | undefined): string | null {
  return /^([A-Z]{1,2}\d[A-Z\d]?)\s*\d[A-Z]{2}$/.exec((postcode ?? '').trim().toUpperCase())?.[1] ?? null;
}

/** The company number that stands in a published name, as published, or null. */
export function numberIn(name: string): string | null {
  return name.length > READ_MAX ? null : (NUMBER.exec(name)?.slice(1).find(Boolean) ?? null);
}

/** A published name without additions. */
function unwrapName(name: string): string {
  if (name.length > READ_MAX) return name;
  const listed = name.replace(BEFORE, '');
  const bare = CARE_OF.exec(listed)?.[1] ?? listed;
  const [, head, initials] = INITIALS.exec(bare) ?? [];
  if (head && initials && areInitials(initials, head)) return head;
  const before = AFTER_FORM.exec(bare)?.[1];
  return before === undefined || SECOND.test(bare.slice(before.length)) ? bare : before;
}

function areInitials(initials: string, name: string): boolean {
  const all = [...name.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word[0]).join('');
  return all.toUpperCase().startsWith(initials.replaceAll('&', '').toUpperCase());
}

/** Suppliers that are not a single company on the register. */
type OtherKind = 'consortium' | 'person' | 'public_body' | 'charity' | 'total';

/** Kinds that may still be on the register: accepted where it lists exactly that name at that postcode. */
const MAY_BE_LISTED: ReadonlySet<OtherKind | null> = new Set(['public_body', 'charity']);

const CONSORTIUM =
  /\bconsorti(?:um|a)\b|\bjoint venture\b|\bjv\b|\bin (?:association|partnership|consortium) with\b|\bled by\b/i;
const COMPANY_FORM = String.raw`\b(?:ltd|limited|plc|llp)\b`;
const TWO_COMPANIES = new RegExp(`${COMPANY_FORM}.*(?:\\band\\b|&|[,;/+|]).*${COMPANY_FORM}`, 'i');
/** What follows a comma and describes the company before it, rather than another one. */
const ADDITION = String.raw`(?:an?|part|member|subsidiary|division|formerly|previously|trading|t\/a|c\/o|on)\b`;
/** A legal form, a word that joins two names, and a second name with a legal form. */
const TOGETHER = new RegExp(
  String.raw`${COMPANY_FORM}[.)]*\s*(?:\band\b|&|\+|;|\/|\||,)\s*(?!${ADDITION})\S.*${COMPANY_FORM}`,
  'i',
);
const PERSON = /^(?:mr|mrs|ms|miss|mx|dr|prof|professor|rev|sir|dame)\b\.?\s/i;
const PUBLIC_BODY =
  /\b(?:council|borough|nhs|health board|universit(?:y|ies)|prifysgol|police|constabulary|fire (?:and|&) rescue|ministry|department (?:of|for)|government|authority|school|academy|college|academies trust)\b/i;
const CHARITY = /\bcharit(?:y|able|ies)\b/i;
const CHARITY_IDS = /^GB-(?:CHC|SC|NIC)-/;
const PUBLIC_IDS = /^GB-(?:NHS|UKPRN|LAE|LAS|GOR)-/;

const COUNTY_OR_COUNTRY = String.raw`(?:u\.?k\.?|g\.?b\.?r?|united kingdom.*|(?:y )?deyrnas unedig|(?:great )?britain|england|scotland|(?:south |north )?wales|cymru|northern ireland|(?:north |south |east |west )?[a-z]*-?shire|sir (?:y )?[a-z]+|east riding.*|(?:north |south )?humberside|(?:(?:north|south|east|west) )?yorks|(?:east |west )?sussex|(?:east |west |mid)lothian|(?:south |mid |west |vale of )?glamorgan|(?:east|west) midlands|(?:greater|great) (?:london|manchester)|tyne (?:and|&) wear|(?:north |south )?tyneside|isle of (?:anglesey|arran|bute|islay|lewis|man|mull|skye|wight)|channel islands|(?:co\.?|county) (?:antrim|armagh|down|durham|fermanagh|londonderry|tyrone)|(?:beds|berks|bucks|cambs|hants|herts|lancs|leics|lincs|middx|northants|notts|oxon|staffs|warks|wilts|worcs)\.?|anglesey|angus|argyll(?: (?:and|&) bute)?|avon|(?:scottish )?borders|caithness|ceredigion|cleveland|clwyd|cornwall|cumbria|devon|dorset|down|dumfries (?:and|&) galloway|dyfed|essex|fermanagh|fife|guernsey|gwent|gwynedd|highlands?|(?:republic of )?ireland|jersey|kent|merseyside|middlesex|moray|norfolk|northumberland|orkney|powys|rutland|salop|shetland|somerset|strathclyde|suffolk|surrey|sutherland|tayside|tyrone|ynys m[oô]n)`;
const WIDER = new RegExp(`^${COUNTY_OR_COUNTRY}$`, 'i');
const BEFORE_POSTCODE = /^(.*)\b[A-Z]{1,2}\d[A-Z\d]? ?[\dO][A-Z]{2}\b/i;
const ENDS_WIDER = new RegExp(`[\\s,]+${COUNTY_OR_COUNTRY}\\.?$`, 'i');
const TOWN = /^(?!(?:Nr|The)\b)(?:(?:St\.?|Y)(?= )|[A-Z][A-Za-z'’.-]{2,})(?: [A-Za-z][A-Za-z'’.-]*){0,3}$/;
const NO_TOWN =
  /\b(?:academy|airport|approach|arcade|arches|attn|attention|ave(?:nue)?|bankside|barn|bishopsgate|block|boulevard|box|broadway|brothers|buildings?|business|campus|canada|cent(?:re|er)|central|chambers?|cheapside|circus|close|college|cottage|council|court|crescent|department|depot|dept|directorate|division|drive|embankment|enterprise|esplanade|estate|exchange|farm|flat|floor|foundation|france|gardens?|gate(?=$)|germany|group|grove|hall|head|heights|holdings|hospital|hotel|house|hub|industrial|international|italy|lakeside|lane|level|limited|llp|lodge|ltd|maltings|manor|mansions|mews|mills?|moorgate|netherlands|north(?=$)|offices?|parade|park|parkway|partners(?:hip)?|phase|piccadilly|place|plaza|plc|point|precinct|priory|quarter|quay|quayside|rd|rectory|registered|rise|riverside|road|room|row(?=$)|school|services|site|society|solicitors|solutions|south(?=$)|square|st(?=$)|stadium|station|strand|street|studios?|suite|systems|technology|terrace|tower|trading|trust|unit|university|usa|vicarage|view|villas?|walk|warehouse|waterside|way|wharf|whitehall|wing|works(?:hops?)?|yard|zone)\b/i;

/** The town in an address on one line: what stands between two commas, or a comma and the postcode, and is no street, building or county. */
export function townIn(street: string): string | undefined {
  const parts = (BEFORE_POSTCODE.exec(street)?.[1] ?? '').split(/[,|]/).map((part) => part.trim().replace(/\.$/, ''));
  const place = parts.findLastIndex((part) => part !== '' && !WIDER.test(part));
  const town = parts[place]?.replace(ENDS_WIDER, '') ?? '';
  return place > 0 && TOWN.test(town) && !NO_TOWN.test(town) ? town : undefined;
}

const HOME =
  /^(?:uk|gb|gbr|u\.k\.|united kingdom.*|(?:great )?britain|england|scotland|wales|cymru|northern ireland|[a-z]*shire)$/i;

/** Whether an address is in another country: a company there may have the same name as one here. */
export function isAbroad(country: string | undefined): boolean {
  return country !== undefined && country.trim() !== '' && !HOME.test(country.trim());
}

/** Whether one name contains several companies: `Alder Ltd and Birch LLP`. */
export function namesSeveral(name: string): boolean {
  return TWO_COMPANIES.test(name) && TOGETHER.test(splitName(name).legal);
}

/**
 * How a supplier may be looked up: in every way, by name and postcode only, or not at all. A supplier with a different
 * identifier and no company number is usually not a company.
 */
export function waysFor(parts: NameParts, ids: readonly string[]): 'every' | 'name_postcode' | 'none' {
  const kind = otherKindOf(parts, ids);
  if (kind === null) return ids.length > 0 ? 'name_postcode' : 'every';
  return MAY_BE_LISTED.has(kind) ? 'name_postcode' : 'none';
}

/**
 * The kind of supplier that a name and its identifiers suggest, or null where it may be a company. A name that ends in a
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
 * The key that groups names that may be misspellings of each other, such as `fnk LS1` for "Phoenix Cars" in LS1. It has the
 * first consonants of the cleaned name by sound, and the outward half of the postcode. The name comes first because
 * editions of the register are sorted by name: consecutive rows are adjacent in the index. Null without a postcode, or if
 * the name has no sound.
 */
export function blockOf(nameKey: string, postcode: string | null | undefined): string | null {
  const outward = outwardOf(postcode);
  const sound = outward && soundOf(nameKey);
  return sound ? `${sound.slice(0, CONSONANTS)} ${outward}` : null;
}

/** The block of a name, then its blocks if one of its first consonants is superfluous, or swapped with the next. */
export function blocksOf(nameKey: string, postcode: string | null | undefined): string[] {
  const outward = outwardOf(postcode);
  const sound = soundOf(nameKey);
  if (!outward || !sound) return [];
  const [a = '', b = '', c = '', d = ''] = sound;
  const sounds = [a + b + c, a + c + d, a + b + d, a + c + b, b + c + d, b + a + c];
  return [...new Set(sounds.map((some) => `${some} ${outward}`))];
}

/** The first consonants of a cleaned name; they never need more of it than this. */
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
