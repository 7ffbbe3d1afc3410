import { CPV_DIVISIONS } from '../../schema/reference/cpv.ts';
import itl2025 from '../../schema/reference/itl-2025.json' with { type: 'json' };
import { codesOfRegionName, isRegionName, keyOf, listRegions, regionOfCode } from '../../schema/reference/regions.ts';
import type { Zod } from './row.ts';

/** The datasets about procurements, as opposed to companies or buyers. */
export const PROCUREMENTS = ['notices', 'tenders', 'contracts', 'frameworks'] as const;

/** Values of one filter that may be sent at once. */
const VALUES_MAX = 20;
const CPV = String.raw`\d{2,8}(?:-\d)?`;

/** CPV codes or their first digits, separated by commas. */
export const cpvCodes = (z: Zod) =>
  z
    .string()
    .trim()
    .regex(
      new RegExp(`^${CPV}(?:\\s*,\\s*${CPV}){0,${VALUES_MAX - 1}}$`),
      `Input should be CPV codes of 2 to 8 digits, with commas between, at most ${VALUES_MAX}`,
    );

/** ITL codes or names of regions, separated by commas. The codes of one name count once: a watch repeats all of them. */
export const regionList = (z: Zod) =>
  z
    .string()
    .trim()
    .regex(/^[\p{L}][\p{L}\p{N} ,.'’&()/-]{1,1999}$/u, 'Input should be ITL codes such as TLI or names of regions')
    .refine(
      (text) => countRegions(splitRegions(text)) <= VALUES_MAX,
      `Input should name at most ${VALUES_MAX} regions`,
    );

const POSTCODE = String.raw`[A-Za-z]{1,2}(?:\d[A-Za-z\d]?(?:\s+\d|\s*\d[A-Za-z]{2})?)?`;

/** Postcodes, whole or as they begin, separated by commas. */
export const postcodes = (z: Zod) =>
  z
    .string()
    .trim()
    .regex(
      new RegExp(`^${POSTCODE}(?:\\s*,\\s*${POSTCODE}){0,${VALUES_MAX - 1}}$`),
      `Input should be postcodes or their beginnings such as LS1, with commas between, at most ${VALUES_MAX}`,
    );

/** An amount in pounds; pence are decimals. */
export const pounds = (z: Zod) => z.number().min(0).max(1e15);
/** A day as `YYYY-MM-DD`. */
export const date = (z: Zod) => z.iso.date();
/** An id of any scheme, trimmed. */
export const identifier = (z: Zod) => z.string().trim().min(1).max(200);

/** Ids of any scheme, separated by commas. */
export const identifiers = (z: Zod) =>
  z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .refine((text) => {
      const count = splitList(text).length;
      return count > 0 && count <= VALUES_MAX;
    }, `Input should be ids with commas between, at most ${VALUES_MAX}`);

/** A description, with examples from the sample or invented ones. */
export function describe(description: string, ...examples: unknown[]) {
  return { description, examples };
}

/** Codes separated by commas, in lower case, with no check of their values. */
export const anyCodes = (z: Zod) =>
  z
    .string()
    .trim()
    .max(1_000)
    .overwrite((text) => splitList(text).join(',').toLowerCase());

/** Some of the known values, separated by commas. OpenAPI shows all of them in the pattern. */
export function someOf(z: Zod, known: readonly string[], description: string, ...examples: string[]) {
  return z
    .string()
    .trim()
    .max(1_000)
    .overwrite((text) => asKnown(text, known))
    .superRefine((text, context) => {
      const values = splitList(text);
      if (values.length > 0 && values.every((value) => known.includes(value))) return;
      context.addIssue({ code: 'invalid_value', values: [...known], input: text });
    })
    .optional()
    .meta({ ...describe(description, ...examples), pattern: `^(?:(?:${known.join('|')})(?:\\s*,\\s*|$))+$` });
}

/** A list with each value in its known spelling, whatever its case; unchanged if it holds an unknown value. */
function asKnown(text: string, known: readonly string[]): string {
  const values = splitList(text).map((value) => known.find((one) => one.toLowerCase() === value.toLowerCase()));
  return values.every((value) => value !== undefined) ? values.join(',') : text;
}

/** The values of a list separated by commas. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean);
}

/** Parts that a name may have: `Lochaber, Skye and Lochalsh, Arran and Cumbrae, and Argyll and Bute` is one region. */
const NAME_PARTS = [4, 3, 2];

/** The regions of a list separated by commas; a name may contain some too (Bristol, City of). A text without any region is one name. */
export function splitRegions(text: string): string[] {
  const parts = splitList(text);
  const regions: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const joined = (count: number) => parts.slice(at, at + count).join(', ');
    const count = NAME_PARTS.find((most) => isRegion(joined(most))) ?? 1;
    regions.push(joined(count));
    at += count;
  }
  return regions.some(isRegion) ? regions : [text.trim()];
}

const nameOfRegion = (text: string) => regionOfCode(text)?.name ?? text;

/** How many regions a list names: a name and its codes are one, and what is now within another counts with that. */
function countRegions(regions: readonly string[]): number {
  const named = new Set(regions.flatMap(codesOfRegionName));
  return new Set(withoutFormer(regions.filter((region) => !named.has(region))).map(nameOfRegion)).size;
}

/** The regions of a list without the codes of 2021 for which another of them stands. */
export function withoutFormer(regions: readonly string[]): string[] {
  const former = new Set(regions.flatMap(formerCodes));
  return regions.filter((region) => !former.has(region));
}

function isRegion(text: string): boolean {
  return isRegionName(officialName(text)) || regionOfCode(text) !== null;
}

/** What people call regions. */
const CALLED: ReadonlyMap<string, string> = new Map([
  ['greater london', 'London'],
  ['yorkshire and humber', 'Yorkshire and The Humber'],
  ['yorkshire and humberside', 'Yorkshire and The Humber'],
  ['hull', 'Kingston upon Hull, City of'],
  ['cornwall', 'Cornwall and Isles of Scilly'],
  ['county durham', 'Durham'],
  ['cymru', 'Wales'],
  ['alba', 'Scotland'],
]);

/** Cleaned name without the kind of place -> name: `Bristol, City of`, `Glasgow City`. */
const WITHOUT_KIND = new Map(
  listRegions().flatMap(({ name }): [string, string][] => {
    const plain = name.replace(/, (?:City|County) of$|^City of | City$/, '');
    return plain === name || isRegionName(plain) ? [] : [[keyOf(plain), name]];
  }),
);

/** The listed name of a region that goes by another, or the text itself. */
function officialName(text: string): string {
  if (isRegionName(text)) return text;
  const bare = text.replace(/^the\s+/i, '').replace(/(?<=^(?:north|south) (?:east|west)) (?:of )?england$/i, '');
  const plain = bare.replace(/^city of /i, '');
  return isRegionName(bare) ? bare : (CALLED.get(keyOf(bare)) ?? WITHOUT_KIND.get(keyOf(plain)) ?? text);
}

/**
 * A region as rows have it: `UKI3` for `TLI3`; for a name its code, which also finds everything within it. Where lists use the
 * name for several codes, the name, as a row may have that alone, then each of them. The services still write the codes of 2021:
 * those of a region or a code that is new in 2025 (North Wales, `TLM13`) follow.
 */
export function storedRegions(asked: string): string[] {
  const region = officialName(asked);
  const codes = codesOfRegionName(region);
  if (codes.length > 1) return [region, ...codes];
  const stored = codes[0] ?? regionOfCode(region)?.code ?? region;
  return [stored, ...formerCodes(stored)];
}

const NEW_NAMES = new Map<string, string>(Object.entries(itl2025.regions));
const FORMER = new Map<string, string>(Object.entries(itl2025.former));

/** The codes of 2021 for the area of a code of 2025: those that were listed, or those of its name. None for any other. */
function formerCodes(stored: string): string[] {
  const code = stored.replace(/^UK/, '');
  const listed = FORMER.get(code)
    ?.split(' ')
    .map((one) => `UK${one}`);
  return listed ?? codesOfRegionName(NEW_NAMES.get(code) ?? '').filter((one) => !stored.startsWith(one));
}

/** Each word is searched in every division. */
const CPV_CHARS = 64;

/** The CPV code in a text, or the division that its words match best; undefined where none matches. */
export function findCpv(text: string): { code: string; name?: string } | undefined {
  const short = text.slice(0, CPV_CHARS);
  const digits = /(?<!\d)\d{2,8}(?!\d)/.exec(short)?.[0];
  if (digits) return { code: digits };
  const words = short.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  const ranked = CPV_DIVISIONS.map((division) => ({ division, weight: scoreName(division.name, words) }));
  const [best] = ranked.sort((one, other) => other.weight - one.weight);
  return best && best.weight > 0 ? best.division : undefined;
}

/** Scores the words of a name with these beginnings: words that few names have count most; in a tie, the name with the fewest other words wins. */
function scoreName(name: string, words: readonly string[]): number {
  const shared = words.filter((word) => isIn(name, word));
  const rarity = (word: string) => 1 / CPV_DIVISIONS.filter((other) => isIn(other.name, word)).length;
  return shared.reduce((sum, word) => sum + rarity(word) + word.length / name.length / 100, 0);
}

function isIn(name: string, word: string): boolean {
  return ` ${name.toLowerCase()}`.includes(` ${word}`);
}
