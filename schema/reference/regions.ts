import itl2021 from './itl-2021.json' with { type: 'json' };
import itl2025 from './itl-2025.json' with { type: 'json' };

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

const CODE = /^(?:UK|TL)[A-Z0-9]{0,3}$/;

/**
 * A region by its ITL or NUTS code at any level, in the form in which codes are kept (`UKI3`; ITL codes since 2021 begin `TL`,
 * the services still write `UK`). A code that no list has bears the name of the nearest one above it. Null where it is none.
 */
export function regionOfCode(raw: string): Region | null {
  const code = raw.trim().toUpperCase();
  if (!CODE.test(code)) return null;
  const kept = `UK${code.slice(2)}`;
  if (kept.length > 2 && LEVEL_1[kept.slice(0, 3)] === undefined) return null;
  for (let end = kept.length; end >= 2; end--) {
    const name = NAMES.get(kept.slice(0, end));
    if (name) return { code: kept, name };
  }
  return null;
}

/** The level 1 region that a code lies in, or null. */
export function widerRegionOf(code: string | undefined): Region | null {
  return code !== undefined && code.length > 3 ? regionOfCode(code.slice(0, 3)) : null;
}

/**
 * The code of a region by its name at any level, in any case: the widest of that name. Null where it is no region's, or where
 * two lists give the name to codes apart from each other.
 */
export function codeOfRegionName(name: string): string | null {
  const [widest, ...others] = CODES.get(keyOf(name)) ?? [];
  return widest !== undefined && others.every((code) => code.startsWith(widest)) ? widest : null;
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

function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^a-z]+/g, ' ')
    .trim();
}

/** Regions whose code, or a word of whose name, begins so, the widest first. */
export function regionsBeginning(text: string, most: number): Region[] {
  const code = text.trim().toUpperCase().replace(/^TL/, 'UK');
  const start = ` ${keyOf(text)}`;
  return [...NAMES]
    .filter(([own, name]) => own.startsWith(code) || ` ${keyOf(name)}`.includes(start))
    .toSorted(([a], [b]) => a.length - b.length)
    .slice(0, most)
    .map(([own, name]) => ({ code: own, name }));
}

/** Every region of the lists, the widest first; codes in the form in which they are kept. */
export function listRegions(): Required<Region>[] {
  return [...NAMES].map(([code, name]) => ({ code, name })).toSorted((a, b) => a.code.length - b.code.length);
}

/** Postcode areas by ITL 1 region (Royal Mail areas). */
const AREAS: Readonly<Record<string, string>> = {
  UKC: 'DH DL NE SR TS',
  UKD: 'BB BL CA CH CW FY L LA M OL PR SK WA WN',
  UKE: 'BD DN HD HG HU HX LS S WF YO',
  UKF: 'DE LE LN NG NN',
  UKG: 'B CV DY HR ST SY TF WR WS WV',
  UKH: 'AL CB CM CO IP LU NR PE SG SS',
  UKI: 'BR CR E EC EN HA IG KT N NW RM SE SM SW TW UB W WC WD',
  UKJ: 'BN CT GU HP ME MK OX PO RG RH SL SO TN DA',
  UKK: 'BA BH BS DT EX GL PL SN SP TA TQ TR',
  UKL: 'CF LD LL NP SA',
  UKM: 'AB DD DG EH FK G HS IV KA KW KY ML PA PH TD ZE',
  UKN: 'BT',
};
/** Districts of an area of another region that lie there, or mostly do. */
const DISTRICTS: Readonly<Record<string, string>> = {
  UKC: 'TD12 TD15',
  UKL: 'CH5 CH6 CH7 CH8 SY15 SY16 SY17 SY18 SY19 SY20 SY21 SY22 SY23 SY24 SY25',
};
/**
 * Districts in which two nations meet (the local authorities of each district: Wikipedia, Postcode area articles, CC BY-SA 4.0,
 * after the ONS Postcode Directory).
 */
const MEETING = new Set(
  'CH1 CH4 DG16 GL16 HR3 HR5 LD7 LD8 LL14 NP16 NP25 SY5 SY7 SY9 SY10 SY13 SY14 SY15 SY21 SY22 TD9 TD12 TD15'.split(' '),
);
const REGION_OF_AREA = new Map(
  [...Object.entries(AREAS), ...Object.entries(DISTRICTS)].flatMap(([code, areas]) =>
    areas.split(' ').map((area) => [area, code] as const),
  ),
);

/** The district of a whole postcode, or by itself: the last digit and what follows belong to the other half. */
function districtOf(raw: string | null | undefined): string {
  return /^([A-Z]{1,2}\d[A-Z\d]?)(?:\s*\d[A-Z]{2})?$/.exec((raw ?? '').trim().toUpperCase())?.[1] ?? '';
}

/** The code of the level 1 region that a postcode lies in, or most of its district; null where it is none of the country. */
export function regionCodeOfPostcode(raw: string | null | undefined): string | null {
  const area = /^[A-Z]{1,2}(?=\d)/.exec((raw ?? '').trim().toUpperCase())?.[0] ?? '';
  return REGION_OF_AREA.get(districtOf(raw)) ?? REGION_OF_AREA.get(area) ?? null;
}

/** The level 1 region of a postcode, or null. */
export function regionOfPostcode(raw: string | null | undefined): Region | null {
  const code = regionCodeOfPostcode(raw);
  return code ? regionOfCode(code) : null;
}

/** The nations of the United Kingdom, as their names are sent. */
export const NATIONS = ['england', 'scotland', 'wales', 'northern_ireland', 'uk'] as const;
/** A nation; `uk` is what concerns them all. */
export type Nation = (typeof NATIONS)[number];

/** What each is called. */
export const NATION_NAMES: Readonly<Record<Nation, string>> = {
  england: 'England',
  scotland: 'Scotland',
  wales: 'Wales',
  northern_ireland: 'Northern Ireland',
  uk: 'United Kingdom',
};

const NATION_OF_NAME: Readonly<Record<string, Nation>> = {
  england: 'england',
  scotland: 'scotland',
  wales: 'wales',
  cymru: 'wales',
  'northern ireland': 'northern_ireland',
};

/** The nation of that name, in any case; null for any other text. */
export function nationOfName(name: string | undefined): Nation | null {
  return NATION_OF_NAME[keyOf(name ?? '')] ?? null;
}

const NATION_OF_LEVEL_1: Readonly<Record<string, Nation>> = { UKL: 'wales', UKM: 'scotland', UKN: 'northern_ireland' };

/** The nation that a region lies in: `uk` of the whole country, null of a place of no known code. */
export function nationOfRegion({ code, name }: Region): Nation | null {
  if (code === undefined) return nationOfName(name);
  return code.length < 3 ? 'uk' : (NATION_OF_LEVEL_1[code.slice(0, 3)] ?? 'england');
}

/** The nation that a postcode lies in; null where it is none of the country, or of a district in which two meet. */
export function nationOfPostcode(raw: string | undefined): Nation | null {
  const region = MEETING.has(districtOf(raw)) ? null : regionOfPostcode(raw);
  return region && nationOfRegion(region);
}

const IN_NAMES: readonly (readonly [Nation, RegExp])[] = [
  ['scotland', /\b(?:scotland|scottish)\b/i],
  ['wales', /(?<!\b(?:new south|prince of|princess of) )\b(?:wales|welsh|cymru)\b/i],
  ['northern_ireland', /\bnorthern ireland\b|\(ni\)/i],
  ['england', /\b(?:england|english)\b/i],
];

/** The one nation that the name of a body names, or null. */
export function nationInName(name: string): Nation | null {
  const [only, ...more] = IN_NAMES.filter(([, pattern]) => pattern.test(name));
  return only && more.length === 0 ? only[0] : null;
}

/** The nation of some places: `uk` where these are of several, null where none is known. */
export function nationOfRegions(places: readonly Region[]): Nation | null {
  const [only = null, ...more] = new Set(places.flatMap((place) => nationOfRegion(place) ?? []));
  return more.length === 0 ? only : 'uk';
}
