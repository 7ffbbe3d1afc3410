import authorities from '../reference/local-authorities.json' with { type: 'json' };
import bodies from '../reference/public-bodies.json' with { type: 'json' };
import {
  codeOfRegionName,
  type Nation,
  nationOfName,
  nationOfRegion,
  nationOfTownWhereNationsMeet,
  regionOfCode,
} from '../reference/regions.ts';
import towns from '../reference/towns.json' with { type: 'json' };
import { memoise } from '../text/memoise.ts';
import { nameKey } from './spelling.ts';

/** How widely a buyer acts: in the whole country, in a nation, region or several councils' areas, or in one place. */
export const BUYER_SCOPES = ['national', 'regional', 'local'] as const;
export type BuyerScope = (typeof BUYER_SCOPES)[number];

/** A listed public body: where it acts, and how widely. */
export interface KnownBody {
  /** Its usual cleaned name, whatever a notice calls it. */
  key: string;
  scope: BuyerScope;
  /** ITL 1 code of its region; absent for a national body. */
  region?: string;
  /** Set for a national body that acts in England alone. */
  inEngland?: true;
}

/** A body found by name. */
interface Entry {
  body: KnownBody;
  /** Whether the name is only a place's, and may mean the place. */
  isPlace: boolean;
}

/** The body with a cleaned name, or undefined; a name that two bodies share means neither. */
export function knownBody(key: string): Entry | undefined {
  entries ??= readEntries();
  return entries.get(abbreviate(key)) ?? undefined;
}

function abbreviate(key: string): string {
  return key
    .replace(/\bunited kingdom\b/g, 'uk')
    .replace(/^(?:her|his) majestys /, 'hm ')
    .replace(/ local health board$/, ' health board');
}

function listKey(name: string): string {
  return abbreviate(nameKey(name));
}

/** Whether a body is part of another one and not a legal person: an agency that buys in its ministry's name. */
export function isPartOf(part: KnownBody, whole: KnownBody): boolean {
  const parts: Readonly<Record<string, readonly string[]>> = bodies.parts;
  return Object.entries(parts).some(
    ([name, own]) => listKey(name) === whole.key && own.some((one) => listKey(one) === part.key),
  );
}

let entries: Map<string, Entry | null> | undefined;

/** Cleaned name -> body; null where two bodies share it. */
function readEntries(): Map<string, Entry | null> {
  const found = new Map<string, Entry | null>();
  const add = (key: string, entry: Entry) => {
    const known = found.get(key);
    if (known === undefined) found.set(key, entry);
    else if (known?.body.key !== entry.body.key) found.set(key, null);
  };
  for (const [official, names, body] of readLists()) {
    for (const name of names) add(name, { body, isPlace: false });
    if (official.place !== undefined) for (const place of official.place) add(place, { body, isPlace: true });
  }
  // The legal name of a body is always its own, even where another body uses it too.
  for (const [official, , body] of readLists()) found.set(official.name, { body, isPlace: false });
  return found;
}

type Listed = readonly [official: { name: string; place?: string[] }, names: readonly string[], body: KnownBody];

function* readLists(): Generator<Listed> {
  const { source: _, parts: __, central: ___, ...areas } = bodies;
  for (const [area, listed] of Object.entries(areas))
    for (const [name = '', ...others] of listed) {
      const key = listKey(name);
      yield [{ name: key }, others.map(listKey), { key, ...scopeOfList(area) }];
    }
  const { source: ____, ...regions } = authorities;
  for (const [region, listed] of Object.entries(regions))
    for (const [name = '', type = '', ...others] of listed) {
      const key = listKey(name);
      const places = others.filter((one) => !isWhole(one)).map(listKey);
      const names = [
        ...others.filter(isWhole).map(listKey),
        ...places.flatMap((place) => waysToWrite(place, type, key)),
      ];
      const place = BORNE_ALONE.has(type) ? { place: places } : {};
      yield [{ name: key, ...place }, names, { key: plainCouncil(key), scope: 'local', region }];
    }
}

function scopeOfList(area: string): Omit<KnownBody, 'key'> {
  if (area === 'national') return { scope: 'national' };
  return area === 'england' ? { scope: 'national', inEngland: true } : { scope: 'regional', region: area };
}

/** A council's name without its last word, if that still identifies the council. */
const STILL_A_COUNCIL = / of | (?:borough|district|county|city)$/;

/** A council's cleaned name without its optional parts: `city of` before it, a last `council` that the rest implies. */
export function plainCouncil(key: string): string {
  if (!key.endsWith(' council')) return key;
  const council = key.replace(/^city of /, '');
  const bare = council.replace(/ council$/, '');
  return STILL_A_COUNCIL.test(bare) ? bare : council;
}

function isWhole(name: string): boolean {
  return /\b(?:Council|Corporation|Cyngor)\b/.test(name);
}

/** Types of authorities for which the bare place is accepted: a county's name is also its police force's. */
const BORNE_ALONE: ReadonlySet<string> = new Set(['LBO', 'MD', 'UA', 'NMD', 'WPA']);

/** How an authority's name is written, by the kind of place that it governs: `lb camden`, `camden borough council`. */
function waysToWrite(place: string, type: string, official: string): string[] {
  const is = (word: string) => new RegExp(`\\b${word}\\b`).test(official);
  const short = (letters: string) => `${place} ${letters}`;
  const ways: string[] = [];
  if (type === 'CC') return [place];
  if (type === 'CTY' || (is('county') && !is('county borough') && !is('city')))
    ways.push(`${place} county`, short('cc'));
  if (type === 'LBO')
    ways.push(...[`london borough of ${place}`, `london borough ${place}`, `${place} london borough`], `lb ${place}`);
  if (type === 'LBO') ways.push(...[`lb of ${place}`, short('lb'), short('lbc')]);
  if (is('royal borough')) ways.push(`royal borough of ${place}`, `${place} royal borough`);
  // A town in a district may have a city council of its own (Lichfield, Chichester).
  if (is('city') || type === 'MD') ways.push(`${place} city`, `city of ${place}`);
  if (is('county borough')) ways.push(`${place} county borough`, short('cbc'));
  if (type === 'MD') ways.push(`${place} metropolitan`, ...metropolitanWays(place));
  if (type !== 'CTY')
    ways.push(`${place} borough`, `borough of ${place}`, short('bc'), `${place} district`, short('dc'));
  const councils = type === 'CTY' ? ways : [...ways, place];
  return [...ways, ...councils.map((way) => `${way} council`)];
}

function metropolitanWays(place: string): string[] {
  return ['borough', 'district'].flatMap((kind) => {
    const short = `m${kind.charAt(0)}c`;
    const way = `${place} metropolitan ${kind}`;
    return [
      way,
      `city of ${way}`,
      `metropolitan ${kind} of ${place}`,
      `${place} ${short}`,
      `city of ${place} ${short}`,
    ];
  });
}

/** Towns that exist in several nations, and after which an authority of one is named. */
const AMBIGUOUS = new Set(['newport', 'richmond', 'newcastle']);

/** Cleaned town, county or island -> the only nation with one of that name. */
const NATION_OF_TOWN = new Map(
  (['scotland', 'wales', 'northern_ireland'] as const).flatMap((nation) =>
    towns[nation].split(', ').map((town): [string, Nation] => [nameKey(town), nation]),
  ),
);

/**
 * The nation of a town; null if it is unclear. A town may exist in one nation only, have an authority or region named after
 * it, or end with the nation's name. With a postcode of a district in which two nations meet, its towns there are tried
 * first.
 */
export function nationOfTown(locality: string, postcode?: string): Nation | null {
  const meeting = nationOfTownWhereNationsMeet(postcode, locality);
  if (meeting) return meeting;
  for (const part of locality.split(',').toReversed()) {
    const place = nameKey(part);
    const authority = knownBody(place) ?? knownBody(`city of ${place} council`);
    const region = AMBIGUOUS.has(place) ? null : regionOfCode(codeOfRegionName(part) ?? authority?.body.region ?? '');
    const found = nationOfName(part) ?? NATION_OF_TOWN.get(place) ?? (region && nationOfRegion(region));
    if (found) return found;
  }
  return null;
}

/** The nation of the only town or county in the name of a university or college, which is named after its seat; or null. */
export function nationOfSeat(name: string): Nation | null {
  if (!/\b(?:university|college|prifysgol|coleg)\b/i.test(name)) return null;
  const words = nameKey(name).split(' ');
  const places = words.flatMap((word, at) => [word, words.slice(at, at + 2).join(' ')]);
  const [only = null, ...more] = new Set(places.flatMap((place) => nationOfTown(place) ?? []));
  return more.length === 0 ? only : null;
}

/** What kind of body a name can tell. */
type NamedKind = 'central' | 'devolved' | 'local' | 'nhs' | 'education' | 'police_fire' | 'housing';

const NHS =
  /\bNHS\b|national health service|integrated care board|clinical commissioning group|\bhealth board\b|ambulance service|\buniversity (?:\w+ )?hospitals?\b|\b(?:health (?:and|&) social care|HSC) trust\b|\b(?:ICB|UHB)\b|\bbwrdd iechyd\b|^(?:public health (?:scotland|wales)|healthcare improvement scotland|health education and improvement wales|digital health and care wales|(?:the )?state hospitals? board)\b/i;
/** Departments. What follows is what they look after: `Ministry of Housing`. */
const DEPARTMENT = /^(?:the )?(?:department|ministry)\b(?!.*\b(?:university|ltd|limited|plc|llp)\b)/i;
/** Councils that do not govern a place. */
const NO_PLACE =
  /\b(research|arts?|privy|british|design|sports?|funding|nursing|learned|skills|medical|dental|optical|teaching|midwifery|care|engineering|bar|judicial|forensic)\b.*\bcouncils?\b|\b(social services|workforce|consumer|registration|osteopathic|chiropractic) council\b|(?<!\b(?:city|county|borough|district|town|parish) )\bcouncil for\b|\bplc\b/i;
const BY_NAME: readonly (readonly [NamedKind, RegExp])[] = [
  [
    'devolved',
    /\b(scottish|welsh) (government|ministers|parliament)\b|\bsenedd\b|northern ireland (executive|assembly|office)|department (of|for) .*\b(northern ireland|ni)\b/i,
  ],
  ['central', DEPARTMENT],
  [
    'police_fire',
    /\b(police|policing|constabulary|chief constable|heddlu|fire (and|&) rescue|fire (service|authority|brigade|commissioner)|t[aâ]n ac achub)\b/i,
  ],
  ['education', /\b(universit\w+|prifysgol|coll?ege?s?|conservatoire|academ(y|ies)|schools?|ysgol|education trust)\b/i],
  ['housing', /\b(housing|homes|cartrefi)\b|^tai\b|\(tai\)/i],
  [
    'local',
    /\b(councils?|cyngor (?:tref|cymuned|sir|dinas|bwrdeistref)|borough|city of|combined (?:county )?authority|unitary authority|greater london authority|(?:national|regional) park authority|broads authority)\b/i,
  ],
  ['central', /^(the )?((?:home|cabinet) office\b(?!.*\b(?:ltd|limited|plc|llp)\b)|hm |crown commercial|government )/i],
];

const isCentral = memoise((key) => bodies.central.some((name) => listKey(name) === key));

/** Regions that are nations with a government of their own. */
const OF_NATION = /^UK[LMN]$/;

/** The kind of body that a name suggests, or undefined. */
export function typeByName(name: string): NamedKind | undefined {
  if (NHS.test(name)) return 'nhs';
  return BY_NAME.find(([type, pattern]) => pattern.test(name) && !(type === 'local' && NO_PLACE.test(name)))?.[0];
}

/**
 * The kind of a listed body, by the list of central ones or by its listed name. Listed places are councils'; a council of the whole
 * country governs none, and a department of a nation is its government's.
 */
export function typeOfListed({ key, scope, region }: KnownBody): NamedKind | undefined {
  const named = typeByName(key);
  if (scope === 'local') return named ?? 'local';
  if (scope === 'national' && isCentral(key)) return 'central';
  if (scope === 'national') return named === 'local' || named === 'devolved' ? undefined : named;
  return named === 'central' && OF_NATION.test(region ?? '') ? 'devolved' : named;
}
