import { z } from 'zod';
import { counted, filtersUsed, instant } from '../../../schema/answers/shapes.ts';
import { COUNTED_AS } from '../../../schema/catalogue/enums.ts';
import { compareText } from '../../../schema/text/ids.ts';
import { GROUPINGS } from '../../../search/summary/groups.ts';
import type { Sums } from '../../../search/summary/tally.ts';
import { unknownFilters } from '../filters/known.ts';
import { matchedWords } from './matched.ts';

/** What contracts are grouped by, and what orders the groups. */
export const grouping = z.enum(GROUPINGS);
export const measure = z.enum(['value', 'count']);

const sums = {
  contract_count: z.int(),
  framework_places: z.int().optional(),
  value_total: z
    .record(z.string(), z.number())
    .describe(
      'Currency to the sum of the values that may be added up: of whole contracts, without VAT where a notice states that',
    ),
  value_count: z.record(z.string(), z.int()).optional().describe('Currency to the number of values in the sum'),
  not_in_total: z
    .record(z.string(), counted)
    .optional()
    .describe('Why contracts and places are in no sum, and how many'),
};

export const contractSums = z.object(sums);

const known = {
  id: z.string().nullable().describe('Null: contracts that state none'),
  name: z.string().nullable(),
};

export const secondGroup = z.object(known);
export const contractGroup = z.object({
  ...known,
  second: secondGroup.optional().describe('Of two ways of grouping, the second'),
  ...sums,
  share: z.number().describe('Of the measure in total, 0 to 1; by value of the pounds'),
});

/** The parameters of the summary. */
export const summaryMeta = z.object({
  ...matchedWords.shape,
  filters: filtersUsed.describe('The effective filters'),
  as_of: z
    .record(z.string(), instant.nullable())
    .describe('Source to the instant before which everything published is held'),
  unknown_filters: unknownFilters,
});

/** The answer of a summary of contracts. */
export const contractSummary = z.object({
  group_by: z.array(grouping),
  measure,
  groups: z.array(contractGroup),
  count: z.int(),
  group_count: z.int().describe('Groups in all, those not listed too'),
  others: contractSums.optional().describe('The groups that are not listed, added up'),
  total: contractSums.describe('Every contract once'),
  meta: summaryMeta,
});

/** Sums as answers show them: in major units, with at most two decimals. */
export function toSums({ contracts, places, added, apart }: Sums): z.input<z.ZodObject<typeof sums>> {
  const currencies = Object.entries(added).toSorted(([one], [other]) => compareText(one, other));
  const notAdded = Object.entries(apart) as [keyof typeof apart, number][];
  return {
    contract_count: contracts,
    ...(places > 0 && { framework_places: places }),
    value_total: Object.fromEntries(currencies.map(([currency, { pence }]) => [currency, pence / 100])),
    ...(currencies.length > 0 && {
      value_count: Object.fromEntries(currencies.map(([currency, { count }]) => [currency, count])),
    }),
    ...(notAdded.length > 0 && {
      not_in_total: Object.fromEntries(notAdded.map(([valueClass, count]) => [COUNTED_AS[valueClass], { count }])),
    }),
  };
}
