import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { TenderTerms } from '../../../schema/catalogue/bids.ts';
import type { NoticeDetail, NoticeReference } from '../../../schema/catalogue/details.ts';
import { isLive, sayStatus, statusNow } from '../../../schema/catalogue/live.ts';
import { placeOf, type Region } from '../../../schema/reference/regions.ts';
import type { AskedProcess } from '../../find/process.ts';
import type { NoticeRow } from '../../reads/processes.ts';
import { KPIS_MAX, NOTICE_LISTS_MAX, SUPPLIERS_MAX, toDocument, truncate } from '../shared/rows.ts';
import type { noticeAnswer } from './shapes.ts';

/** The whole notice; `now` decides its status and whether it is live, `isOfficial` which documents are pages of notices. */
export function toNoticeAnswer(
  { notice, process, others }: AskedProcess,
  { now, isOfficial }: { now: Date; isOfficial: (address: string) => boolean },
): z.input<typeof noticeAnswer> {
  const detail = SAID_ONCE.reduce(sayOnce, fromJson<NoticeDetail>(notice.detail));
  const documents = truncate(detail.documents, NOTICE_LISTS_MAX, 'documents');
  const suppliers = truncate(detail.suppliers, SUPPLIERS_MAX, 'suppliers');
  const joint = truncate(detail.joint_buyers ?? [], NOTICE_LISTS_MAX, 'buyers');
  const contracts = truncate(detail.contract_ids, NOTICE_LISTS_MAX, 'contracts');
  const places = truncate(detail.delivery_places ?? [], NOTICE_LISTS_MAX, 'places of delivery');
  const kpis = truncate(detail.kpis ?? [], KPIS_MAX, 'performance indicators');
  const warnings = [detail, joint, documents, suppliers, contracts, places, kpis].flatMap((one) => one.warnings);
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
    ...omitEmpty({
      ...optionalColumnsOf(notice, detail),
      ...statementsOf(detail),
      status_note: sayStatus(status, notice.stage),
      joint_buyers: joint.listed,
      delivery_places: places.listed,
      kpis: kpis.listed,
      suppliers: suppliers.listed,
      contract_ids: contracts.listed,
      other_ocids: others.map((other) => other.ocid).filter((ocid) => ocid !== notice.ocid),
      warnings,
    }),
  };
}

/** What the columns of a notice hold, where it is known. */
function optionalColumnsOf(notice: NoticeRow, detail: NoticeDetail) {
  const regions = fromJson<Region[]>(notice.regions);
  return {
    also_on: fromJson<string[]>(notice.also_on ?? '[]'),
    copy_of: notice.copy_of,
    buyer_id: notice.buyer_id,
    deadline_at: notice.deadline_at,
    url: notice.url,
    value: notice.value,
    value_min: detail.value_min,
    currency: notice.currency,
    value_basis: notice.value_basis,
    cpv: notice.cpv,
    cpvs: codesOf(notice, detail),
    region: placeOf(regions)?.name ?? notice.region,
    regions,
    nation: notice.nation,
  };
}

/** What a notice may state of the procurement as a whole. */
function statementsOf(detail: NoticeDetail) {
  return {
    procedure: detail.procedure_code,
    procedure_details: detail.procedure,
    justification: detail.justification,
    direct_award_grounds: detail.direct_award_grounds,
    bids: detail.bids,
    additional_information: detail.additional_information,
    what_changed: detail.what_changed,
    engagement: detail.engagement,
    no_engagement_reason: detail.no_engagement_reason,
    reference: detail.reference,
    legal_basis: detail.legal_basis,
    category: detail.category,
    ...termsOf(detail),
    above_threshold: detail.above_threshold,
    special_regimes: detail.special_regimes,
    covered_by: detail.covered_by,
    framework_id: detail.framework_id,
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
    accelerated: detail.accelerated,
    accelerated_reason: detail.accelerated_reason,
    risks: detail.risks,
    recurrence: detail.recurrence,
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
