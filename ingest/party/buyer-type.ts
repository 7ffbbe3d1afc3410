import type { BuyerKind, KindSource } from '../../schema/catalogue/enums.ts';
import { bodyOf } from '../../schema/names/buyers.ts';
import type { BuyerScope } from '../../schema/names/public-bodies.ts';
import type { OcdsParty } from '../../schema/ocds/types.ts';
import { type Region, regionOfCode } from '../../schema/reference/regions.ts';

/** What kind of body a buyer is, and what says so. */
export interface BuyerType {
  type: BuyerKind;
  source: KindSource;
}

const RANKS: Readonly<Record<KindSource, number>> = { identifier: 0, classification: 1, name: 2 };
const LAST = 3;

/** Kinds of one body by how sure their source is; one that only says what the body is not (`sub_central`) comes last. */
export function surestFirst(types: readonly BuyerType[]): BuyerType[] {
  const rank = ({ type, source }: BuyerType) => RANKS[source] + (type === 'sub_central' ? LAST : 0);
  return types.toSorted((a, b) => rank(a) - rank(b));
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

/** How far a buyer acts, and the region that it is of: none where it acts nationally, wherever its offices are. */
interface BuyerPlace {
  scope: BuyerScope | null;
  region?: Region | undefined;
}

/** Bodies that serve several councils' areas, by what they call themselves. */
const SEVERAL_AREAS =
  /\b(combined authority|integrated care board|\bicb|clinical commissioning group|commissioning support|health board|ambulance service|national park authority|greater london authority)\b/i;

/** Scopes that follow from the kind of a body, where no list has it. */
const BY_KIND: Readonly<Record<string, BuyerScope>> = {
  devolved: 'regional',
  police_fire: 'regional',
  local: 'local',
  nhs: 'local',
  education: 'local',
};

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
function typeByName(name: string): BuyerKind | undefined {
  if (NHS.test(name)) return 'nhs';
  return BY_NAME.find(([type, pattern]) => pattern.test(name) && !(type === 'local' && NO_PLACE.test(name)))?.[0];
}

/**
 * Where a buyer acts: by the lists of public bodies and local authorities under any of its names, else by its kind. Its region
 * is its authority's or that of most of its own addresses, each counted once; never a place of delivery.
 * @param names as published, the latest first
 * @param regions of its own addresses, the latest first
 */
export function placeOfBuyer(
  names: readonly string[],
  type: BuyerType['type'] | undefined,
  regions: readonly Region[],
): BuyerPlace {
  const [listed] = names.flatMap((name) => bodyOf(name) ?? []);
  const scope = listed?.scope ?? scopeByKind(names, type);
  if (scope === 'national') return { scope };
  const own = listed?.region;
  if (own === undefined) return { scope, region: regionOfMost(regions) };
  const within = regions.filter(({ code }) => code?.startsWith(own));
  return { scope, region: narrowest(within) ?? regionOfCode(own) ?? undefined };
}

function scopeByKind(names: readonly string[], type: string | undefined): BuyerScope | null {
  if (names.some((name) => SEVERAL_AREAS.test(name))) return 'regional';
  if (type !== 'central') return BY_KIND[type ?? ''] ?? null;
  // Councils, trusts and colleges file themselves under central government now and then.
  const named = names.flatMap((name) => typeByName(name) ?? []).find((one) => one !== 'central');
  return named === undefined ? 'national' : (BY_KIND[named] ?? null);
}

/** The region of most addresses, of equally many the one named last, as narrow as one of them says. */
function regionOfMost(regions: readonly Region[]): Region | undefined {
  const placed = regions.filter(({ code }) => code !== undefined && code.length > 2);
  if (placed.length === 0) return regions[0];
  const votes = new Map<string, Region[]>();
  for (const region of placed) {
    const area = region.code?.slice(0, 3) ?? '';
    votes.set(area, [...(votes.get(area) ?? []), region]);
  }
  const [most = []] = [...votes.values()].toSorted((a, b) => b.length - a.length);
  return narrowest(most);
}

/** The region named last, at the narrowest level that notices placed it there: a postcode tells only the widest. */
function narrowest(regions: readonly Region[]): Region | undefined {
  const [latest] = regions;
  const within = regions.filter(({ code }) => latest?.code && code?.startsWith(latest.code));
  return within.reduce((one, other) => ((other.code?.length ?? 0) > (one?.code?.length ?? 0) ? other : one), latest);
}
