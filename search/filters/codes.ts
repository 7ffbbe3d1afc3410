import { cpvBranch } from '../../schema/reference/cpv.ts';
import { NATIONS } from '../../schema/reference/regions.ts';
import { NATION_MEANINGS } from './meanings.ts';
import type { ExactRow, PrefixRow } from './row.ts';
import {
  cpvCodes,
  describe,
  findCpv,
  PROCUREMENTS,
  regionList,
  someOf,
  splitList,
  splitRegions,
  storedRegions,
} from './shapes.ts';

/** The filter by what is bought. */
export const cpv = {
  name: 'cpv',
  kind: 'prefix',
  label: 'CPV code',
  heading: 'What is bought',
  hint: 'CPV codes or first digits: 45, 71000000',
  facet: 'cpv_division',
  values: 'cpv',
  field: 'cpvs',
  codes: ({ cpvs }) => cpvs,
  letter: 'c',
  lengths: [2, 3, 8],
  several: true,
  parse: (text) => splitList(text).map(cpvBranch),
  input: (z) =>
    cpvCodes(z)
      .optional()
      .meta(describe('CPV codes or first digits, commas between: 45 construction, 72 IT', '45', '45,71')),
  meant: findCpv,
  words: 'CPV codes of 2 to 8 digits: 45 stands for everything in division 45. At most 20.',
  aliases: ['cpv_code', 'cpv_codes', 'cpvs', 'category', 'sector'],
  datasets: PROCUREMENTS,
} as const satisfies PrefixRow;

/** The widest regions below the whole country. */
const WIDEST = [...'CDEFGHIJKLMN'].map((letter) => `UK${letter}`);

/** The filter by where it is performed. */
export const region = {
  name: 'region',
  kind: 'prefix',
  label: 'Region',
  hint: 'Names or ITL codes: London, TLI3',
  choices: WIDEST,
  facet: 'region',
  values: 'region',
  field: 'regions',
  codes: ({ regions }) => regions.map(({ code }) => code),
  letter: 'r',
  lengths: [2, 3, 4, 5],
  // No region has a code as its name, so a code needs no look-up among the names.
  names: {
    letter: 'n',
    of: ({ regions }) => regions.map(({ name }) => name),
    never: /^(uk|tl)[a-z0-9]{1,3}$/i,
  },
  several: true,
  parse: (text) => splitRegions(text).flatMap(storedRegions),
  input: (z) =>
    regionList(z)
      .optional()
      .meta(describe('Names or ITL codes, commas between', 'London', 'TLI3,TLJ')),
  words: 'Where it is performed: names of regions or ITL codes. At most 20.',
  aliases: ['location', 'place', 'area', 'nuts', 'itl'],
  datasets: [...PROCUREMENTS, 'buyers'],
} as const satisfies PrefixRow;

/** The filter by the nation of the buyer. */
export const nation = {
  name: 'nation',
  kind: 'exact',
  label: 'Nation',
  choices: NATIONS,
  called: {
    england: ['english', 'eng', 'gb-eng', 'lloegr'],
    scotland: ['scottish', 'sct', 'gb-sct', 'alba'],
    wales: ['welsh', 'wls', 'gb-wls', 'cymru'],
    northern_ireland: ['northern irish', 'ni', 'nir', 'gb-nir', 'n ireland'],
    uk: ['gb', 'gbr', 'britain', 'british', 'great britain', 'united kingdom'],
  },
  meanings: NATION_MEANINGS,
  facet: 'nation',
  values: 'nation',
  field: 'nation',
  letter: 'h',
  several: true,
  input: (z) => someOf(z, NATIONS, `Of the buyer: ${NATIONS.join(', ')}`, 'scotland', 'wales,scotland'),
  words: `The nation that the buyer is in, else where it is performed: ${NATIONS.join(', ')} (a body that acts for them all).`,
  aliases: ['country', 'home_nation'],
  datasets: [...PROCUREMENTS, 'buyers'],
} as const satisfies ExactRow;
