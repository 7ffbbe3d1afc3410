import type { BuyerKind, KindSource } from '../../schema/catalogue/enums.ts';
import { bodyOf, nationInName } from '../../schema/names/buyers.ts';
import {
  type BuyerScope,
  nationOfSeat,
  nationOfTown,
  typeByName,
  typeOfListed,
} from '../../schema/names/public-bodies.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import type { OcdsParty } from '../../schema/ocds/types.ts';
import {
  type Nation,
  narrowest,
  nationOfName,
  nationOfPostcode,
  nationOfRegion,
  nationOfRegions,
  type Region,
  regionCodeOfPostcode,
  regionOfCode,
  regionOfMost,
} from '../../schema/reference/regions.ts';
import { memoise } from '../../schema/text/memoise.ts';
import { isAbroad } from './match/names.ts';

/** A buyer's kind of body, and the evidence. */
export interface BuyerType {
  type: BuyerKind;
  source: KindSource;
}

const RANKS: Readonly<Record<KindSource, number>> = { identifier: 0, classification: 1, name: 2 };
const LAST = 3;

/** Sources of a body's kind, surest first; a kind that only excludes another (`sub_central`) comes last. */
export function surestFirst(types: readonly BuyerType[]): BuyerType[] {
  const rank = ({ type, source }: BuyerType) => RANKS[source] + (type === 'sub_central' ? LAST : 0);
  return types.toSorted((a, b) => rank(a) - rank(b));
}

/** Registers that list bodies of one kind (org-id.guide; NHS, UK provider reference numbers), GB-GOR but for some such as park authorities. */
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

/** What a buyer ticks or writes under UK_CA_TYPE or TED_CA_TYPE, as a code or in the form's words; `other` says nothing. */
const BY_TICK: readonly (readonly [BuyerKind, RegExp])[] = [
  ['central', /^(?:publicAuthorityCentral|public authority - central|ministry|national_agency|national or federal)/i],
  ['utility', /^(?:public ?undertaking|private ?utility)/i],
  ['local', /^(?:regional_|regional or local )/i],
  ['sub_central', /SubCentral|^public authority - sub|^body_public|^body governed by public law/i],
  ['housing', /\bhousing association\b|\bregistered social landlord\b|\bRSL\b/i],
];
const OF_NATION = /^UK[LMN]$/;

/** How widely a buyer acts, and its region: none for a national body, wherever its offices are. */
interface BuyerPlace {
  scope: BuyerScope | null;
  region?: Region | undefined;
}

/** Bodies that serve several councils' areas, recognised by their names. */
const SEVERAL_AREAS =
  /\b(combined (?:county )?authority|integrated care board|\bicb|clinical commissioning group|commissioning support|health board|ambulance service|(?:national|regional) park authority|broads authority|greater london authority)\b/i;

/** Scopes that follow from the kind of a body that is on no list. */
const BY_KIND: Readonly<Record<string, BuyerScope>> = {
  devolved: 'regional',
  police_fire: 'regional',
  local: 'local',
  nhs: 'local',
  education: 'local',
};

/** Type of a buying organisation: by a register of such bodies, a plain name, its published classification, or a hint of its name. */
export function buyerTypeOf(party: OcdsParty, name: string, ids: readonly string[]): BuyerType | undefined {
  const found = ids.flatMap((id) => BY_SCHEME[id.slice(0, id.indexOf('-', 3))] ?? [])[0];
  const listed = found === 'central' && surelyNamed(name, found) ? undefined : found;
  if (listed) return { type: listed, source: 'identifier' };
  const ticked = party.classifications.flatMap(({ scheme, id, description = '' }) => {
    const found = BY_TICK.find(([, pattern]) => pattern.test((id ?? description).trim()));
    return found && /_CA_TYPE$/.test(scheme ?? '') ? found[0] : [];
  });
  // Trusts classify themselves as ministries, bodies of public law or sub-central authorities: their name is more reliable.
  if (typeByName(name) === 'nhs') return { type: 'nhs', source: 'name' };
  const activity = party.classifications.some(({ scheme }) => scheme === 'TED_CE_ACTIVITY') ? 'utility' : undefined;
  const classified = ticked.find((kind) => kind === 'central' || kind === 'utility') ?? activity;
  const surely = classified && surelyNamed(name, classified);
  if (classified) return surely ? { type: surely, source: 'name' } : { type: classified, source: 'classification' };
  const named = typeOfNamed(name);
  if (named) return { type: named, source: 'name' };
  const type = ticked.find((kind) => kind !== 'sub_central') ?? ticked[0];
  // A body of a whole nation that ticks `regional authority` is not local.
  const isOfNation = type === 'local' && OF_NATION.test(bodyOf(name)?.region ?? '');
  return type && { type: isOfNation ? 'sub_central' : type, source: 'classification' };
}

/** Names that only bodies of one kind have, and no body that looks after them: surer than any classification. */
const SURE: Readonly<Partial<Record<BuyerKind, RegExp>>> = {
  police_fire:
    /\bcrime commissioner\b|\bpolicing and crime\b|\bchief constable\b|\bpolice(?: (?:force|service|authority))?$|\bpolice service of\b|\bconstabulary$|\bfire (?:and|&) rescue (?:service|authority)\b|\bfire (?:service|authority|brigade|commissioner)\b(?! college)/i,
  housing:
    /\bhousing (?:association|group|trust|partnership|society)\b|\bcommunity housing\b|\bhomes(?: limited| ltd)?$/i,
  local:
    /\b(?:city|county|borough|district|town|parish) councils?\b(?!.*\b(?:limited|ltd|llp)\b)|\bcombined (?:county )?authority\b|\b(?:national|regional) park authority\b|\bbroads authority\b/i,
};
/** Words in names of a government's own bodies, which may look after schools or colleges. */
const OF_GOVERNMENT =
  /\b(?:national|royal|defence|military|government|office|service|agency|council|inspectorate|adjudicator|admissions)\b/i;

/**
 * The kind of a body whose name is surer than its classification, or undefined. In August 2026, one council in thirty and one
 * college in seven ticked central government or public undertaking, and so did landlords and police commissioners.
 */
function surelyNamed(name: string, classified: BuyerKind): BuyerKind | undefined {
  const body = bodyOf(name);
  const listed = body && typeOfListed(body);
  if (body?.scope === 'national') return listed === 'central' && classified !== 'central' ? listed : undefined;
  if (listed) return listed;
  const named = typeByName(name);
  if (named === undefined || named === classified || SURE[named]?.test(name)) return named;
  if (classified === 'utility') return named === 'local' ? undefined : named;
  return named === 'devolved' || (named === 'education' && !OF_GOVERNMENT.test(name)) ? named : undefined;
}

/** The kind of a body by the lists of public bodies, otherwise by its name; undefined where neither tells. */
function typeOfNamed(name: string): BuyerKind | undefined {
  const body = bodyOf(name);
  if (body === undefined) return typeByName(name);
  return typeOfListed(body) ?? (body.scope === 'national' ? undefined : typeByName(name));
}

/**
 * Where a buyer acts: by the lists of public bodies and local authorities under any of its names, otherwise by its kind. Its
 * region is that of its authority, or of most of its own addresses, each counted once; never a place of delivery. @param names
 * as published, the latest first @param regions of its own addresses, the latest first
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
  // Councils, trusts and colleges sometimes file themselves under central government.
  const named = names.flatMap((name) => typeByName(name) ?? []).find((one) => one !== 'central');
  return named === undefined ? 'national' : (BY_KIND[named] ?? null);
}

interface Address {
  postcode?: string | undefined;
  locality?: string | undefined;
  country?: string | undefined;
  region?: Region | undefined;
}

/** A nation, and the evidence. */
type NationSign = { nation: Nation; sign: string };

/** Ministries and offices of the Crown, wherever their sites are. */
const OF_THE_CROWN = /^(?:the )?(?:ministry of|hm|her majestys|his majestys|home office|cabinet office)\b/;
const DEPARTMENT = /^(?:the )?department (?:for|of)\b/;

/**
 * The nation of a notice or contract: its buyer's, otherwise that of its performance; null where neither is known. A body that
 * acts for the whole country is `uk`, wherever its office is. @param places - regions of performance
 */
export function nationOf(
  buyer: (Address & { name: string; kind?: string | undefined }) | undefined,
  places: readonly Region[],
): NationSign | null {
  const { name, kind, postcode, region, country, locality } = buyer ?? {};
  const found = buyer && nationOfNamed(JSON.stringify([[name], kind, [{ postcode, region, country, locality }]]));
  const performed = nationOfRegions(places);
  return found ?? (performed && { nation: performed, sign: 'place of performance' });
}

/** A buyer appears with each of its notices and contracts, and buyers are few. */
const nationOfNamed = memoise((said) => nationOfBuyer(...(JSON.parse(said) as Parameters<typeof nationOfBuyer>)));

/**
 * A buyer's nation, or null where it is not known. @param names as published, the latest first @param kind its kind of body and
 * the evidence: `central classification` @param addresses its own, the latest first: the first that gives a nation decides
 */
export function nationOfBuyer(
  names: readonly string[],
  kind: string | undefined,
  addresses: readonly Address[],
): NationSign | null {
  const [name = ''] = names;
  const [listed] = names.flatMap((one) => bodyOf(one) ?? []);
  if (listed?.inEngland) return { nation: 'england', sign: 'the list of bodies that act in England' };
  if (listed?.scope === 'national') return { nation: 'uk', sign: 'the list of national bodies' };
  const ofList = listed?.region === undefined ? null : nationOfCode(listed.region);
  if (ofList) return { nation: ofList, sign: 'the list of public bodies' };
  const byName = (nation: Nation) => ({ nation, sign: `name "${name}"` });
  const named = nationInName(name);
  if (named && GOVERNMENT.test(name)) return byName(named);
  const [located] = addresses.flatMap((address) => nationOfAddress(address) ?? []);
  const key = nameKey(name);
  // Departments of Northern Ireland have names like those in London.
  const isDepartment = DEPARTMENT.test(key) && (located?.nation ?? named) !== 'northern_ireland';
  if (isDepartment || OF_THE_CROWN.test(key)) return byName('uk');
  const isNational = placeOfBuyer(names, kind?.split(' ')[0] as 'central' | undefined, []).scope === 'national';
  // Bodies of the devolved governments are filed under central government too, with their own addresses.
  if (isNational && located?.nation === 'england' && named !== 'england')
    return { nation: 'uk', sign: 'its classification as central government' };
  const found = named ?? nationOfSeat(name);
  return located ?? (found && byName(found));
}

const GOVERNMENT = /\b(?:government|ministers|parliament|senedd|llywodraeth|executive|assembly)\b/i;

function nationOfCode(code: string): Nation | null {
  const region = regionOfCode(code);
  return region && nationOfRegion(region);
}

/** The nation of an address: by its postcode, otherwise its region, country or town. Near a border, villages may have the name of a town on the other side. */
function nationOfAddress({ postcode, region, country, locality }: Address): NationSign | null {
  // A region that was read from the postcode adds nothing to it.
  const isOwn = region && (region.code === undefined || region.code !== regionCodeOfPostcode(postcode));
  const found: [Nation | null, string][] = [
    [nationOfPostcode(postcode), `postcode ${postcode}`],
    [isOwn ? nationOfRegion(region) : null, `region ${region?.code ?? region?.name}`],
    [nationOfName(country), `country "${country}"`],
    [isAbroad(country) ? null : nationOfTown(locality ?? '', postcode), `locality "${locality}"`],
  ];
  for (const [nation, sign] of found) if (nation && nation !== 'uk') return { nation, sign };
  return null;
}
