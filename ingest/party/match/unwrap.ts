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
/** Whose address is given is nobody's supplier. */
const CARE_OF = new RegExp(String.raw`^(.{3,}?${FORM})[\s,]+c\/o\s`, 'i');
/** The initials of a name in brackets behind it: `Eldon Catering Ltd (ECL)`. */
const INITIALS = new RegExp(String.raw`^(.{3,}?${FORM})\s*\(([A-Z&]{2,8})\)\s*$`, 'i');
/** A name is longer than this only where somebody wrote a letter into it. */
const READ_MOST = 300;

/** A published name without what is written about it. */
export function unwrapName(name: string): string {
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
