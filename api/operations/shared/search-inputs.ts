import { z } from 'zod';
import { STAGES } from '../../../schema/details.ts';
import { NOTICE_SOURCES } from '../../reads/sources.ts';

const QUERY_MAX = 1_000;

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
  .describe('Plain words; "quoted phrases" and a trailing partial word work; * means all');

const cpvPrefix = z.string().regex(/^\d{2,8}$/, 'Input should be 2 to 8 digits of a CPV code');
const regionFilter = z
  .string()
  .trim()
  .regex(/^[\p{L}][\p{L}\p{N} ,.'’&()-]{1,99}$/u, 'Input should be an ITL code such as TLI or a region name');
const pounds = z.number().min(0).max(1e15);
const date = z.iso.date();
const filterBuyer = z.string().trim().min(1).max(200);

/** Filters of both searches and of most exports. Bounds are inclusive. */
export const noticeFilters = {
  buyer_id: filterBuyer.optional().describe('buyer_id from lookup_buyer or from any item'),
  cpv: cpvPrefix.optional().describe('CPV code or its first digits: 45 is construction, 72 IT services'),
  region: regionFilter.optional().describe('ITL or NUTS code (TLI3, UKI) or region name (London)'),
  value_min: pounds.optional().describe('Least value in GBP'),
  value_max: pounds.optional().describe('Greatest value in GBP'),
  published_from: date.optional().describe('First day published'),
  published_to: date.optional().describe('Last day published'),
  source: z.enum(NOTICE_SOURCES).optional().describe('Published on'),
  notice_type: z
    .enum(NOTICE_TYPES)
    .optional()
    .describe("UK1 to UK17, or an older notice's tag such as tender or award"),
  stage: z.enum(STAGES).optional().describe('Of the procurement'),
};

/** Further filters of the tender search. */
export const tenderFilters = {
  deadline_from: date.optional().describe('First day of the deadline'),
  deadline_to: date.optional().describe('Last day of the deadline'),
  status: z
    .enum(STATUSES)
    .default('open')
    .describe('open: the deadline is in the future now and the process goes on; closed: not so; any: both'),
};

/** How results come: sort, page, counts, fields. */
export const presentation = {
  limit: z.int().min(1).max(100).default(25).describe('Items in this page'),
  cursor: z
    .string()
    .min(1)
    .max(3_000)
    .optional()
    .describe('meta.next_cursor of the page before, all else the same; at most 5,000 results'),
  sort: z.enum(SORTS).optional().describe('Default relevance with a query, else newest first; - is descending'),
  facets: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Counts wanted, commas between: cpv_division, region, buyer_id, stage, source, notice_type, month, value_band',
    ),
  fields: z.string().max(500).optional().describe('Item fields wanted, commas between; default all'),
  highlight: z.boolean().default(false).describe('Add the text around each hit, in <mark>'),
};
