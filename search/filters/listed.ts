import type { ExportDataset } from '../../schema/accounts/exports/datasets.ts';
import { COMPANY_STATUS_MEANINGS, COMPANY_STATUSES } from '../../schema/reference/company-status.ts';
import { rowsOf } from './read.ts';
import type { AnyFilterRow, ListedRow } from './row.ts';
import { date, describe, postcodes, pounds, someOf } from './shapes.ts';
import { cpv, region } from './shared.ts';

const OF_COMPANIES = { kind: 'listed', several: false, datasets: ['companies'] } as const;
const DAY = { ...OF_COMPANIES, values: 'day' } as const;

/** The filters of companies: no index has them; the list compares them. */
export const COMPANY_FILTERS = [
  {
    ...OF_COMPANIES,
    name: 'sic',
    label: 'Nature of business',
    hint: 'SIC codes or their first digits',
    values: 'code',
    several: true,
    input: (z) =>
      z
        .string()
        .trim()
        .regex(/^\d{2,5}(?:\s*,\s*\d{2,5}){0,19}$/, 'Input should be SIC codes of 2 to 5 digits, with commas between')
        .optional()
        .describe('SIC codes or first digits'),
    words: 'SIC codes of 2 to 5 digits: 62 stands for all that begin with 62.',
    example: '62',
    aliases: ['sic_code', 'sic_codes', 'trade', 'industry'],
  },
  {
    ...OF_COMPANIES,
    name: 'region',
    label: 'Region',
    values: 'region',
    several: true,
    input: (z) => region.input(z).describe('ITL 1 region of its postcode'),
    words: 'Where its postcode lies: names of ITL level 1 regions or their codes.',
    aliases: region.aliases,
  },
  {
    ...OF_COMPANIES,
    name: 'postcode',
    label: 'Postcode',
    hint: 'Such as LS1, or several',
    values: 'code',
    several: true,
    input: (z) => postcodes(z).optional().describe('LS, LS1 or whole'),
    words:
      'Where its postcode lies: whole postcodes, or what they begin with. LS is an area, LS1 a district (LS10 is another) and LS1 4 a sector. W1 stands for all of W1A to W1W.',
    example: 'LS1',
    aliases: ['post_code', 'postal_code', 'zip', 'outcode', 'district', 'postcode_area', 'postcode_district'],
  },
  {
    ...OF_COMPANIES,
    name: 'status',
    label: 'Status',
    choices: COMPANY_STATUSES,
    meanings: COMPANY_STATUS_MEANINGS,
    values: 'code',
    several: true,
    input: (z) => someOf(z, COMPANY_STATUSES, `${COMPANY_STATUSES.slice(0, 4).join(', ')}…`, 'active'),
    words: `What state it is in: ${COMPANY_STATUSES.join(', ')}.`,
    aliases: ['company_status', 'state'],
  },
  {
    ...DAY,
    name: 'incorporated_from',
    label: 'Incorporated since',
    input: (z) => date(z).optional().describe('Since'),
    words: 'Only what was incorporated on this day or later.',
    example: '2010-01-01',
    aliases: ['founded_from', 'incorporated_after'],
  },
  {
    ...DAY,
    name: 'incorporated_to',
    label: 'Incorporated until',
    input: (z) => date(z).optional().describe('Until'),
    words: 'Only what was incorporated on this day or earlier.',
    example: '2026-12-31',
    aliases: ['founded_to', 'incorporated_before'],
  },
  {
    ...OF_COMPANIES,
    name: 'sme',
    label: 'Small or medium-sized',
    values: 'flag',
    input: (z) => z.boolean().optional().describe('An SME'),
    words: 'true: small or medium-sized, as a notice or its accounts say; false: a notice says that it is not.',
    aliases: ['is_sme', 'small'],
  },
  {
    ...OF_COMPANIES,
    name: 'won',
    label: 'Has contracts',
    values: 'flag',
    input: (z) => z.boolean().optional().describe('Has contracts'),
    words: 'true: it has contracts; false: it has none, though it may have places on frameworks.',
    example: true,
    aliases: ['has_contracts', 'supplier'],
  },
  {
    ...DAY,
    name: 'won_from',
    label: 'Won since',
    input: (z) => date(z).optional().describe('Since'),
    words: 'Only what won a contract or a place on a framework on this day or later.',
    example: '2020-01-01',
    aliases: ['awarded_from', 'won_after'],
  },
  {
    ...DAY,
    name: 'won_to',
    label: 'Won until',
    input: (z) => date(z).optional().describe('Until'),
    words: 'Only what won a contract or a place on a framework on this day or earlier.',
    example: '2026-12-31',
    aliases: ['awarded_to', 'won_before'],
  },
  {
    ...OF_COMPANIES,
    name: 'cpv',
    label: 'What it supplies',
    values: 'cpv',
    several: true,
    input: (z) => cpv.input(z).describe('It won'),
    words: 'CPV codes of 2 to 8 digits: those that won a contract or a place on a framework of one of them.',
    aliases: cpv.aliases,
  },
  {
    ...OF_COMPANIES,
    name: 'won_value_min',
    label: 'Won at least',
    values: 'pounds',
    input: (z) => pounds(z).optional().describe('Least won, GBP'),
    words: 'The least sum of its contracts whose value may be added up, in pounds sterling (GBP).',
    example: 1_000,
    aliases: ['value_min', 'won_min'],
  },
] as const satisfies readonly ListedRow[];

/** The filters of buyers that only their list has. */
export const LISTED_BUYER_FILTERS = [
  {
    kind: 'listed',
    name: 'cpv',
    label: 'What it buys',
    values: 'cpv',
    several: true,
    datasets: ['buyers'],
    input: (z) => cpv.input(z).meta(describe('What it buys: CPV codes', '45', '45,71')),
    words: 'CPV codes of 2 to 8 digits: those with a contract or framework place of one of them.',
    aliases: cpv.aliases,
  },
] as const satisfies readonly ListedRow[];

export const LISTED_ROWS: readonly ListedRow[] = [...COMPANY_FILTERS, ...LISTED_BUYER_FILTERS];

/** The rows of all filters that a dataset takes, including those that only its list compares. */
export function allRowsOf(dataset: ExportDataset): readonly AnyFilterRow[] {
  return [...rowsOf(dataset), ...LISTED_ROWS.filter(({ datasets }) => datasets.includes(dataset))];
}
