import { z } from 'zod';
import { valueBasis } from './contract-shapes.ts';
import { cpvCode, document, lot, noticeReference, noticeStatus, region, related, stage, supplier } from './shapes.ts';

export const noticeDates = z.object({
  starts: z.string().optional(),
  ends: z.string().optional(),
  extends_to: z.string().optional(),
  enquiries_until: z.string().optional(),
  expressions_until: z.string().optional(),
  award_expected: z.string().optional(),
  tender_expected: z.string().optional(),
  awarded: z.string().optional(),
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
  stage,
  notice_type: z.string(),
  status: noticeStatus,
  status_note: z.string().optional().describe('What the status means where the word alone would mislead'),
  published_at: z.string(),
  deadline_at: z.string().optional(),
  value: z.number().optional(),
  currency: z.string().optional(),
  value_basis: valueBasis.optional(),
  cpv: z.string().optional(),
  cpvs: z.array(cpvCode).optional(),
  region: z.string().optional(),
  regions: z.array(region).optional(),
  procedure: z.string().optional(),
  legal_basis: z.string().optional(),
  category: z.string().optional(),
  suitable_for_sme: z.boolean().optional(),
  suppliers: z.array(supplier).optional(),
  contract_ids: z.array(z.string()).optional().describe('The contracts of its process, for {lookup_contract}'),
  framework_id: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  notices: z.array(noticeReference).describe('Every notice of the process, oldest first'),
  related: z.array(related).optional().describe('The same procurement on the other service, the surest first'),
  other_ocids: z.array(z.string()).optional().describe('Further processes that the service published under this id'),
  url: z.string().optional(),
  source: z.string(),
});
