import { z } from 'zod';
import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import { FACETS } from '../../../search/filters/facets.ts';
import type { FILTERS } from '../../../search/filters/index.ts';
import { filterNames, inputsOf, ROWS } from '../../../search/filters/read.ts';
import type { FilterRow, InputsOf, NamesOf } from '../../../search/filters/row.ts';
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

type Inputs = InputsOf<typeof FILTERS>;
type InputsFor<Dataset extends ExportDataset> = Pick<Inputs, NamesOf<typeof FILTERS, Dataset>>;

/** Every filter's input, by name. The address of a buyer's page is read as its id. */
export const allFilters = inputsOf(
  ROWS.map((row) => (row.values === 'buyer' ? { ...row, input: readPasted(row) } : row)),
) as Inputs;

function readPasted({ input }: FilterRow) {
  return identifier
    .overwrite(pastedBuyerId)
    .optional()
    .describe(input.description ?? '');
}

function filtersOf<Dataset extends ExportDataset>(dataset: Dataset): InputsFor<Dataset> {
  return Object.fromEntries(filterNames(dataset).map((name) => [name, allFilters[name]])) as InputsFor<Dataset>;
}

/** The filters of each search. */
export const noticeFilters = filtersOf('notices');
export const tenderFilters = filtersOf('tenders');
export const frameworkFilters = filtersOf('frameworks');

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
    .describe(`Counts by ${FACETS.join(', ')}; commas between`),
  ...shape,
  highlight: z.boolean().default(false).describe('Show text around hits'),
};
