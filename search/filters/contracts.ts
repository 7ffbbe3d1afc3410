import { PROCEDURES } from '../../schema/catalogue/enums.ts';
import { CURRENT_CONTRACT_STATUSES } from '../../schema/catalogue/live.ts';
import { DIRECT_AWARD_GROUNDS } from '../../schema/reference/notice-types.ts';
import { CONTRACT_STATUS_MEANINGS, GROUND_MEANINGS, PROCEDURE_MEANINGS } from './meanings.ts';
import type { FilterRow } from './row.ts';
import { date, describe, identifier, identifiers, someOf } from './shapes.ts';

/** The state of a contract today, according to its end. */
export const STATUS_CHOICES = ['any', ...CURRENT_CONTRACT_STATUSES] as const;

const OWN = { several: false, datasets: ['contracts'] } as const;
const DAYS = { kind: 'date', values: 'day', ...OWN } as const;
/** The day by which a contract is sorted and counted. */
const AWARDED = { ...DAYS, heading: 'Awarded', field: 'dated' } as const;
const STARTS = { ...DAYS, heading: 'Starts', field: 'starts' } as const;
/** While it lasts, the award can be challenged before its contract is signed. */
const STANDSTILL = { ...DAYS, heading: 'Standstill ends', field: 'standstill_until' } as const;
/** Frameworks and dynamic markets have it too: it says when they may be let again. */
const ENDS = { ...DAYS, heading: 'Ends', field: 'ends', datasets: ['contracts', 'frameworks'] } as const;

/** The filters of contracts; frameworks share those by the end, and notices that by the ground of a direct award. */
export const CONTRACT_FILTERS = [
  {
    name: 'company_number',
    kind: 'exact',
    label: 'Supplier',
    hint: 'Company number or id',
    facet: 'company_id',
    values: 'company',
    field: 'company_ids',
    letter: 'u',
    ...OWN,
    several: true,
    input: (z) => identifiers(z).optional().describe('Suppliers'),
    words: 'The supplier: its Companies House number, or the company_id of any contract.',
    example: '99000017',
    aliases: ['company_id', 'supplier_id', 'companies_house_number', 'crn', 'company'],
  },
  {
    name: 'framework_id',
    kind: 'exact',
    label: 'Framework',
    hint: 'Its id or a reference such as RM6100',
    values: 'framework',
    field: 'framework_id',
    letter: 'f',
    ...OWN,
    input: (z) => identifier(z).optional().describe('Or a reference'),
    words: 'The framework that it is called off from or sets up: a framework_id, or a reference such as RM6100.',
    example: 'RM6100',
    aliases: ['framework'],
  },
  {
    name: 'awarded_from',
    label: 'Awarded from',
    ...AWARDED,
    comparison: '>=',
    input: (z) => date(z).optional().describe('Since'),
    words: 'Only what was awarded on this London day or later; without that day the signing or the notice counts.',
    example: '2026-01-01',
    aliases: ['published_from', 'signed_from', 'from', 'since', 'date_from', 'awarded_after'],
  },
  {
    name: 'awarded_to',
    label: 'Awarded to',
    ...AWARDED,
    comparison: '<=',
    input: (z) => date(z).optional().describe('Until'),
    words: 'Only what was awarded on this London day or earlier; without that day the signing or the notice counts.',
    example: '2026-12-31',
    aliases: ['published_to', 'signed_to', 'to', 'until', 'date_to', 'awarded_before'],
  },
  {
    name: 'starts_from',
    label: 'Starts from',
    ...STARTS,
    comparison: '>=',
    input: (z) => date(z).optional().describe('Since'),
    words: 'Only what starts on this London day or later.',
    example: '2026-01-01',
    aliases: ['start', 'start_date', 'start_from', 'starts_after'],
  },
  {
    name: 'starts_to',
    label: 'Starts to',
    ...STARTS,
    comparison: '<=',
    input: (z) => date(z).optional().describe('Until'),
    words: 'Only what starts on this London day or earlier.',
    example: '2027-12-31',
    aliases: ['start_to', 'starts_before'],
  },
  {
    name: 'ends_from',
    label: 'Ends from',
    ...ENDS,
    comparison: '>=',
    input: (z) => date(z).optional().meta(describe('Since', '2026-12-01')),
    words: 'Only what ends on this London day or later, without options to extend.',
    aliases: ['end_from', 'ends_after', 'expires_from', 'expires_after', 'expiring_after'],
  },
  {
    name: 'ends_to',
    label: 'Ends to',
    ...ENDS,
    comparison: '<=',
    input: (z) => date(z).optional().describe('Until'),
    words: 'Only what ends on this London day or earlier, without options to extend.',
    example: '2027-12-31',
    aliases: ['end', 'end_date', 'end_to', 'ends_before', 'expires', 'expires_to', 'expires_before', 'expiring_before'],
  },
  {
    name: 'standstill_from',
    label: 'Standstill ends from',
    ...STANDSTILL,
    comparison: '>=',
    input: (z) => date(z).optional().describe('Today: can be challenged'),
    words:
      'Only what has its standstill end on this London day or later: from today on, what can still be challenged. Awards without one are left out.',
    example: '2026-12-01',
    aliases: ['standstill', 'standstill_until', 'standstill_after', 'challenge_until', 'challengeable'],
  },
  {
    name: 'standstill_to',
    label: 'Standstill ends to',
    ...STANDSTILL,
    comparison: '<=',
    input: (z) => date(z).optional().describe('Until'),
    words: 'Only what has its standstill end on this London day or earlier. Awards without one are left out.',
    example: '2026-12-31',
    aliases: ['standstill_before', 'standstill_ends'],
  },
  {
    name: 'procedure',
    kind: 'exact',
    label: 'Procedure',
    choices: PROCEDURES,
    meanings: PROCEDURE_MEANINGS,
    facet: 'procedure',
    values: 'procedure',
    field: 'procedure',
    letter: 'e',
    ...OWN,
    several: true,
    input: (z) => someOf(z, PROCEDURES, 'open, direct, call_off…', 'open', 'direct,call_off'),
    words: `How it was awarded: ${PROCEDURES.join(', ')}.`,
    aliases: ['procurement_method', 'method', 'route'],
  },
  {
    name: 'direct_award_ground',
    kind: 'exact',
    label: 'Ground of a direct award',
    choices: DIRECT_AWARD_GROUNDS,
    meanings: GROUND_MEANINGS,
    called: {
      urgency: ['emergency', 'extreme urgency'],
      technical: ['single supplier', 'sole supplier', 'absence of competition'],
      exclusive_rights: ['intellectual property', 'IP', 'copyright', 'patent'],
    },
    facet: 'direct_award_ground',
    values: 'direct_award_ground',
    field: 'direct_award_grounds',
    letter: '5',
    several: true,
    datasets: ['notices', 'contracts'],
    input: (z) =>
      someOf(
        z,
        DIRECT_AWARD_GROUNDS,
        `${DIRECT_AWARD_GROUNDS.slice(0, 2).join(', ')}…`,
        'urgency',
        'technical,exclusive_rights',
      ),
    words: `Why it is awarded without competition, as far as a notice states a ground, also before there is a contract (UK5): ${DIRECT_AWARD_GROUNDS.join(', ')}.`,
    aliases: ['direct_award_grounds', 'ground', 'grounds', 'justification', 'justification_grounds', 'rationale'],
  },
  {
    name: 'bids_max',
    kind: 'range',
    label: 'Bids at most',
    heading: 'Bids received',
    values: 'number',
    field: 'bids',
    ...OWN,
    comparison: '<=',
    input: (z) => z.int().min(0).max(10_000).optional().describe('Most bids'),
    words: 'The most bids that were received; where no notice says how many, the contract is left out.',
    example: 1,
    aliases: ['bids', 'max_bids', 'bidders', 'bids_to'],
  },
  {
    name: 'sme',
    kind: 'flag',
    label: 'Small or medium-sized supplier',
    values: 'flag',
    field: 'sme',
    letter: 'm',
    ...OWN,
    input: (z) => z.boolean().optional().describe('A supplier is one'),
    words:
      'true: a supplier is small or medium-sized. false: none is. Where neither is known, the contract is left out.',
    example: true,
    aliases: ['is_sme', 'small'],
  },
  {
    name: 'vcse',
    kind: 'flag',
    label: 'Voluntary or social enterprise as supplier',
    values: 'flag',
    field: 'vcse',
    letter: '2',
    ...OWN,
    input: (z) => z.boolean().optional().describe('A supplier is one'),
    words:
      'true: a supplier is a voluntary, community or social enterprise. false: none is. Where neither is known, the contract is left out.',
    example: true,
    aliases: ['is_vcse', 'vco', 'charity', 'voluntary', 'social_enterprise'],
  },
  {
    name: 'status',
    kind: 'clock',
    label: 'Status',
    choices: STATUS_CHOICES,
    meanings: CONTRACT_STATUS_MEANINGS,
    values: 'contract_status',
    ...OWN,
    input: (z) => z.enum(STATUS_CHOICES).default('any').describe('As of today, by its end'),
    words:
      'active: it ends today or later. ended: its end has passed. terminated: a notice ended it, or its supplier has left the framework or dynamic market. any: all, also those without a known end.',
    aliases: [],
  },
] as const satisfies readonly FilterRow[];
