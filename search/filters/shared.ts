import { cpvBranch } from '../../schema/reference/cpv.ts';
import { NATIONS } from '../../schema/reference/regions.ts';
import { NATION_MEANINGS } from './meanings.ts';
import type { ExactRow, FilterRow, PrefixRow } from './row.ts';
import {
  cpvCodes,
  date,
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

const DAYS = { kind: 'date', values: 'day', several: false } as const;
/** The common part of a pair of days. */
const PUBLISHED = {
  ...DAYS,
  heading: 'Published',
  field: 'published',
  datasets: ['notices', 'tenders', 'frameworks'],
} as const;
const DEADLINE = { ...DAYS, heading: 'Deadline', field: 'deadline', datasets: ['tenders'] } as const;
const EXPECTED = { ...DAYS, heading: 'Tender expected', field: 'tender_expected', datasets: ['notices'] } as const;

export const PUBLISHED_DAYS = [
  {
    name: 'published_from',
    label: 'Published from',
    ...PUBLISHED,
    comparison: '>=',
    input: (z) => date(z).optional().meta(describe('Since', '2026-05-01')),
    words: 'Only what was published on this London day or later.',
    aliases: ['from', 'since', 'start', 'date_from', 'start_date', 'from_date', 'published_after', 'after_date'],
  },
  {
    name: 'published_to',
    label: 'Published to',
    ...PUBLISHED,
    comparison: '<=',
    input: (z) => date(z).optional().describe('Until'),
    words: 'Only what was published on this London day or earlier.',
    example: '2026-10-31',
    aliases: ['to', 'until', 'end', 'date_to', 'end_date', 'to_date', 'published_before', 'before_date'],
  },
] as const satisfies readonly FilterRow[];

export const DEADLINE_DAYS = [
  {
    name: 'deadline_from',
    label: 'Deadline from',
    ...DEADLINE,
    comparison: '>=',
    input: (z) => date(z).optional().describe('Closing since'),
    words: 'Only what closes for bids on this London day or later.',
    example: '2026-12-01',
    aliases: ['deadline_after', 'closing_after', 'closes_after'],
  },
  {
    name: 'deadline_to',
    label: 'Deadline to',
    ...DEADLINE,
    comparison: '<=',
    input: (z) => date(z).optional().describe('Closing until'),
    words: 'Only what closes for bids on this London day or earlier.',
    example: '2026-12-31',
    aliases: ['deadline', 'deadline_before', 'closing_before', 'closes_before', 'closing_date', 'due_date'],
  },
] as const satisfies readonly FilterRow[];

/** The day on which a planned purchase is to be put out to tender, as far as its notices say. */
export const EXPECTED_DAYS = [
  {
    name: 'tender_expected_from',
    label: 'Tender expected from',
    ...EXPECTED,
    comparison: '>=',
    input: (z) => date(z).optional().describe('When planned tenders are due'),
    words:
      'Only what the buyer expects to put out to tender on this London day or later; notices that name no such day are left out.',
    example: '2026-12-01',
    aliases: [
      'tender_expected',
      'expected',
      'expected_from',
      'expected_after',
      'opens_from',
      'opens_after',
      'planned_from',
    ],
  },
  {
    name: 'tender_expected_to',
    label: 'Tender expected to',
    ...EXPECTED,
    comparison: '<=',
    input: (z) => date(z).optional().describe('Until'),
    words:
      'Only what the buyer expects to put out to tender on this London day or earlier; notices that name no such day are left out.',
    example: '2027-12-31',
    aliases: ['expected_to', 'expected_before', 'opens_to', 'opens_before', 'planned_to', 'planned_before'],
  },
] as const satisfies readonly FilterRow[];
