import type { BuyerKind, KindSource } from '../../schema/catalogue/enums.ts';
import type { OcdsParty } from '../../schema/ocds/types.ts';

/** What kind of body a buyer is, and what says so. */
export interface BuyerType {
  type: BuyerKind;
  source: KindSource;
}

/** Registers that list bodies of one kind alone (org-id.guide; NHS organisation codes, UK provider reference numbers). */
const BY_SCHEME: Readonly<Record<string, BuyerKind>> = {
  'GB-NHS': 'nhs',
  'GB-UKPRN': 'education',
  'GB-EDU': 'education',
  'GB-LAE': 'local',
  'GB-LAS': 'local',
  'GB-LANI': 'local',
  'GB-PLA': 'local',
  'GB-GOR': 'central',
};

/** Codes of UK_CA_TYPE and TED_CA_TYPE that name a kind; `other` and bodies governed by public law do not (UPSTREAM 3.4). */
const BY_CODE: Readonly<Record<string, BuyerKind>> = {
  publicAuthorityCentralGovernment: 'central',
  MINISTRY: 'central',
  NATIONAL_AGENCY: 'central',
  publicUndertaking: 'utility',
  privateUtility: 'utility',
};
const LOCAL_CODES: ReadonlySet<string> = new Set(['REGIONAL_AUTHORITY', 'REGIONAL_AGENCY']);
const SUB_CENTRAL = /SubCentral|REGIONAL|BODY_PUBLIC/;

const NHS =
  /\bNHS\b|national health service|integrated care board|clinical commissioning group|\bhealth board\b|ambulance service/i;
/** Councils that govern no place. */
const NO_PLACE =
  /\b(research|arts?|british|design|sports?|funding|nursing|learned|skills|medical|dental|optical|teaching|midwifery|care|engineering|bar|judicial|forensic)\b.*\bcouncil\b/i;
const BY_NAME: readonly (readonly [BuyerKind, RegExp])[] = [
  [
    'devolved',
    /\b(scottish|welsh) (government|ministers|parliament)\b|\bsenedd\b|northern ireland (executive|assembly|office)|department (of|for) .*\b(northern ireland|ni)\b/i,
  ],
  ['police_fire', /\b(police|constabulary|fire (and|&) rescue|fire (service|authority|brigade))\b/i],
  ['education', /\b(universit(y|ies)|college|academy|academies|schools?|education trust)\b/i],
  ['housing', /\b(housing|homes)\b/i],
  ['local', /\b(council|borough|city of|combined authority|unitary authority|greater london authority)\b/i],
  ['central', /^(the )?(department|ministry|home office|cabinet office|hm |crown commercial|government )/i],
];

/** Type of a buying organisation: by a register that lists only such bodies, by its published classification, else by its name. */
export function buyerTypeOf(party: OcdsParty, name: string, ids: readonly string[]): BuyerType | undefined {
  const schemes = ids.map((id) => id.slice(0, id.indexOf('-', 3)));
  const listed = schemes.flatMap((scheme) => BY_SCHEME[scheme] ?? [])[0];
  if (listed) return { type: listed, source: 'identifier' };
  const codes = party.classifications.map(({ id }) => id ?? '');
  // Trusts call themselves ministries, bodies of public law or sub-central authorities: their name says more.
  if (NHS.test(name)) return { type: 'nhs', source: 'name' };
  const classified = codes.flatMap((code) => BY_CODE[code] ?? [])[0];
  if (classified) return { type: classified, source: 'classification' };
  if (party.classifications.some(({ scheme }) => scheme === 'TED_CE_ACTIVITY'))
    return { type: 'utility', source: 'classification' };
  const named = typeByName(name);
  if (named) return { type: named, source: 'name' };
  if (codes.some((code) => LOCAL_CODES.has(code))) return { type: 'local', source: 'classification' };
  return codes.some((code) => SUB_CENTRAL.test(code)) ? { type: 'sub_central', source: 'classification' } : undefined;
}

/** What kind of body a name tells of, or undefined. */
export function typeByName(name: string): BuyerKind | undefined {
  if (NHS.test(name)) return 'nhs';
  return BY_NAME.find(([type, pattern]) => pattern.test(name) && !(type === 'local' && NO_PLACE.test(name)))?.[0];
}
