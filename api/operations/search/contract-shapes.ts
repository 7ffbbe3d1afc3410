import { z } from 'zod';
import { COUNTED_AS } from '../../../schema/catalogue/enums.ts';
import { issuedItem } from '../contracts/item-shapes.ts';
import { resultOf } from './shapes.ts';

const { value_class: _class, lots: _lots, value: _value, ...issued } = issuedItem.shape;

/** A contract that a search found. */
export const contractItem = z.object({
  ...issued,
  buyer: z.string().nullable(),
  buyer_id: z.string().optional(),
  value: z.number().nullable().describe('Its own value; null where there is only a stated_value, or none'),
  counted_as: z.enum(Object.values(COUNTED_AS)).describe('What totals do with the value; only sum is ever added up'),
  extract: z.string().optional(),
  highlight: z.string().optional(),
});

/** The answer of a search for contracts; buyers and suppliers are counted by their ids. */
export const contractResult = resultOf(contractItem).extend({
  facet_names: z.record(z.string(), z.string()).optional().describe('Names of the buyers and suppliers counted, by id'),
});
