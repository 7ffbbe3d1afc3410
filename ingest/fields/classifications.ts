import type { NoticeDetail } from '../../schema/catalogue/details.ts';
import type { OcdsAddress, OcdsClassification, OcdsItem, OcdsRelease, OcdsTender } from '../../schema/ocds/types.ts';
import {
  codeOfRegionName,
  NATION_NAMES,
  nationOfName,
  type Region,
  regionOfCode,
  regionOfPostcode,
} from '../../schema/reference/regions.ts';
import { makeLookup } from '../../schema/text/json-values.ts';
import { matchesOf, memoise, memoiseByObject } from '../../schema/text/memoise.ts';
import { cleanLine, cleanText, quote, saysNothing, TEXT_MAX } from './text/clean.ts';

function itemsOf({ tender, awards, contracts }: OcdsRelease): OcdsItem[] {
  return [...tender.items, ...awards.flatMap((award) => award.items), ...contracts.flatMap((one) => one.items)];
}

/** CPV codes (8 digits) from every place that has some, each once, the main one first, with their descriptions. */
export function cpvsOf(ocds: OcdsRelease) {
  return readCodes([...ocds.tender.classifications, ...itemsOf(ocds).flatMap((item) => item.classifications)]);
}

/** A code that a spreadsheet took for a number: of the divisions that begin with 0, only 03 and 09 exist. */
const LOST_ZERO = /^[39]\d{6}(?!\d)/;
/** A code at the beginning of a text, which its name or its words may surround: `CPV: 45000000-7 - Construction work`. */
const LABELLED = /^(?:CPV\W{0,3})?(\d{8})(?:-\d)?(?=$|[\s:(]|[-–—](?!\d))/i;
/** Where another code follows in one text. */
const NEXT_CODE = /[,;]\s?(?=(?:CPV\W{0,3})?\d{8}(?!\d))/i;
/** A code at the end of an address of the vocabulary: `http://cpv.data.ac.uk/code-45000000.html`. */
const IN_ADDRESS = /^https?:\/\/(?=\S*\bcpv\b)\S*?\b(\d{8})(?:-\d)?(?:\.html?)?$/i;

/** The codes in the id of a classification. */
function codesIn(id: string): string[] {
  const text = id.replace(IN_ADDRESS, '$1');
  return text.split(NEXT_CODE).flatMap((part) => LABELLED.exec(part.replace(LOST_ZERO, '0$&'))?.[1] ?? []);
}

/**
 * CPV codes (8 digits) among classifications, each once and in order, with their published descriptions, and ids that are none.
 * Other schemes and `00000000` are omitted.
 */
export function readCodes(classifications: readonly OcdsClassification[]) {
  const descriptions: Record<string, string> = {};
  const codes = new Set<string>();
  const unread = new Set<string>();
  for (const { scheme, id, description } of classifications) {
    if (id === undefined || !(scheme === undefined || /cpv|procurement vocabulary/i.test(scheme))) continue;
    const found = codesIn(id);
    // `CPVS` is the scheme of the supplementary codes, such as `DA03`, which are not read.
    if (found.length === 0 && !/cpvs/i.test(scheme ?? '')) unread.add(id);
    for (const code of found) {
      if (code === '00000000') continue;
      codes.add(code);
      if (description) descriptions[code] ??= cleanLine(description);
    }
  }
  return { codes: [...codes], descriptions, unread: [...unread] };
}

/** The warning for the first of the published classifications that are no CPV codes, though they should be; otherwise none. */
export function warnOfCodes(unread: readonly string[]): string[] {
  return unread.slice(0, 1).map((id) => `a classification that is no CPV code was published: ${quote(id)}`);
}

const COUNTRIES = new Set(['uk', 'gb', 'united kingdom', 'great britain']);
/** The code of a country. Find a Tender repeats that of a place abroad as its region, and East Timor's is `TL` (076105-2026). */
const COUNTRY_CODE = /^[a-z]{2}$/i;

const POSTCODE = /\b([A-Z]{1,2}\d[A-Z\d]?)[^\S\n]*(\d[A-Z]{2})\b/gi;
/** A postcode at the end of a line with the letter O instead of a zero: `LS1 OAB`. */
const ZERO_AS_LETTER = /(?<outward>\b[A-Z]{1,2}\d[A-Z\d]?[^\S\n]*)O(?<unit>[ABD-HJLNP-UW-Z]{2}[^\S\n]*)$/gm;

/** In a field of its own, also with a space in its second half: `EH6 6 QQ`. */
const UNIT_APART = /^(\s*[A-Z]{1,2}\d[A-Z\d]?\s+\d)\s+([A-Z]{2}\s*)$/i;

/** A region by its name on Contracts Finder, or a nation by any of its names; otherwise null. England has no ITL code. */
export function regionOfName(raw: string): Region | null {
  const nation = nationOfName(raw);
  const name = nation ? NATION_NAMES[nation] : raw;
  const code = codeOfRegionName(name);
  return code ? regionOfCode(code) : nation && { name };
}

/** Codes of the Office for National Statistics for regions of England and for countries. */
const OF_ONS = makeLookup({
  ...Object.fromEntries([...'CDEFGHIJK'].map((letter, place) => [`E1200000${place + 1}`, `UK${letter}`])),
  E92000001: 'England',
  K02000001: 'UK',
  N92000002: 'UKN',
  S92000003: 'UKM',
  W92000004: 'UKL',
});
/** A region's code within a text: letters alone, as `UKE`, only in brackets or before a dash or colon, as they may be a word. */
const CODE_IN_WORDS =
  /(?<![A-Z0-9])(?:(?:UK|TL)[C-N]\d[A-Z0-9]?|[EKNSW]\d{8})(?![A-Z0-9])|(?<=\()(?:UK|TL)[C-N]?(?=\))|^(?:UK|TL)[C-N]?(?= [-–—] |:)/gi;
/** A longer text describes a place, and names no region. */
const REGION_MAX = 200;

/** The regions that a text names: by a name, or by codes, which may have words around them (`UKE42 - Leeds, UKE41`). */
export function regionsIn(text: string): Region[] {
  return text.length > REGION_MAX ? [] : readRegions(text);
}

/** The name of an area: a code of the country, a nation or a region is read, and any other text stays. */
export function nameArea(text: string): string {
  return /^[EKNSW]\d{8}$/.test(text) ? (regionsIn(text)[0]?.name ?? text) : text;
}

/** Cached, as the same few are published again and again. */
const readRegions = memoise((text): Region[] => {
  const whole = regionOfCode(text) ?? regionOfName(text);
  if (whole) return [whole];
  return text.split(/[,;/]/).flatMap((part) => {
    const alone = regionOfCode(part);
    if (alone) return [alone];
    return matchesOf(part.trim(), CODE_IN_WORDS).flatMap(([code]) => {
      const own = OF_ONS[code.toUpperCase()] ?? code;
      return regionOfCode(own) ?? regionOfName(own) ?? [];
    });
  });
});

/**
 * A postcode as `AB1 2CD`, or null if there is none. In a free-text address the last one counts. `Plot E1` on an earlier line
 * may look like the beginning of a postcode, which is on the last line or the one before the country.
 */
export function postcodeOf(address: OcdsAddress | undefined): string | null {
  const field = address?.postalCode?.replace(UNIT_APART, '$1$2');
  for (const text of [field, address?.streetAddress, address?.locality]) {
    if (text === undefined || !/\d/.test(text)) continue;
    const lines = text.toUpperCase().replace(/\r\n?/g, '\n').replace(ZERO_AS_LETTER, '$<outward>0$<unit>');
    const last = matchesOf(lines, POSTCODE).at(-1);
    if (last) return `${last[1]} ${last[2]}`;
  }
  return null;
}

/** Whether the code of its country is that of another. */
function isInAnotherCountry({ country = '' }: OcdsAddress): boolean {
  return COUNTRY_CODE.test(country) && !COUNTRIES.has(country.toLowerCase());
}

/** The regions that an address states; none in another country. */
export function statedRegions(address: OcdsAddress): Region[] {
  return isInAnotherCountry(address) ? [] : regionsIn(address.region ?? '');
}

/** The regions of a place of delivery, each with its evidence; none for a place abroad. */
function readPlace(address: OcdsAddress): { region: Region; sign: string }[] {
  if (isInAnotherCountry(address)) return [];
  const { region, country = '', countryName = country } = address;
  const stated = statedRegions(address);
  if (stated.length > 0) return stated.map((one) => ({ region: one, sign: `region "${region}"` }));
  const postcode = address.postalCode ?? postcodeOf(address);
  const found: [Region | null, string][] = [
    [regionOfPostcode(postcode), `postcode ${postcode}`],
    [COUNTRIES.has(countryName.toLowerCase()) ? regionOfCode('UK') : null, `country "${countryName}"`],
    [regionOfName(countryName), `country "${countryName}"`],
  ];
  return found.flatMap(([one, sign]) => (one ? [{ region: one, sign }] : [])).slice(0, 1);
}

/** The regions of delivery addresses, each once, in order. Places abroad are not regions. */
export function regionsOf(addresses: readonly OcdsAddress[]): Region[] {
  const found = new Map<string, Region>();
  for (const { region } of addresses.flatMap(readPlace)) found.set(region.code ?? region.name, region);
  // "United Kingdom" adds nothing to a narrower place.
  if (found.size > 1 && addresses.some((address) => address.region)) found.delete('UK');
  return [...found.values()];
}

/** The evidence for each region: `UKE42 Leeds: region "UKE42"`. Shown by `explain`, never stored. */
export function regionSigns(addresses: readonly OcdsAddress[], regions: readonly Region[]): string[] {
  const names = new Set(regions.map(wordRegion));
  const named = addresses.flatMap(readPlace).filter(({ region }) => names.has(wordRegion(region)));
  return [...new Set(named.map(({ region, sign }) => `${wordRegion(region)}: ${sign}`))];
}

/** A region in words: `UKE42 Leeds`, or only its name if it has no code. */
export function wordRegion({ code, name }: Region): string {
  return code ? `${code} ${name}` : name;
}

/** The places of delivery of a release: of the items of its tender, awards and contracts, then of the whole tender. */
export function addressesOf(ocds: OcdsRelease): OcdsAddress[] {
  return [...itemsOf(ocds).flatMap((item) => item.addresses), ...ocds.tender.addresses];
}

/** The regions of a notice, and where else it is delivered: as it says itself, otherwise as its process does. */
export function placesOfNotice(own: OcdsRelease, process: OcdsRelease) {
  const ofNotice = addressesOf(own);
  const ofProcess = addressesOf(process);
  const ownRegions = regionsOf(ofNotice);
  const regions = ownRegions.length > 0 ? ownRegions : regionsOf(ofProcess);
  const places = [ofNotice, ofProcess].map((one) => wordPlaces(one, regions)).find((one) => one.delivery_places) ?? {};
  return { ownRegions, regions, places };
}

/** More places of delivery are not kept, nor more than a text has characters; more countries are all of the world. */
const [PLACES_MAX, COUNTRIES_MAX] = [2_000, 100];
type Delivery = Pick<NoticeDetail, 'delivery_places'>;

/**
 * Each place of delivery once, unless it is served as a region: the words on it, its town and the district of its postcode. A
 * street or a whole postcode may be a home that no takedown would find there: both are left out.
 */
export function wordPlaces(addresses: readonly OcdsAddress[], regions = regionsOf(addresses)): Delivery {
  const found = new Map<string, string>();
  let left = TEXT_MAX;
  for (const words of [...addresses.flatMap(partsOfPlace), ...abroad(addresses)]) {
    if (left <= 0 || saysNothing(words) || found.has(placeKey(words))) continue;
    found.set(placeKey(words), words);
    left -= words.length;
  }
  for (const { code = '', name } of regions) for (const one of [code, name]) found.delete(placeKey(one));
  return found.size > 0 ? { delivery_places: [...found.values()].slice(0, PLACES_MAX) } : {};
}

const placeKey = (words: string): string => words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Each line of words on a place ends in a comma, unless it has another sign there. Every contract may have those of the tender. */
const partsOfPlace = memoiseByObject(({ description, locality, postalCode }: OcdsAddress): string[] => {
  const words = cleanText(description).replace(/(?<![,;:.])\n+/g, ', ');
  // A town's postcode, and parts that have a number, as streets have, are left out.
  const parts = cleanText(locality).split(/[,;\n]/);
  const town = parts.map((part) => cleanLine(part.replace(POSTCODE, ' '))).filter((part) => part && !/\d/.test(part));
  return [cleanLine(words), town.join(', '), postcodeOf({ postalCode, locality })?.split(' ')[0] ?? ''];
});

/** The countries abroad. A form lists all of the world for `anywhere`: that names no place. */
function abroad(addresses: readonly OcdsAddress[]): string[] {
  const named = new Set(addresses.map(({ countryName }) => cleanLine(countryName)));
  const countries = [...named].filter((name) => !COUNTRIES.has(name.toLowerCase()) && !regionOfName(name));
  return countries.length > COUNTRIES_MAX || named.has('Rest of the World') ? [] : countries;
}

/** What the tender is for, or what all of its awards are for: under the Procurement Act they alone say it once they are made. */
export function categoryOf({ tender, awards }: OcdsRelease): string | undefined {
  const [category, ...others] = new Set(awards.flatMap((award) => award.category ?? []));
  return tender.category ?? (others.length === 0 ? category : undefined);
}

/** Whom the tender suits, as it says, or its lots: Find a Tender says it of lots alone. */
export function suits({ lots, ...whole }: OcdsTender, whom: 'sme' | 'vcse'): boolean | undefined {
  const said = lots.flatMap((lot) => lot[whom] ?? []);
  return whole[whom] ?? (said.length > 0 ? said.includes(true) : undefined);
}
