import { z } from 'zod';
import { instant } from '../../../schema/answers/shapes.ts';
import { CHANGE_KINDS } from '../../../schema/catalogue/changes/kinds.ts';
import { FRAMEWORK_ROLES, PROCEDURES, VALUE_BASES } from '../../../schema/catalogue/enums.ts';
import { countedAs } from '../contracts/shapes.ts';
import { alsoOn, nation } from '../shared/notice-shapes.ts';

const text = z.string().optional();
const count = z.int().optional();

export const supplierOfItem = z.object({ company_id: z.string(), name: z.string() });

/** A brief item of any kind: the fields that its kind has, where they are known. */
export const briefItem = z.object({
  notice_id: text,
  contract_id: text,
  company_id: text,
  buyer_id: text,
  framework_id: text,
  ocid: text,
  title: text,
  name: text,
  buyer: text,
  buyer_kind: text,
  supplier: text,
  supplier_count: count,
  suppliers: z.array(supplierOfItem).optional().describe('The first 10'),
  published: text,
  published_at: text,
  deadline: text,
  deadline_at: text,
  tender_expected: text,
  dated: text,
  awarded: text,
  signed: text,
  starts: text,
  ends: text,
  ends_latest: text,
  value: z.number().optional(),
  stated_value: z.number().optional().describe('What was published where it is no value'),
  ceiling: z.number().optional().describe('The most that may be spent over all call-offs'),
  currency: text,
  value_basis: z.enum(VALUE_BASES).optional(),
  counted_as: countedAs.optional(),
  cpv: text,
  region: text,
  region_code: text,
  nation: nation.optional(),
  source: text,
  stage: text,
  notice_type: text,
  also_on: alsoOn.optional(),
  is_tender: z.boolean().optional().describe('Whether it is, or was, open for bids'),
  stated_status: text.describe('As the notices state it; the status of a day follows with the dates'),
  procedure: z.enum(PROCEDURES).optional(),
  bids_received: count.describe('Bids that came in'),
  bids_from_smes: count.describe('Of them from SMEs'),
  framework_role: z.enum(FRAMEWORK_ROLES).optional(),
  kind: text.describe('Of a buyer or framework'),
  scope: text.describe('How far a buyer acts'),
  companies_house_number: text,
  status: text,
  locality: text,
  incorporated: text,
  is_sme: z.boolean().optional(),
  sic_code_list: z.array(z.string()).optional().describe('SIC codes'),
  contract_count: count,
  framework_places: count,
  lot_count: count,
  url: text,
});

/** What became of one row. */
export const changedItem = z.object({
  kind: z.enum(CHANGE_KINDS),
  id: z.string().describe('Its look-up takes it; sha256: and a digest of it where it was itself taken down'),
  change: z.enum(['new', 'updated', 'left', 'gone']).describe('left: it no longer matches the filters'),
  at: instant.optional().describe('When it became visible; absent before the log began'),
  changed: z
    .array(z.string())
    .optional()
    .describe('Names of the fields that changed, for 90 days; totals stands for value, detail for the rest'),
  item: briefItem.optional().describe('As it is now; absent for what left or is gone'),
});
