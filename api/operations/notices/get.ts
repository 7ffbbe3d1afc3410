import { z } from 'zod';
import { omitEmpty } from '../../../schema/answers/omit-empty.ts';
import { defineOperation } from '../../contract/operation.ts';
import { lookUpProcess, noNotice } from '../../find/process.ts';
import { readOfficialTest } from '../../reads/sources.ts';
import { noticeId, shape } from '../shared/inputs.ts';
import { FEES_KEPT } from '../shared/notice-shapes.ts';
import { toRelated } from '../shared/rows.ts';
import { toIncumbents } from '../shared/successions.ts';
import { toNoticeAnswer } from './answer.ts';
import { noticeAnswer } from './shapes.ts';

const CRITERIA_KEPT = [
  'variants',
  ...['award_criteria_text', 'award_criteria', 'award_criteria.type', 'award_criteria.name'],
  // Some notices state their weights in this text alone.
  'award_criteria.description',
  ...['award_criteria.weight', 'award_criteria.weight_type', 'award_criteria.order'],
  ...['selection_criteria_text', 'selection_criteria', 'selection_criteria.type', 'selection_criteria.description'],
  ...['selection_criteria.minimum', 'selection_criteria.for_reduction'],
  ...FEES_KEPT,
];

const PERIOD = ['starts', 'ends', 'extends_to'] as const;

/** The periods of the lots, where that of one differs from that of the whole. */
function keepPeriods(notice: Readonly<Record<string, unknown>>): string[] {
  const { lots, dates } = notice as Pick<z.input<typeof noticeAnswer>, 'lots' | 'dates'>;
  const differ = lots.some((lot) => PERIOD.some((name) => lot[name] !== undefined && lot[name] !== dates[name]));
  return differ ? PERIOD.map((name) => `lots.${name}`) : [];
}

export const getNotice = defineOperation({
  name: 'get_notice',
  title: 'Read a whole notice',
  description:
    'Use this to read a notice from a search whole: description, lots, dates, how to apply, documents, and whether it is live; incumbents say who holds it today. ' +
    'An ocid or contract_id answers the newest of its process. ' +
    'Once awarded, contract_ids lead to {lookup_contract}.',
  credits: 5,
  becomesFinal: true,
  input: z.strictObject({ notice_id: noticeId, ...shape }),
  describedBy: { tools: ['lookup_contract'], inputs: ['notice_id', 'detail'] },
  output: noticeAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/notices/:notice_id',
      operationId: 'get_notice',
      summary: 'A whole notice',
      description:
        'Answers one whole notice: description, lots, dates, how to apply, documents, and whether it is live now. An ocid or a contract_id leads to the newest notice of its process. Once the process is awarded, contract_ids names its contracts for {lookup_contract}.',
      inputs: ['notice_id', 'detail', 'fields'],
      example: { notice_id: '500117-2026' },
    },
  ],
  stated: [
    'notice_id',
    'title',
    'buyer',
    'published',
    'deadline',
    'description',
    'lots.lot_id',
    'how_to_apply',
    'live',
    'buyer_id',
    'framework_id',
    'contract_ids',
    'incumbents.contract_id',
    'incumbents.supplier',
  ],
  shortening: {
    keep: [
      'buyer_id',
      'joint_buyers',
      'deadline_at',
      'status_note',
      'value',
      'value_min',
      'value_basis',
      'currency',
      'cpv',
      'region',
      'framework_id',
      'contract_ids',
      'suitable_for_sme',
      'suitable_for_vcse',
      'above_threshold',
      'special_regimes',
      'reserved_for',
      'reserved_places',
      'covered_by',
      'reference',
      ...CRITERIA_KEPT,
      'bid_valid_days',
      'bid_valid_until',
      'guarantees',
      'performance_terms',
      'financial_terms',
      'procedure_features',
      ...['accelerated', 'accelerated_reason', 'risks', 'recurrence'],
      ...['kpis', 'kpis.title', 'kpis.description', 'kpis.results'],
      ...['kpis.results.ends', 'kpis.results.measured', 'kpis.results.rating'],
      'lots_bid_max',
      'lots_won_max',
      'additional_information',
      'what_changed',
      'engagement',
      'url',
      'warnings',
      'how_to_apply.method',
      'how_to_apply.url',
      'how_to_apply.details',
      'lots.value',
      'lots.currency',
      'lots.duration_days',
      'lots.duration_months',
      'lots.invited_min',
      'lots.invited_max',
      'lots.renewal',
      'lots.options',
      ...CRITERIA_KEPT.map((name) => `lots.${name}`),
      'dates.starts',
      'dates.ends',
      'dates.extends_to',
      'dates.engagement_until',
      'dates.enquiries_until',
      'dates.enquiries_until_at',
      'dates.invitations_expected',
      'dates.award_expected',
      'dates.tender_expected',
      'dates.bids_expected',
      'incumbents',
    ],
    keepFor: keepPeriods,
    most: {
      joint_buyers: 5,
      kpis: 5,
      'kpis.results': -5,
      notices: -5,
      incumbents: 3,
      'incumbents.evidence': 2,
      'incumbents.suppliers': 1,
    },
  },
  example: { notice_id: '500117-2026' },
  async run({ notice_id }, { catalogue, clocks }) {
    const asked = await lookUpProcess(catalogue, notice_id);
    if (!asked) return noNotice(catalogue, notice_id);
    const related = await toRelated(catalogue, asked.process);
    const { stage, process_id } = asked.notice;
    const isBefore = stage === 'planning' || stage === 'tender';
    const incumbents = isBefore ? await toIncumbents(catalogue, process_id) : [];
    const isOfficial = await readOfficialTest(catalogue);
    const answer = toNoticeAnswer(asked, { now: clocks.catalogueNow(), isOfficial });
    // A finished process stays finished; one that is open, or may still take bids, ends by the clock.
    const isFinal = answer.status !== 'open' && !answer.live;
    return { kind: 'answer', isFinal, body: { ...answer, ...omitEmpty({ related, incumbents }) } };
  },
});
