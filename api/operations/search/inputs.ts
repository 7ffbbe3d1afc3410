import { z } from 'zod';
import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import { FILTERS } from '../../../search/filters/index.ts';
import { inputsOf, ROWS } from '../../../search/filters/read.ts';
import { identifier } from '../../../search/filters/shapes.ts';
import { describe, pastedBuyerId, shape } from '../shared/inputs.ts';

const QUERY_MAX = 1_000;
const CURSOR_MAX = 800;

export const SORTS = ['relevance', 'published', '-published', 'deadline', '-deadline', 'value', '-value'] as const;

export const query = z
  .string()
  .trim()
  .min(1)
  .max(QUERY_MAX)
  .meta(describe('Words, "a phrase", OR, -word, * for all', 'grounds maintenance'));

type TenderOnly = 'deadline_from' | 'deadline_to' | 'status';
const ALL = inputsOf(FILTERS);

/** The filter inputs of a dataset. The address of a buyer's page is read as its id. */
function filtersOf(keep: (datasets: readonly ExportDataset[]) => boolean): typeof ALL {
  const inputs = inputsOf(ROWS.filter(({ datasets }) => keep(datasets))) as typeof ALL;
  const buyer = identifier
    .overwrite(pastedBuyerId)
    .optional()
    .describe(ALL.buyer_id.description ?? '');
  return { ...inputs, ...('buyer_id' in inputs ? { buyer_id: buyer } : {}) };
}

/** The filters of the notice search; the tender search has them too. */
export const noticeFilters: Omit<typeof ALL, TenderOnly> = filtersOf((datasets) => datasets.includes('notices'));
/** Further filters of the tender search. */
export const tenderFilters: Pick<typeof ALL, TenderOnly> = filtersOf(
  (datasets) => datasets.includes('tenders') && !datasets.includes('notices'),
);
/** The filters of the framework search. */
export const frameworkFilters: Omit<typeof ALL, TenderOnly | 'stage' | 'notice_type'> = filtersOf((datasets) =>
  datasets.includes('frameworks'),
);

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
