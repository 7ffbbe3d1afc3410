import itl2021 from './itl-2021.json' with { type: 'json' };
import itl2025 from './itl-2025.json' with { type: 'json' };
import postcodes from './postcodes.json' with { type: 'json' };

export interface Region {
  /** ITL/NUTS code where one is known. */
  code?: string;
  name: string;
}

/** ITL (formerly NUTS) level 1. */
const LEVEL_1: Readonly<Record<string, string>> = {
  UK: 'United Kingdom',
  UKC: 'North East',
  UKD: 'North West',
  UKE: 'Yorkshire and The Humber',
  UKF: 'East Midlands',
  UKG: 'West Midlands',
  UKH: 'East of England',
  UKI: 'London',
  UKJ: 'South East',
  UKK: 'South West',
  UKL: 'Wales',
  UKM: 'Scotland',
  UKN: 'Northern Ireland',
};

const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LEVEL_1),
  ...[...Object.entries(itl2021.regions), ...Object.entries(itl2025.regions)].map(([code, name]): [string, string] => [
    `UK${code}`,
    name,
  ]),
]);

/** A letter, a digit and a letter or digit, each for a level. `UKHSA` is an agency. */
const CODE = /^(?:UK|TL)(?:[A-Z](?:\d[A-Z0-9]?)?)?$/;

/**
 * A region by its ITL or NUTS code at any level, in the stored form (`UKI3`). ITL codes since 2021 begin with `TL`, but the
 * services still write `UK`. A code on no list has the name of the nearest one above it. Null if it is not a region's.
 */
export function regionOfCode(raw: string): Region | null {
  const code = raw.trim().toUpperCase();
  if (!CODE.test(code)) return null;
  const ownCode = `UK${code.slice(2)}`;
  if (ownCode.length > 2 && LEVEL_1[ownCode.slice(0, 3)] === undefined) return null;
  for (let end = ownCode.length; end >= 2; end--) {
    const name = NAMES.get(ownCode.slice(0, end));
    if (name) return { code: ownCode, name };
  }
  return null;
}

/** The level 1 region that a code lies in, or null. */
export function widerRegionOf(code: string | undefined): Region | null {
  return code !== undefined && code.length > 3 ? regionOfCode(code.slice(0, 3)) : null;
}

/**
 * The code of a region by its name at any level, in any case: the widest with that name. Null where no region has it, or where
 * two lists use it for separate codes.
 */
export function codeOfRegionName(name: string): string | null {
  const [widest, ...others] = codesOfRegionName(name);
  return others.length === 0 ? (widest ?? null) : null;
}

/** The codes for which lists use a name, without those that lie within another; none where no region has it. */
export function codesOfRegionName(name: string): string[] {
  const codes = CODES.get(keyOf(name)) ?? [];
  return codes.filter((code) => !codes.some((wider) => wider !== code && code.startsWith(wider)));
}

/** Whether some list has a region of that name. */
export function isRegionName(name: string): boolean {
  return CODES.has(keyOf(name));
}

/** Cleaned name -> codes, shortest first. */
const CODES = new Map<string, string[]>();
for (const [code, name] of [...NAMES].toSorted(([a], [b]) => a.length - b.length)) {
  const key = keyOf(name);
  CODES.set(key, [...(CODES.get(key) ?? []), code]);
}

// England has no code: those of its regions stand for it.
CODES.set(
  'england',
  [...'CDEFGHIJK'].map((letter) => `UK${letter}`),
);

/** A name as it is compared. */
export function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^a-z]+/g, ' ')
    .trim();
}

/** Every region of the lists, the widest first; codes in the form in which they are stored. */
export function listRegions(): Required<Region>[] {
  return [...NAMES].map(([code, name]) => ({ code, name })).toSorted((a, b) => a.code.length - b.code.length);
}

/** Districts in which two nations meet, with the towns of each. */
const MEETING: Readonly<Record<string, Partial<Record<string, string[]>>>> = postcodes.meeting;
const REGION_OF_AREA = new Map(
  [...Object.entries(postcodes.areas), ...Object.entries(postcodes.districts)].flatMap(([code, areas]) =>
    areas.split(' ').map((area) => [area, code] as const),
  ),
);

/** The district of a whole postcode, or by itself: the last digit and what follows belong to the other half. */
function districtOf(raw: string | null | undefined): string {
  return /^([A-Z]{1,2}\d[A-Z\d]?)(?:\s*\d[A-Z]{2})?$/.exec((raw ?? '').trim().toUpperCase())?.[1] ?? '';
}

/** The code of the level 1 region of a postcode, or of most of its district; null where it is outside the country. */
export function regionCodeOfPostcode(raw: string | null | undefined): string | null {
  const area = /^[A-Z]{1,2}(?=\d)/.exec((raw ?? '').trim().toUpperCase())?.[0] ?? '';
  return REGION_OF_AREA.get(districtOf(raw)) ?? REGION_OF_AREA.get(area) ?? null;
}

/** The level 1 region of a postcode, or null. */
export function regionOfPostcode(raw: string | null | undefined): Region | null {
  const code = regionCodeOfPostcode(raw);
  return code ? regionOfCode(code) : null;
}

/** The level 1 region of a malformed or partial postcode (`EH 8 8BG`, `G2`); null where two nations meet. */
export function regionOfPartPostcode(raw: string | undefined): Region | null {
  const bare = (raw ?? '').toUpperCase().replace(/[^A-Z\d]/g, '');
  const district = districtOf(bare);
  return district === '' || district in MEETING ? null : regionOfPostcode(bare);
}

/** The nations of the United Kingdom, by the names used in requests. */
export const NATIONS = ['england', 'scotland', 'wales', 'northern_ireland', 'uk'] as const;
/** A nation; `uk` concerns all of them. */
export type Nation = (typeof NATIONS)[number];

/** What each is called. */
export const NATION_NAMES: Readonly<Record<Nation, string>> = {
  england: 'England',
  scotland: 'Scotland',
  wales: 'Wales',
  northern_ireland: 'Northern Ireland',
  uk: 'United Kingdom',
};

/** Their names, in their own language too, and the codes that services use. */
const NATION_OF_NAME: ReadonlyMap<string, Nation> = new Map(
  Object.entries({
    england: ['england', 'lloegr', 'eng', 'gb eng'],
    scotland: ['scotland', 'alba', 'sct', 'gb sct'],
    wales: ['wales', 'cymru', 'wls', 'gb wls', 'gb cym'],
    northern_ireland: ['northern ireland', 'n ireland', 'nir', 'gb nir'],
  } satisfies Partial<Record<Nation, string[]>>).flatMap(([nation, names]) =>
    names.map((name) => [name, nation as Nation] as const),
  ),
);

/** The nation with that name or code, in any case; null for any other text, and for two of them. */
export function nationOfName(name: string | undefined): Nation | null {
  if (!name) return null;
  const parts = name.split(/[,/()]/).flatMap((part) => NATION_OF_NAME.get(keyOf(part)) ?? []);
  const [only = null, ...more] = new Set(parts);
  return more.length === 0 ? only : null;
}

const NATION_OF_LEVEL_1: Readonly<Record<string, Nation>> = { UKL: 'wales', UKM: 'scotland', UKN: 'northern_ireland' };

/** The nation of a region: `uk` for the whole country, null for a place without a known code. */
export function nationOfRegion({ code, name }: Region): Nation | null {
  if (code === undefined) return nationOfName(name);
  return code.length < 3 ? 'uk' : (NATION_OF_LEVEL_1[code.slice(0, 3)] ?? 'england');
}

/** The nation of a postcode; null where it is outside the country, or where two meet. */
export function nationOfPostcode(raw: string | undefined): Nation | null {
  const region = districtOf(raw) in MEETING ? null : regionOfPostcode(raw);
  return region && nationOfRegion(region);
}

/** The nation of a town whose postcode is in a district where two meet; null for any other. */
export function nationOfTownWhereNationsMeet(postcode: string | undefined, locality: string): Nation | null {
  const town = keyOf((locality.split(',', 1)[0] ?? '').replace(/['’]/g, ''));
  const [found] = Object.entries(MEETING[districtOf(postcode)] ?? {}).find(([, towns]) => towns?.includes(town)) ?? [];
  return (found as Nation | undefined) ?? null;
}

/** The nation of some places: `uk` where they are in several, null where none is known. */
export function nationOfRegions(places: readonly Region[]): Nation | null {
  const [only = null, ...more] = new Set(places.flatMap((place) => nationOfRegion(place) ?? []));
  return more.length === 0 ? only : 'uk';
}

/** It has no code; the widest regions within it have. */
const ENGLAND = NATION_NAMES.england;
/** Letters of a code that the widest regions have. */
const WIDE = 3;

/**
 * Where something is performed, as one region: that which contains all of its places. Notices list them in the order of their
 * codes, and North East is the first of England. Undefined where there is none.
 */
export function placeOf(regions: readonly Region[]): Region | undefined {
  const known = regions.filter(({ code, name }) => (code === undefined ? name === ENGLAND : regionOfCode(code)));
  if (known.length < 2) return known[0] ?? regions[0];
  const common = known.map(({ code = '' }) => code).reduce(commonStart);
  if (common.length < WIDE && nationOfRegions(known) === 'england') return { name: ENGLAND };
  return regionOfCode(common.length < WIDE ? 'UK' : common) ?? undefined;
}

function commonStart(one: string, other: string): string {
  const length = [...one].findIndex((letter, at) => letter !== other[at]);
  return length === -1 ? one : one.slice(0, length);
}

/** The region of most addresses; in a tie, the one named last. It is as narrow as one of them states. */
export function regionOfMost(regions: readonly Region[]): Region | undefined {
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

/** The region named last, at the narrowest level that its notices state; a postcode only gives the widest. */
export function narrowest(regions: readonly Region[]): Region | undefined {
  const [latest] = regions;
  const within = regions.filter(({ code }) => latest?.code && code?.startsWith(latest.code));
  return within.toSorted((a, b) => (b.code?.length ?? 0) - (a.code?.length ?? 0))[0] ?? latest;
}
