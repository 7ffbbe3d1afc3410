import { z } from 'zod';
import { STAGES } from '../../../schema/details.ts';
import { NOTICE_SOURCES } from '../../reads/sources.ts';
import { shape, told } from './inputs.ts';
import { pastedBuyerId } from './pasted-ids.ts';

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

const SORTS = ['relevance', 'published', '-published', 'deadline', '-deadline', 'value', '-value'] as const;
const STATUSES = ['open', 'closed', 'any'] as const;

export const query = z
  .string()
  .trim()
  .min(1)
  .max(QUERY_MAX)
  .meta(told('Words, "a phrase", OR, -word, * for all', 'grounds maintenance'));

const cpvPrefix = z.string().regex(/^\d{2,8}$/, 'Input should be 2 to 8 digits of a CPV code');
const regionFilter = z
  .string()
  .trim()
  .regex(/^[\p{L}][\p{L}\p{N} ,.'’&()-]{1,99}$/u, 'Input should be an ITL code such as TLI or a region name');
const pounds = z.number().min(0).max(1e15);
const date = z.iso.date();
const filterBuyer = z.string().trim().min(1).max(200).overwrite(pastedBuyerId);

/** Filters of both searches and of most exports. Bounds are inclusive. */
export const noticeFilters = {
  buyer_id: filterBuyer.optional().describe('From lookup_buyer or any item'),
  cpv: cpvPrefix.optional().describe('First digits of a CPV code: 45 construction, 72 IT'),
  region: regionFilter.optional().meta(told('Name or ITL code', 'London', 'TLI3')),
  value_min: pounds.optional().describe('Least GBP'),
  value_max: pounds.optional().describe('Most GBP'),
  published_from: date.optional().meta(told('Published since', '2026-05-01')),
  published_to: date.optional().describe('Published until'),
  source: z.enum(NOTICE_SOURCES).optional().describe('Published on'),
  notice_type: z.enum(NOTICE_TYPES).optional().describe('UK1 to UK17; of older notices tender, award'),
  stage: z.enum(STAGES).optional().describe('Of the procurement'),
};

/** Further filters of the tender search. */
export const tenderFilters = {
  deadline_from: date.optional().describe('Closing since'),
  deadline_to: date.optional().describe('Closing until'),
  status: z.enum(STATUSES).default('open').describe('open: can be bid for now'),
};

/** How a search matches, and how its results come: sort, page, counts, fields. */
export const presentation = {
  match: z.enum(['all', 'any']).default('all').describe('all: every word; any: one of them is enough'),
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
