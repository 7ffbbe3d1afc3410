import { z } from 'zod';
import { alsoOn, briefBids, nation, procedure } from '../shared/notice-shapes.ts';
import { dated, frameworkRole, lots, money, standing } from './shapes.ts';

/** A contract in any list. */
const item = {
  notice_id: z.string(),
  title: z.string(),
  contract_id: z.string(),
  ocid: z.string().optional(),
  ...money,
  dated,
  awarded: z.string().optional(),
  standstill_until: z.string().optional(),
  signed: z.string().optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
  ends_latest: z.string().optional(),
  procedure: procedure.optional(),
  bids: briefBids.optional(),
  cpv: z.string().optional(),
  region: z.string().optional(),
  nation: nation.optional(),
  framework_id: z.string().optional(),
  framework_role: frameworkRole.optional(),
  lots: lots.optional().describe('The lots that it is of; the first ten'),
  warnings: z.array(z.string()).optional(),
  url: z.string().optional(),
  source: z.string().optional(),
  also_on: alsoOn.optional(),
  ...standing,
};

/** For a list of contracts: the fields that tools mention, and those that a brief answer keeps. */
const LIST_STATED = [
  'contract_count',
  'framework_places',
  'items.notice_id',
  'items.title',
  'items.contract_id',
  'next_cursor',
];
const LIST_KEPT = [
  'next_cursor',
  'items.value',
  'items.counted_as',
  'items.stated_value',
  'items.currency',
  'items.awarded',
  'items.ends',
  'items.ends_latest',
  'items.status',
  'items.procedure',
  'items.framework_role',
];
export const WON_STATED = [...LIST_STATED, 'items.value', 'items.buyer_id'];
export const WON_KEPT = [...LIST_KEPT, 'items.buyer', 'items.buyer_id', 'items.supplier_count'];
export const ISSUED_STATED = [...LIST_STATED, 'items.supplier', 'items.suppliers.company_id'];
export const ISSUED_KEPT = [...LIST_KEPT, 'items.suppliers.companies_house_number'];

/** A contract in a company's list. */
export const wonItem = z.object({
  ...item,
  value: z.number().nullable().describe('Its own value; null where there is only a stated_value, or none'),
  buyer: z.string().optional(),
  buyer_id: z.string().optional(),
  supplier_count: z.int().optional().describe('How many suppliers share it, where more than one'),
});

/** The paged list of a company, alone or inside its profile. */
export const wonContracts = z.object({
  contract_count: z.int().describe('All contracts won, each once'),
  framework_places: z.int().describe('Items of the list that are places on a framework'),
  items: z.array(wonItem),
  count: z.int().describe('Items in this answer'),
  next_cursor: z.string().optional(),
});

export const partner = z.object({
  company_id: z.string(),
  name: z.string(),
  companies_house_number: z.string().optional(),
});

/** A contract in a buyer's or framework's list. */
export const issuedItem = z.object({
  ...item,
  supplier: z.string().nullable().describe('All suppliers: "A; B; C", of more than three "A; B; and 3 others"'),
  supplier_count: z.int(),
  suppliers: z.array(partner),
  value: z.number().optional(),
});
