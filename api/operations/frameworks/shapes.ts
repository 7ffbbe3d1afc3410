import { z } from 'zod';
import { CEILING_SOURCES } from '../../../schema/catalogue/enums.ts';
import { issuedItem, partner } from '../contracts/shapes.ts';
import { region } from '../shared/notice-shapes.ts';

export const frameworkKind = z.enum(['framework', 'dynamic_market']);
export const ceilingSource = z.enum(CEILING_SOURCES);

const frameworkFields = {
  framework_id: z.string(),
  title: z.string(),
  buyer: z.string().nullable(),
  kind: frameworkKind,
  buyer_id: z.string().optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
  ceiling: z.number().optional().describe('The most that may be spent over all call-offs; never a sum of contracts'),
  currency: z.string().optional(),
  cpv: z.string().optional(),
  region: z.string().optional(),
  ocid: z.string(),
  notice_id: z.string(),
  published: z.string().describe('London day of the notice that notice_id names'),
  url: z.string().optional(),
  source: z.string(),
  evidence: z
    .array(z.string())
    .describe('What says that it is a framework: a flag, its notice type, words of its title'),
};

export const frameworkLot = z.object({
  lot_id: z.string(),
  title: z.string(),
  value: z.number().optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
  duration_days: z.number().optional(),
  duration_months: z.number().optional(),
  suppliers: z.array(partner),
});

export const frameworkAnswer = z.object({
  ...frameworkFields,
  lots: z.array(frameworkLot),
  call_off_count: z.int(),
  call_offs: z.array(issuedItem).describe('Contracts called off, newest first'),
  next_cursor: z.string().optional(),
  description: z.string().optional(),
  method: z.string().optional(),
  type: z.string().optional(),
  who_may_use: z.string().optional(),
  buyers: z.array(z.string()).optional().describe('Buyers that it names as its own'),
  restricted_to: z.array(z.string()).optional().describe('Kinds and places of buyers that it is restricted to'),
  ceiling_from: ceilingSource
    .optional()
    .describe('Where the ceiling was read: awards only where all of them state the same'),
  extends_to: z.string().optional(),
  references: z.array(z.string()).optional(),
  max_suppliers: z.int().optional(),
  regions: z.array(region).optional(),
  warnings: z.array(z.string()).optional(),
  notice_ids: z.array(z.string()).optional().describe('Every notice it was made from, oldest first'),
});

/** A framework in a search's answer. */
export const frameworkItem = z.object({
  ...frameworkFields,
  ocid: z.string().optional(),
  source: z.string().optional(),
  lot_count: z.int(),
  supplier_count: z.int().describe('How many different suppliers'),
  extract: z.string().optional(),
  highlight: z.string().optional(),
});
