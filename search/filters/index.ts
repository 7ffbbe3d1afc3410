import { z } from 'zod';
import { STAGES } from '../../schema/catalogue/details.ts';
import { NOTICE_SOURCES } from '../../schema/catalogue/enums.ts';
import { cpvBranch } from '../../schema/reference/cpv.ts';
import { NOTICE_TYPE_NAMES } from '../../schema/reference/notice-types.ts';
import type { FilterRow, FiltersOf } from './row.ts';
import {
  cpvCodes,
  date,
  describe,
  findCpv,
  identifier,
  pounds,
  regionList,
  someOf,
  splitList,
  splitRegions,
  storedRegion,
} from './shapes.ts';

/** The forms of the Procurement Act, and the tags that older notices carry instead. */
const NOTICE_TYPES = [
  ...Array.from({ length: 17 }, (_, index) => `UK${index + 1}`),
  ...['planning', 'planningUpdate', 'tender', 'tenderAmendment', 'tenderUpdate', 'tenderCancellation'],
  ...['award', 'awardUpdate', 'awardCancellation', 'contract', 'contractUpdate', 'contractAmendment'],
  ...['implementation', 'implementationUpdate', 'contractTermination', 'compiled'],
];

/** Whether bids are taken now. */
export const bidStatus = z.enum(['open', 'closed', 'any']);

const NOTICES = ['notices', 'tenders'] as const;
const ALL = ['notices', 'tenders', 'contracts', 'frameworks'] as const;

/** The filters, in the order in which every list shows them. A new filter on a field that exists is one row. */
export const FILTERS = [
  {
    name: 'buyer_id',
    kind: 'exact',
    label: 'Buyer',
    values: 'buyer',
    field: 'buyer_id',
    letter: 'b',
    several: false,
    input: identifier.optional().describe('From {lookup_buyer} or any item'),
    aliases: [],
    datasets: ALL,
  },
  {
    name: 'cpv',
    kind: 'prefix',
    label: 'CPV code',
    values: 'cpv',
    field: 'cpvs',
    codes: ({ cpvs }) => cpvs,
    letter: 'c',
    lengths: [2, 3, 8],
    several: true,
    parse: (text) => splitList(text).map(cpvBranch),
    input: cpvCodes
      .optional()
      .meta(describe('CPV codes or first digits, commas between: 45 construction, 72 IT', '45', '45,71')),
    meant: findCpv,
    aliases: ['cpv_code', 'cpv_codes', 'cpvs', 'category', 'sector'],
    datasets: ALL,
  },
  {
    name: 'region',
    kind: 'prefix',
    label: 'Region',
    values: 'region',
    field: 'regions',
    codes: ({ regions }) => regions.map(({ code }) => code),
    letter: 'r',
    lengths: [2, 3, 4, 5],
    // No region is named like a code, so a code needs no second look among the names.
    names: {
      letter: 'n',
      of: ({ regions }) => regions.map(({ name }) => name),
      never: /^(uk|tl)[a-z0-9]{1,3}$/i,
    },
    several: true,
    parse: (text) => splitRegions(text).map(storedRegion),
    input: regionList.optional().meta(describe('Names or ITL codes, commas between', 'London', 'TLI3,TLJ')),
    aliases: ['location', 'place', 'area', 'nuts', 'itl'],
    datasets: [...ALL, 'buyers'],
  },
  {
    name: 'value_min',
    kind: 'range',
    label: 'Value from',
    values: 'pounds',
    field: 'value',
    comparison: '>=',
    several: false,
    input: pounds.optional().describe('Least GBP'),
    aliases: ['min', 'min_value', 'value_from', 'value'],
    datasets: ALL,
  },
  {
    name: 'value_max',
    kind: 'range',
    label: 'Value to',
    values: 'pounds',
    field: 'value',
    comparison: '<=',
    several: false,
    input: pounds.optional().describe('Most GBP'),
    aliases: ['max', 'max_value', 'value_to'],
    datasets: ALL,
  },
  {
    name: 'published_from',
    kind: 'date',
    label: 'Published from',
    values: 'day',
    field: 'published',
    comparison: '>=',
    several: false,
    input: date.optional().meta(describe('Published since', '2026-05-01')),
    aliases: ['from', 'since', 'start', 'date_from', 'start_date', 'from_date', 'published_after', 'after_date'],
    datasets: ALL,
  },
  {
    name: 'published_to',
    kind: 'date',
    label: 'Published to',
    values: 'day',
    field: 'published',
    comparison: '<=',
    several: false,
    input: date.optional().describe('Published until'),
    aliases: ['to', 'until', 'end', 'date_to', 'end_date', 'to_date', 'published_before', 'before_date'],
    datasets: ALL,
  },
  {
    name: 'source',
    kind: 'exact',
    label: 'Source',
    values: 'source',
    field: 'source',
    letter: 'o',
    several: true,
    input: someOf(NOTICE_SOURCES, `Published on ${NOTICE_SOURCES.join(' or ')}`, NOTICE_SOURCES[1]),
    aliases: [],
    datasets: ALL,
  },
  {
    name: 'notice_type',
    kind: 'exact',
    label: 'Notice type',
    values: 'notice_type',
    field: 'notice_type',
    letter: 'y',
    several: true,
    input: someOf(NOTICE_TYPES, 'UK1 to UK17; of older notices tender, award; commas between', 'UK4', 'UK6,UK7'),
    called: NOTICE_TYPE_NAMES,
    aliases: ['type', 'form', 'tag'],
    datasets: NOTICES,
  },
  {
    name: 'stage',
    kind: 'exact',
    label: 'Stage',
    values: 'stage',
    field: 'stage',
    letter: 'g',
    several: true,
    input: someOf(STAGES, `${STAGES.join(', ')}; commas between`, 'award', 'planning,tender'),
    aliases: ['status', 'phase', 'state'],
    datasets: NOTICES,
  },
  {
    name: 'deadline_from',
    kind: 'date',
    label: 'Deadline from',
    values: 'day',
    field: 'deadline',
    comparison: '>=',
    several: false,
    input: date.optional().describe('Closing since'),
    aliases: ['deadline_after', 'closing_after', 'closes_after'],
    datasets: ['tenders'],
  },
  {
    name: 'deadline_to',
    kind: 'date',
    label: 'Deadline to',
    values: 'day',
    field: 'deadline',
    comparison: '<=',
    several: false,
    input: date.optional().describe('Closing until'),
    aliases: ['deadline', 'deadline_before', 'closing_before', 'closes_before', 'closing_date', 'due_date'],
    datasets: ['tenders'],
  },
  {
    name: 'status',
    kind: 'clock',
    label: 'Status',
    values: 'bid_status',
    several: false,
    input: bidStatus.default('open').describe('open: can be bid for now'),
    aliases: [],
    datasets: ['tenders'],
  },
] as const satisfies readonly FilterRow[];

/** Bounds are inclusive; dates are London calendar dates; values are GBP. One of several values is enough. */
export type SearchFilters = FiltersOf<typeof FILTERS>;
