import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { TenderTerms } from '../../../schema/catalogue/bids.ts';
import type { NoticeDetail, NoticeReference } from '../../../schema/catalogue/details.ts';
import { isLive, sayStatus, statusNow } from '../../../schema/catalogue/live.ts';
import { placeOf, type Region } from '../../../schema/reference/regions.ts';
import type { AskedProcess } from '../../find/process.ts';
import type { NoticeRow } from '../../reads/processes.ts';
import { valueBasis } from '../contracts/shapes.ts';
import {
  alsoOn,
  bids,
  bidTerms,
  cpvCode,
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
import { KPIS_MOST, NOTICE_LISTS_MOST, SUPPLIERS_MOST, toDocument, truncate } from '../shared/rows.ts';
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
  nation: nation.optional(),
  procedure: procedure.optional(),
  procedure_details: z.string().optional(),
  justification: justification.optional(),
  ...{ bids: bids.optional(), kpis: z.array(kpi).optional() },
  reference: z.string().optional(),
  legal_basis: z.string().optional(),
  category: z.string().optional(),
  ...bidTerms,
  bid_valid_days: z.number().optional(),
  bid_valid_until: z.string().optional(),
  guarantees: z.string().optional(),
  performance_terms: z.string().optional(),
  ...{ financial_terms: z.string().optional(), procedure_features: z.string().optional() },
  ...{ accelerated: z.boolean().optional(), accelerated_reason: z.string().optional(), risks: z.string().optional() },
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
      'Who alone may take part: a code as published, such as smeVcse for small businesses and social enterprises; shelteredEmployment where the contract has to be performed in sheltered employment',
    ),
  reserved_places: z.array(z.string()).optional().describe('The area where those who may take part are based'),
  covered_by: z.array(z.string()).optional().describe('The trade agreements that cover it, such as GPA'),
  additional_information: z.string().optional(),
  what_changed: z.string().optional(),
  engagement: z.string().optional(),
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

/** The whole notice; `now` decides its status and whether it is live, `isOfficial` which documents are pages of notices. */
export function toNoticeAnswer(
  { notice, process, others }: AskedProcess,
  { now, isOfficial }: { now: Date; isOfficial: (address: string) => boolean },
): z.input<typeof noticeAnswer> {
  const detail = SAID_ONCE.reduce(sayOnce, fromJson<NoticeDetail>(notice.detail));
  const regions = fromJson<Region[]>(notice.regions);
  const documents = truncate(detail.documents, NOTICE_LISTS_MOST, 'documents');
  const suppliers = truncate(detail.suppliers, SUPPLIERS_MOST, 'suppliers');
  const contracts = truncate(detail.contract_ids, NOTICE_LISTS_MOST, 'contracts');
  const kpis = truncate(detail.kpis ?? [], KPIS_MOST, 'performance indicators');
  const warnings = [detail, documents, suppliers, contracts, kpis].flatMap((one) => one.warnings);
  const status = statusNow(process.status, { ...notice, bids_until: detail.bids_until }, now);
  return {
    notice_id: notice.notice_id,
    title: notice.title,
    buyer: notice.buyer,
    published: notice.published,
    deadline: notice.deadline,
    description: notice.description,
    lots: detail.lots,
    dates: detail.dates,
    how_to_apply: detail.how_to_apply ?? null,
    documents: documents.listed.map((each) => toDocument(each, isOfficial)),
    live: isForBids(notice) && isLive(notice, process.status, now),
    ocid: notice.ocid,
    stage: notice.stage as NoticeReference['stage'],
    notice_type: notice.notice_type,
    status,
    published_at: notice.published_at,
    notices: fromJson<NoticeReference[]>(process.notices),
    source: notice.source,
    ...omitEmpty({ also_on: fromJson<string[]>(notice.also_on ?? '[]'), copy_of: notice.copy_of }),
    ...omitEmpty({ buyer_id: notice.buyer_id, deadline_at: notice.deadline_at, url: notice.url }),
    ...omitEmpty({ value: notice.value, currency: notice.currency, value_basis: notice.value_basis }),
    ...omitEmpty({
      cpv: notice.cpv,
      cpvs: codesOf(notice, detail),
      region: placeOf(regions)?.name ?? notice.region,
      regions,
      nation: notice.nation,
    }),
    ...omitEmpty({ status_note: sayStatus(status, notice.stage) }),
    ...omitEmpty({ procedure: detail.procedure_code, procedure_details: detail.procedure }),
    ...omitEmpty({ justification: detail.justification, bids: detail.bids }),
    ...omitEmpty({ additional_information: detail.additional_information, what_changed: detail.what_changed }),
    ...omitEmpty({ engagement: detail.engagement, kpis: kpis.listed }),
    ...omitEmpty({ reference: detail.reference, legal_basis: detail.legal_basis, category: detail.category }),
    ...omitEmpty(termsOf(detail)),
    ...omitEmpty({ above_threshold: detail.above_threshold, special_regimes: detail.special_regimes }),
    ...omitEmpty({ covered_by: detail.covered_by, suppliers: suppliers.listed, warnings }),
    ...omitEmpty({ contract_ids: contracts.listed, framework_id: detail.framework_id }),
    ...omitEmpty({ other_ocids: others.map((other) => other.ocid).filter((ocid) => ocid !== notice.ocid) }),
  };
}

/** What is said of bidding for the whole. */
function termsOf(detail: NoticeDetail): TenderTerms {
  return {
    award_criteria: detail.award_criteria,
    award_criteria_text: detail.award_criteria_text,
    selection_criteria: detail.selection_criteria,
    selection_criteria_text: detail.selection_criteria_text,
    variants: detail.variants,
    participation_fees: detail.participation_fees,
    bid_valid_days: detail.bid_valid_days,
    bid_valid_until: detail.bid_valid_until,
    guarantees: detail.guarantees,
    performance_terms: detail.performance_terms,
    financial_terms: detail.financial_terms,
    procedure_features: detail.procedure_features,
    ...{ accelerated: detail.accelerated, accelerated_reason: detail.accelerated_reason, risks: detail.risks },
    lots_bid_max: detail.lots_bid_max,
    lots_won_max: detail.lots_won_max,
    reserved_for: detail.reserved_for,
    reserved_places: detail.reserved_places,
    suitable_for_sme: detail.suitable_for_sme,
    suitable_for_vcse: detail.suitable_for_vcse,
  };
}

/** Fields that are stated together, and what all lots say in them. */
const SAID_ONCE = [
  ['award_criteria', 'award_criteria_text'],
  ['selection_criteria', 'selection_criteria_text'],
  ['variants'],
  ['participation_fees'],
] as const;

/** What all lots say is said once, of the whole. */
function sayOnce(detail: NoticeDetail, fields: (typeof SAID_ONCE)[number]): NoticeDetail {
  const [first = [], ...others] = detail.lots.map((lot) => fields.map((field) => lot[field]));
  const [main, words] = fields;
  const areAlike = first.some(Boolean) && others.every((each) => isDeepStrictEqual(each, first));
  if (!areAlike || (detail[main] && first[0])) return detail;
  const [own = detail[main], text] = first;
  const texts = words ? { [words]: [...new Set([text, detail[words]])].filter(Boolean).join('\n\n') } : {};
  const ofNone = Object.fromEntries(fields.map((field) => [field, undefined]));
  return { ...detail, lots: detail.lots.map((lot) => omitEmpty({ ...lot, ...ofNone })), [main]: own, ...texts };
}

/** Whether it invites bids; a copy leaves the search to its original. */
function isForBids({ is_tender, copy_of, stage: at }: NoticeRow): boolean {
  return is_tender === 1 || (copy_of !== null && at === 'tender');
}

function codesOf(notice: NoticeRow, detail: NoticeDetail) {
  return fromJson<string[]>(notice.cpvs).map((code) => ({
    code,
    ...omitEmpty({ description: detail.cpv_descriptions?.[code] }),
  }));
}
