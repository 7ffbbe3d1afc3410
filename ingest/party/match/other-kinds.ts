import { legalForm } from '../../../schema/names/legal-forms.ts';
import { isTotalRow, type NameParts, splitName } from './names.ts';

/** Suppliers that are no single company of the register. */
type OtherKind = 'consortium' | 'person' | 'public_body' | 'charity' | 'total';

/** Kinds that may be on the register all the same: believed where it lists that very name at that very postcode. */
const MAY_BE_LISTED: ReadonlySet<OtherKind | null> = new Set(['public_body', 'charity']);

const CONSORTIUM =
  /\bconsorti(?:um|a)\b|\bjoint venture\b|\bjv\b|\bin (?:association|partnership|consortium) with\b|\bled by\b/i;
const FORM = String.raw`\b(?:ltd|limited|plc|llp)\b`;
const TWO_COMPANIES = new RegExp(`${FORM}.*(?:\\band\\b|&|[,;/+|]).*${FORM}`, 'i');
/** What follows a comma and tells of the company before it, not of another. */
const ASIDE = String.raw`(?:an?|part|member|subsidiary|division|formerly|previously|trading|t\/a|c\/o|on)\b`;
/** A legal form, what joins two names, and a second name with a legal form. */
const TOGETHER = new RegExp(String.raw`${FORM}[.)]*\s*(?:\band\b|&|\+|;|\/|\||,)\s*(?!${ASIDE})\S.*${FORM}`, 'i');
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
