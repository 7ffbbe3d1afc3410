import { z } from 'zod';
import {
  CONTRACT_STATUSES,
  COUNTED_AS,
  ENDS_BASES,
  ENDS_LATEST_BASES,
  FRAMEWORK_ROLES,
  VALUE_BASES,
  VALUE_CLASSES,
} from '../../../schema/catalogue/enums.ts';
import { CURRENT_CONTRACT_STATUSES } from '../../../schema/catalogue/live.ts';
import {
  alsoOn,
  bids,
  cpvCode,
  deliveryPlaces,
  directAwardGrounds,
  justification,
  kpi,
  nation,
  noticeReference,
  procedure,
  region,
  related,
  supplier,
} from '../shared/notice-shapes.ts';
import { successor } from '../shared/successions.ts';

export const valueBasis = z.enum(VALUE_BASES);
export const contractStatus = z.enum(CURRENT_CONTRACT_STATUSES);
export const statedContractStatus = z.enum(CONTRACT_STATUSES);
export const frameworkRole = z.enum(FRAMEWORK_ROLES);
export const valueClass = z.enum(VALUE_CLASSES);
export const countedAs = z.enum(Object.values(COUNTED_AS));
export const endsBasis = z.enum(ENDS_BASES);
export const endsLatestBasis = z.enum(ENDS_LATEST_BASES);

export const money = {
  stated_value: z
    .number()
    .optional()
    .describe('What was published where it is no value: a framework ceiling, or an amount that is not believed'),
  currency: z.string().optional(),
  value_basis: valueBasis.optional(),
  value_class: valueClass.optional(),
  counted_as: countedAs.optional(),
};
export const dated = z.string().describe('The day by which it sorts and counts: awarded, else signed, else published');
const dates = {
  awarded: z.string().optional(),
  standstill_until: z.string().optional(),
  signed: z.string().optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
  ends_basis: endsBasis.optional(),
  ends_latest: z.string().optional(),
  ends_latest_basis: endsLatestBasis.optional(),
};
export const supplierName = z.object({ name: z.string() });
/** What one notice said of an award. */
export const historyStep = z.object({
  notice_id: z.string(),
  notice_type: z.string(),
  published: z.string(),
  status: z.string().optional().describe('As the notice states it'),
  value: z.number().optional(),
  currency: z.string().optional(),
  value_basis: valueBasis.optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
  suppliers: z.array(supplierName).optional(),
});
export const finalValue = z.object({ value: z.number(), currency: z.string(), value_basis: valueBasis });
/** How the contract's present state came about, what it may still become, and how its performance is measured. */
const life = {
  history: z
    .array(historyStep)
    .optional()
    .describe('What each notice said of the award, oldest first, where several spoke of it'),
  terminated: z.string().optional().describe('The day that a termination ended it'),
  former_suppliers: z.array(z.string()).optional().describe('Named by an earlier notice and no more by the newest'),
  also_published_as: z.array(z.string()).optional().describe('Contract ids of the same award published again'),
  kpis: z.array(kpi).optional(),
  no_kpis_reason: z.string().optional().describe('Why it has no performance indicators, in the words of its notice'),
  renewal: z.string().optional().describe('How it may be extended, in the words of its notice'),
  options: z.string().optional().describe('What more may be bought under it, in the words of its notice'),
  final_value: finalValue.optional().describe('What it cost in the end, as the notice of its termination says'),
};
export const contractChange = z.object({
  notice_id: z.string(),
  date: z.string(),
  description: z.string().optional(),
  value: z.number().optional().describe('Of the contract as changed'),
  currency: z.string().optional(),
  value_basis: valueBasis.optional(),
  ends: z.string().optional(),
  extends_to: z.string().optional(),
  proposed: z.boolean().optional().describe('Announced before it was signed: by itself it changes nothing'),
});
const changes = z.array(contractChange).optional();
export const frameworkLink = z.object({
  method: z.enum(['own', 'identifier', 'reference', 'none']),
  evidence: z.array(z.string()),
});
const link = frameworkLink
  .optional()
  .describe('own, identifier, reference, or none: called off from a framework that cannot be told');
export const amountApart = z.object({ count: z.int(), value: z.number().optional(), currency: z.string().optional() });
export const awardLot = z.object({ lot_id: z.string(), title: z.string().optional() });
export const lots = z.array(awardLot);
export const standing = {
  status: contractStatus.optional().describe('Today, by its end; absent where that is not known'),
  stated_status: statedContractStatus.optional().describe('As published'),
};

export const award = z.object({
  contract_id: z.string(),
  title: z.string(),
  description: z.string().optional().describe('Where those of the awards differ'),
  suppliers: z.array(supplier),
  value: z.number().nullable(),
  ...money,
  lots,
  dated,
  ...dates,
  extends_to: z.string().optional(),
  bids: bids.optional(),
  ...standing,
  notice_id: z.string().optional(),
  notice_ids: z.array(z.string()).optional().describe('Every notice that spoke of the award, oldest first'),
  framework_id: z.string().optional(),
  framework_role: frameworkRole.optional(),
  framework_link: link,
  changes,
  ...life,
  warnings: z.array(z.string()).optional(),
});

/** One contract, or the several awards of one notice as one answer. */
export const contractAnswer = z.object({
  notice_id: z.string(),
  title: z.string(),
  buyer: z.string().nullable(),
  supplier: z.string().nullable().describe('All suppliers: "A; B; C", of more than three "A; B; and 3 others"'),
  supplier_count: z.int(),
  value: z
    .number()
    .nullable()
    .describe(
      'Its own value; null where there is only a stated_value. Of several awards: the sum of those with their own, in one currency',
    ),
  ...money,
  value_apart: z
    .partialRecord(valueClass, amountApart)
    .optional()
    .describe('Awards whose amounts are not in the value, by class'),
  contract_id: z.string().optional().describe('Where the notice has one award'),
  ocid: z.string(),
  buyer_id: z.string().optional(),
  suppliers: z.array(supplier),
  awards: z.array(award),
  dated: dated.describe('The day by which it sorts and counts: of several awards the newest'),
  ...dates,
  ...standing,
  description: z.string().optional(),
  procedure: procedure.optional(),
  procedure_details: z.string().optional(),
  justification: justification.optional(),
  direct_award_grounds: directAwardGrounds,
  bids: bids.optional(),
  cpv: z.string().optional(),
  cpvs: z.array(cpvCode).optional(),
  region: z.string().optional(),
  regions: z.array(region).optional(),
  nation: nation.optional(),
  delivery_places: deliveryPlaces,
  framework_id: z.string().optional(),
  framework_role: frameworkRole.optional(),
  framework_link: link,
  changes,
  ...life,
  warnings: z.array(z.string()).describe('What to know before trusting a value or date'),
  notices: z.array(noticeReference).describe('Every notice of the process, oldest first'),
  related: z.array(related).optional().describe('The same procurement on the other service, the surest first'),
  successors: z
    .array(successor)
    .optional()
    .describe('Later procurements of the same buyer that may succeed it, the surest first'),
  url: z.string().optional().describe('The official notice'),
  source: z.string(),
  also_on: alsoOn.optional(),
});
