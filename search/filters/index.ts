import { STAGES } from '../../schema/catalogue/details.ts';
import { SPECIAL_REGIMES, SUITED } from '../../schema/catalogue/enums.ts';
import { NOTICE_TYPE_NAMES, NOTICE_TYPES, OLDER_FORM_NAMES } from '../../schema/reference/notice-types.ts';
import { BUYER_FILTERS } from './buyers.ts';
import { CONTRACT_FILTERS } from './contracts.ts';
import { BID_STATUS_MEANINGS, SPECIAL_REGIME_MEANINGS, STAGE_MEANINGS, SUITED_MEANINGS } from './meanings.ts';
import type { FilterRow, FiltersOf } from './row.ts';
import { anyCodes, identifier, PROCUREMENTS, pounds, someOf } from './shapes.ts';
import { cpv, DEADLINE_DAYS, EXPECTED_DAYS, nation, PUBLISHED_DAYS, region } from './shared.ts';

/** Whether bids are accepted now. */
export const BID_STATUSES = ['open', 'closed', 'any'] as const;

const NOTICES = ['notices', 'tenders'] as const;

/** The common part of a pair of bounds. */
const VALUE = {
  kind: 'range',
  heading: 'Value in pounds',
  facet: 'value_band',
  values: 'pounds',
  field: 'value',
  several: false,
  datasets: PROCUREMENTS,
} as const;
/** The filters, in the order in which every list shows them. A new filter on a field that exists is one row. */
export const FILTERS = [
  {
    name: 'buyer_id',
    kind: 'exact',
    label: 'Buyer',
    hint: 'Its exact name or id',
    facet: 'buyer_id',
    values: 'buyer',
    field: 'buyer_id',
    also: 'joint_buyer_ids',
    letter: 'b',
    several: false,
    input: (z) => identifier(z).optional().describe('From {lookup_buyer} or any item'),
    words:
      'The public body: the buyer_id of any notice or contract, a published identifier such as a PPON, or its exact name. Notices, tenders and frameworks are found by each of their joint buyers, contracts by the main one.',
    example: 'GB-PPON-PBPR-5137-RWZL',
    aliases: [],
    datasets: PROCUREMENTS,
  },
  cpv,
  region,
  nation,
  {
    name: 'value_min',
    label: 'Value from',
    ...VALUE,
    comparison: '>=',
    input: (z) => pounds(z).optional().describe('Least GBP'),
    words: 'The lowest value, in pounds sterling (GBP); what has no value in pounds is left out.',
    example: 10_000,
    aliases: ['min', 'min_value', 'value_from', 'value'],
  },
  {
    name: 'value_max',
    label: 'Value to',
    ...VALUE,
    comparison: '<=',
    input: (z) => pounds(z).optional().describe('Most GBP; without a value: left out'),
    words: 'The highest value, in pounds sterling (GBP); what has no value in pounds is left out.',
    example: 500_000,
    aliases: ['max', 'max_value', 'value_to'],
  },
  ...PUBLISHED_DAYS,
  {
    name: 'source',
    kind: 'exact',
    label: 'Source',
    facet: 'source',
    values: 'source',
    field: 'sources',
    letter: 'o',
    several: true,
    // The services are rows of the catalogue: code that has read them replaces the input and the words.
    input: (z) => anyCodes(z).optional().describe('Published on these services'),
    words: 'The services that published it; what is on two of them is found under either.',
    aliases: [],
    datasets: PROCUREMENTS,
  },
  {
    name: 'notice_type',
    kind: 'exact',
    label: 'Notice type',
    hint: 'Such as UK4, UK6',
    facet: 'notice_type',
    values: 'notice_type',
    field: 'notice_type',
    letter: 'y',
    several: true,
    input: (z) =>
      someOf(z, NOTICE_TYPES, 'UK1 to UK17; of older notices tender, award; commas between', 'UK4', 'UK6,UK7'),
    called: NOTICE_TYPE_NAMES,
    meanings: { ...NOTICE_TYPE_NAMES, ...OLDER_FORM_NAMES },
    words: 'The form of the notice: UK1 to UK17, or the tag of an older one.',
    aliases: ['type', 'form', 'tag'],
    datasets: NOTICES,
  },
  {
    name: 'stage',
    kind: 'exact',
    label: 'Stage',
    choices: STAGES,
    meanings: STAGE_MEANINGS,
    facet: 'stage',
    values: 'stage',
    field: 'stage',
    letter: 'g',
    several: true,
    input: (z) => someOf(z, STAGES, `${STAGES.join(', ')}; commas between`, 'award', 'planning,tender'),
    words: `The stage of the procurement: ${STAGES.join(', ')}.`,
    aliases: ['status', 'phase', 'state'],
    datasets: NOTICES,
  },
  {
    name: 'suitable_for',
    kind: 'exact',
    label: 'Suitable for',
    choices: SUITED,
    meanings: SUITED_MEANINGS,
    facet: 'suitable_for',
    values: 'suited',
    field: 'suitable_for',
    letter: 'q',
    several: true,
    input: (z) => someOf(z, SUITED, `${SUITED.join(', ')}; commas between`, 'sme', 'sme,vcse'),
    words: 'Whom the buyer calls it, or a lot of it, suitable for: sme or vcse. One of them is enough.',
    aliases: ['suitable_for_sme', 'suitable_for_vcse', 'sme', 'vcse', 'is_sme', 'suitability'],
    datasets: NOTICES,
  },
  {
    name: 'special_regime',
    kind: 'exact',
    label: 'Special rules',
    choices: SPECIAL_REGIMES,
    meanings: SPECIAL_REGIME_MEANINGS,
    facet: 'special_regime',
    values: 'special_regime',
    field: 'special_regimes',
    letter: 't',
    several: true,
    input: (z) =>
      someOf(
        z,
        SPECIAL_REGIMES,
        `${SPECIAL_REGIMES.join(', ')}; commas between`,
        'lightTouch',
        'lightTouch,concession',
      ),
    called: { lightTouch: 'light touch', defenceSecurity: ['defence', 'security', 'defence and security'] },
    words: `The special rules that apply to it: ${SPECIAL_REGIMES.join(', ')}.`,
    aliases: ['special_regimes', 'regime', 'regimes'],
    datasets: NOTICES,
  },
  {
    name: 'above_threshold',
    kind: 'flag',
    label: 'Above the threshold',
    values: 'flag',
    field: 'above_threshold',
    letter: 'z',
    several: false,
    input: (z) => z.boolean().optional().describe('So all rules apply'),
    words:
      'true: its value is above the threshold from which all rules apply. false: it is below. Where neither is stated, the notice is left out.',
    example: true,
    aliases: ['threshold'],
    datasets: NOTICES,
  },
  ...DEADLINE_DAYS,
  ...EXPECTED_DAYS,
  {
    name: 'status',
    kind: 'clock',
    label: 'Status',
    choices: BID_STATUSES,
    meanings: BID_STATUS_MEANINGS,
    values: 'bid_status',
    several: false,
    input: (z) => z.enum(BID_STATUSES).default('open').describe('open: can be bid for now'),
    words: 'open: can be bid for now. closed: no longer. any: both.',
    aliases: [],
    datasets: ['tenders'],
  },
  ...CONTRACT_FILTERS,
  ...BUYER_FILTERS,
] as const satisfies readonly FilterRow[];

/** Bounds are inclusive; dates are London calendar dates; values are GBP. One of several values is enough. */
export type SearchFilters = FiltersOf<typeof FILTERS>;
