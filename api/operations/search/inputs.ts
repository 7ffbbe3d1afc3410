import { z } from 'zod';
import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import { FACETS } from '../../../search/filters/facets.ts';
import type { FILTERS } from '../../../search/filters/index.ts';
import { ROWS, rowsOf } from '../../../search/filters/read.ts';
import type { FilterRow, InputsOf, RowsFor, ValueKind } from '../../../search/filters/row.ts';
import { identifier, identifiers, splitList } from '../../../search/filters/shapes.ts';
import { inputOf, inputsOf } from '../../validation/inputs.ts';
import { describe, pastedBuyerId, pastedCompanyNumber, pastedFrameworkId, shape } from '../shared/inputs.ts';

const QUERY_MAX = 1_000;
const CURSOR_MAX = 800;

export const SORTS = ['relevance', 'published', '-published', 'deadline', '-deadline', 'value', '-value'] as const;

/** The same for notices of every stage, and for contracts. */
export const NOTICE_SORTS = [...SORTS, 'tender_expected', '-tender_expected'] as const;
export const CONTRACT_SORTS = ['relevance', 'awarded', '-awarded', 'ends', '-ends', 'value', '-value'] as const;

export const query = z
  .string()
  .trim()
  .min(1)
  .max(QUERY_MAX)
  .meta(describe('Words, "a phrase", OR, -word, * for all', 'grounds maintenance'));

type InputsFor<Dataset extends ExportDataset> = InputsOf<RowsFor<typeof FILTERS, Dataset>>;

const PASTED: Partial<Record<ValueKind, (text: string) => string>> = {
  buyer: pastedBuyerId,
  company: pastedCompanyNumber,
  framework: pastedFrameworkId,
};

/** Every filter's input, by name. If filters of several datasets share a name, the last one's. */
export const allFilters = inputsOf(ROWS.map(withPasted)) as InputsOf<(typeof FILTERS)[number]>;

/** The address of a page is read as the id of what it shows. */
function withPasted(row: FilterRow): FilterRow {
  const read = PASTED[row.values];
  if (!read) return row;
  const ids = row.several
    ? identifiers(z).overwrite((text) => splitList(text).map(read).join(','))
    : identifier(z).overwrite(read);
  const input = ids.optional().meta(inputOf(row).meta() ?? {});
  return { ...row, input: () => input };
}

function filtersOf<Dataset extends ExportDataset>(dataset: Dataset): InputsFor<Dataset> {
  return inputsOf(rowsOf(dataset).map(withPasted)) as InputsFor<Dataset>;
}

/** The filters of each search. */
export const noticeFilters = filtersOf('notices');
export const tenderFilters = filtersOf('tenders');
export const frameworkFilters = filtersOf('frameworks');
export const contractFilters = filtersOf('contracts');

/** The same for frameworks. */
export const FRAMEWORK_SORTS = [...SORTS, 'ends', '-ends'] as const;

/** How many words of a query a result must contain. */
export const wordsMatch = z.enum(['all', 'any']);

/** How a search matches and how results are returned: sort, page, counts, fields. */
export const presentation = {
  match: wordsMatch.default('all').describe('all: every word; any: one of them is enough'),
  limit: z.int().min(1).max(100).default(25).describe('Items a page'),
  cursor: z.string().min(1).max(CURSOR_MAX).optional().describe('The last meta.next_cursor, all else the same'),
  sort: z.enum(SORTS).optional().describe('- is descending'),
  facets: z
    .string()
    .max(200)
    .optional()
    .describe(`Counts by ${FACETS.join(', ')}`),
  ...shape,
  highlight: z.boolean().default(false).describe('Show text around hits'),
};
