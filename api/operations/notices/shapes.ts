import { z } from 'zod';
import { valueBasis } from '../contracts/shapes.ts';
import {
  alsoOn,
  bids,
  bidTerms,
  cpvCode,
  deliveryPlaces,
  directAwardGrounds,
  document,
  justification,
  kpi,
  lot,
  nation,
  noticeReference,
  noticeStatus,
  procedure,
  region,
  related,
  stage,
  supplier,
} from '../shared/notice-shapes.ts';
import { incumbent } from '../shared/successions.ts';

export const noticeDates = z.object({
  starts: z.string().optional(),
  ends: z.string().optional(),
  extends_to: z.string().optional(),
  engagement_until: z.string().optional(),
  enquiries_until: z.string().optional(),
  enquiries_until_at: z.string().optional(),
  expressions_until: z.string().optional(),
  invitations_expected: z.string().optional(),
  award_expected: z.string().optional(),
  tender_expected: z.string().optional(),
  bids_expected: z.string().optional(),
  recurs_expected: z.string().optional(),
  awarded: z.string().optional(),
  signature_expected: z.string().optional(),
  signed: z.string().optional(),
  standstill_until: z.string().optional(),
});

export const howToApply = z.object({
  method: z.string().optional(),
  url: z.string().optional(),
  details: z.string().optional(),
});

export const noticeAnswer = z.object({
  notice_id: z.string(),
  title: z.string(),
  buyer: z.string().nullable(),
  published: z.string(),
  deadline: z.string().nullable(),
  description: z.string(),
  lots: z.array(lot),
  dates: noticeDates,
  how_to_apply: howToApply.nullable(),
  documents: z.array(document),
  live: z.boolean().describe('Open for bids at the moment of asking'),
  ocid: z.string(),
  buyer_id: z.string().optional(),
  joint_buyers: z.array(z.string()).optional(),
  stage,
  notice_type: z.string(),
  status: noticeStatus,
  status_note: z.string().optional().describe('What the status means where the word alone would mislead'),
  published_at: z.string(),
  deadline_at: z.string().optional(),
  value: z.number().optional(),
  value_min: z.number().optional(),
  currency: z.string().optional(),
  value_basis: valueBasis.optional(),
  cpv: z.string().optional(),
  cpvs: z.array(cpvCode).optional(),
  region: z.string().optional(),
  regions: z.array(region).optional(),
  nation: nation.optional(),
  delivery_places: deliveryPlaces,
  procedure: procedure.optional(),
  procedure_details: z.string().optional(),
  justification: justification.optional(),
  direct_award_grounds: directAwardGrounds,
  bids: bids.optional(),
  kpis: z.array(kpi).optional(),
  reference: z.string().optional(),
  legal_basis: z.string().optional(),
  category: z.string().optional(),
  ...bidTerms,
  bid_valid_days: z.number().optional(),
  bid_valid_until: z.string().optional(),
  guarantees: z.string().optional(),
  performance_terms: z.string().optional(),
  financial_terms: z.string().optional(),
  procedure_features: z.string().optional(),
  accelerated: z.boolean().optional(),
  accelerated_reason: z.string().optional(),
  risks: z.string().optional(),
  recurrence: z.string().optional(),
  lots_bid_max: z.number().optional(),
  lots_won_max: z.number().optional(),
  above_threshold: z
    .boolean()
    .optional()
    .describe('Whether its value is above the threshold from which all rules apply'),
  special_regimes: z
    .array(z.string())
    .optional()
    .describe('The special rules that apply, as published: lightTouch, utilities, concession, defenceSecurity'),
  reserved_for: z
    .array(z.string())
    .optional()
    .describe(
      'Who alone may take part: smeVcse for small businesses and social enterprises, shelteredWorkshop for supported employment providers, publicService for public service mutuals, or any other code as published; shelteredEmployment where the contract has to be performed in sheltered employment; area for suppliers of reserved_places',
    ),
  reserved_places: z.array(z.string()).optional().describe('The area where those who may take part are based'),
  covered_by: z.array(z.string()).optional().describe('The trade agreements that cover it, such as GPA'),
  additional_information: z.string().optional(),
  what_changed: z.string().optional(),
  engagement: z.string().optional(),
  no_engagement_reason: z
    .string()
    .optional()
    .describe('Why no notice of a preliminary market engagement was published, in the words of the notice'),
  suppliers: z.array(supplier).optional(),
  contract_ids: z.array(z.string()).optional().describe('The contracts of its process, for {lookup_contract}'),
  framework_id: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  notices: z.array(noticeReference).describe('Every notice of the process, oldest first'),
  related: z.array(related).optional().describe('The same procurement on the other service, the surest first'),
  incumbents: z
    .array(incumbent)
    .optional()
    .describe('While planned or tendered: contracts of the same buyer that it may succeed, the surest first'),
  other_ocids: z.array(z.string()).optional().describe('Further processes that the service published under this id'),
  url: z.string().optional(),
  source: z.string(),
  also_on: alsoOn.optional(),
  copy_of: z
    .string()
    .optional()
    .describe('The notice on another service that this is a copy of: searches answer that one'),
});
