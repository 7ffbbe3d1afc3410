import type { OcdsAddress, OcdsClassification, OcdsRelease } from '../../schema/ocds/types.ts';
import {
  codeOfRegionName,
  NATION_NAMES,
  nationOfName,
  type Region,
  regionOfCode,
  regionOfPostcode,
} from '../../schema/reference/regions.ts';
import { parseCpv } from '../../schema/text/ids.ts';
import { matchesOf } from '../../schema/text/memoise.ts';

/** The classifications of a release from every place that has CPV codes, the main one first. */
function classificationsOf(ocds: OcdsRelease): OcdsClassification[] {
  const { tender, awards, contracts } = ocds;
  const items = [...tender.items, ...awards.flatMap((award) => award.items), ...contracts.flatMap((one) => one.items)];
  return [
    ...tender.classifications,
    ...tender.additionalClassifications,
    ...items.flatMap((item) => item.classifications),
  ];
}

/** CPV codes (8 digits), each once, the main one first, with their descriptions. */
export function cpvsOf(ocds: OcdsRelease): { codes: string[]; descriptions: Record<string, string> } {
  return readCodes(classificationsOf(ocds));
}

/** A code that a spreadsheet took for a number: of the divisions that begin with 0, only 03 and 09 exist. */
const LOST_ZERO = /^[39]\d{6}(?!\d)/;

/**
 * CPV codes (8 digits) among classifications, each once and in order, with their published descriptions. Other schemes and
 * `00000000` are omitted.
 */
export function readCodes(classifications: readonly OcdsClassification[]) {
  const descriptions: Record<string, string> = {};
  const codes = new Set<string>();
  for (const { scheme, id, description } of classifications) {
    const code = scheme === undefined || /cpv/i.test(scheme) ? parseCpv((id ?? '').replace(LOST_ZERO, '0$&')) : null;
    if (!code || code === '00000000') continue;
    codes.add(code);
    if (description) descriptions[code] ??= description;
  }
  return { codes: [...codes], descriptions };
}

const COUNTRIES = new Set(['uk', 'gb', 'united kingdom', 'great britain']);

const POSTCODE = /\b([A-Z]{1,2}\d[A-Z\d]?)[^\S\n]*(\d[A-Z]{2})\b/g;
/** A postcode at the end of a line with the letter O instead of a zero: `LS1 OAB`. */
const ZERO_AS_LETTER = /(?<outward>\b[A-Z]{1,2}\d[A-Z\d]?[^\S\n]*)O(?<unit>[ABD-HJLNP-UW-Z]{2}[^\S\n]*)$/gm;

/** A region by its name on Contracts Finder, or a nation by any of its names; otherwise null. England has no ITL code. */
export function regionOfName(raw: string): Region | null {
  const nation = nationOfName(raw);
  const name = nation ? NATION_NAMES[nation] : raw;
  const code = codeOfRegionName(name);
  return code ? regionOfCode(code) : nation && { name };
}

/**
 * A postcode as `AB1 2CD`, or null if there is none. In a free-text address the last one counts. `Plot E1` on an earlier line
 * may look like the beginning of a postcode, which is on the last line or the one before the country.
 */
export function postcodeOf(address: OcdsAddress | undefined): string | null {
  for (const text of [address?.postalCode, address?.streetAddress, address?.locality]) {
    if (text === undefined || !/\d/.test(text)) continue;
    const lines = text.toUpperCase().replace(/\r\n?/g, '\n').replace(ZERO_AS_LETTER, '$<outward>0$<unit>');
    const last = matchesOf(lines, POSTCODE).at(-1);
    if (last) return `${last[1]} ${last[2]}`;
  }
  return null;
}

/** The region of a place of delivery and its evidence; null for a place abroad. */
function readPlace({ region, postalCode, countryName = '' }: OcdsAddress): { region: Region; sign: string } | null {
  const found: [Region | null, string][] = [
    [region ? (regionOfCode(region) ?? regionOfName(region)) : null, `region "${region}"`],
    [regionOfPostcode(postalCode), `postcode ${postalCode}`],
    [COUNTRIES.has(countryName.toLowerCase()) ? regionOfCode('UK') : null, `country "${countryName}"`],
    [regionOfName(countryName), `country "${countryName}"`],
  ];
  for (const [one, sign] of found) if (one) return { region: one, sign };
  return null;
}

/** The regions of delivery addresses, each once, in order. Places abroad are not regions. */
export function regionsOf(addresses: readonly OcdsAddress[]): Region[] {
  const found = new Map<string, Region>();
  for (const { region } of addresses.flatMap((address) => readPlace(address) ?? []))
    found.set(region.code ?? region.name, region);
  // "United Kingdom" adds nothing to a narrower place.
  if (found.size > 1 && addresses.some((address) => address.region)) found.delete('UK');
  return [...found.values()];
}

/** The evidence for each region: `UKE42 Leeds: region "UKE42"`. Shown by `explain`, never stored. */
export function regionSigns(addresses: readonly OcdsAddress[], regions: readonly Region[]): string[] {
  const names = new Set(regions.map(wordRegion));
  const places = addresses.flatMap((address) => readPlace(address) ?? []);
  const named = places.filter(({ region }) => names.has(wordRegion(region)));
  return [...new Set(named.map(({ region, sign }) => `${wordRegion(region)}: ${sign}`))];
}

/** A region in words: `UKE42 Leeds`, or only its name if it has no code. */
export function wordRegion({ code, name }: Region): string {
  return code ? `${code} ${name}` : name;
}
