import { z } from 'zod';
import { STAGES } from '../../../schema/catalogue/details.ts';
import { NOTICE_SOURCES } from '../../reads/sources.ts';
import { splitList } from '../filters/effective.ts';
import { describe, shape } from '../shared/inputs.ts';
import { pastedBuyerId } from '../shared/pasted-ids.ts';

const QUERY_MAX = 1_000;
const CURSOR_MAX = 800;

/** The forms of the Procurement Act, and the tags that older notices carry instead. */
const NOTICE_TYPES = [
  ...Array.from({ length: 17 }, (_, index) => `UK${index + 1}`),
  'planning',
  'planningUpdate',
  'tender',
  'tenderAmendment',
  'tenderUpdate',
  'tenderCancellation',
  'award',
  'awardUpdate',
  'awardCancellation',
  'contract',
  'contractUpdate',
  'contractAmendment',
  'implementation',
  'implementationUpdate',
  'contractTermination',
  'compiled',
];

export const SORTS = ['relevance', 'published', '-published', 'deadline', '-deadline', 'value', '-value'] as const;
const STATUSES = ['open', 'closed', 'any'] as const;

export const query = z
  .string()
  .trim()
  .min(1)
  .max(QUERY_MAX)
  .meta(describe('Words, "a phrase", OR, -word, * for all', 'grounds maintenance'));

/** Values of one filter that may be sent at once. */
const VALUES_MAX = 20;
const CPV = String.raw`\d{2,8}(?:-\d)?`;
const cpvCodes = z
  .string()
  .trim()
  .regex(
    new RegExp(`^${CPV}(?:\\s*,\\s*${CPV}){0,${VALUES_MAX - 1}}$`),
    `Input should be CPV codes of 2 to 8 digits, with commas between, at most ${VALUES_MAX}`,
  );
const regionFilter = z
  .string()
  .trim()
  .regex(/^[\p{L}][\p{L}\p{N} ,.'’&()-]{1,299}$/u, 'Input should be ITL codes such as TLI or names of regions')
  .refine((text) => splitList(text).length <= 2 * VALUES_MAX, `Input should name at most ${VALUES_MAX} regions`);

/** A list with each value as it is known, in whatever case it was sent; one that holds what is unknown as it is. */
function asKnown(text: string, known: readonly string[]): string {
  const values = splitList(text).map((value) => known.find((one) => one.toLowerCase() === value.toLowerCase()));
  return values.every((value) => value !== undefined) ? values.join(',') : text;
}

/** Some of the known values, with commas between; OpenAPI has them all in its pattern. */
function someOf(known: readonly string[], description: string, ...examples: string[]) {
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

const pounds = z.number().min(0).max(1e15);
const date = z.iso.date();
const filterBuyer = z.string().trim().min(1).max(200).overwrite(pastedBuyerId);

/** Filters of both searches and of most exports. Bounds are inclusive. */
export const noticeFilters = {
  buyer_id: filterBuyer.optional().describe('From {lookup_buyer} or any item'),
  cpv: cpvCodes
    .optional()
    .meta(describe('CPV codes or first digits, commas between: 45 construction, 72 IT', '45', '45,71')),
  region: regionFilter.optional().meta(describe('Names or ITL codes, commas between', 'London', 'TLI3,TLJ')),
  value_min: pounds.optional().describe('Least GBP'),
  value_max: pounds.optional().describe('Most GBP'),
  published_from: date.optional().meta(describe('Published since', '2026-05-01')),
  published_to: date.optional().describe('Published until'),
  source: someOf(NOTICE_SOURCES, `Published on ${NOTICE_SOURCES.join(' or ')}`, NOTICE_SOURCES[1]),
  notice_type: someOf(NOTICE_TYPES, 'UK1 to UK17; of older notices tender, award; commas between', 'UK4', 'UK6,UK7'),
  stage: someOf(STAGES, `${STAGES.join(', ')}; commas between`, 'award', 'planning,tender'),
};

/** Whether bids are taken now. */
export const bidStatus = z.enum(STATUSES);

/** Further filters of the tender search. */
export const tenderFilters = {
  deadline_from: date.optional().describe('Closing since'),
  deadline_to: date.optional().describe('Closing until'),
  status: bidStatus.default('open').describe('open: can be bid for now'),
};

/** How many words of a query a result must hold. */
export const wordsMatch = z.enum(['all', 'any']);

/** How a search matches, and how its results come: sort, page, counts, fields. */
export const presentation = {
  match: wordsMatch.default('all').describe('all: every word; any: one of them is enough'),
  limit: z.int().min(1).max(100).default(25).describe('Items a page'),
  cursor: z
    .string()
    .min(1)
    .max(CURSOR_MAX)
    .optional()
    .describe('meta.next_cursor of the page before, all else the same'),
  sort: z.enum(SORTS).optional().describe('- is descending'),
  facets: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Counts by cpv_division, region, buyer_id, stage, source, notice_type, month, value_band; commas between',
    ),
  ...shape,
  highlight: z.boolean().default(false).describe('Show text around hits'),
};
