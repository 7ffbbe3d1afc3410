import { NOTICE_TYPE_NAMES } from '../../../schema/reference/notice-types.ts';
import { NATION_NAMES, type Nation } from '../../../schema/reference/regions.ts';
import { COMPANY_FILTERS } from '../../../search/filters/listed.ts';
import { ROWS } from '../../../search/filters/read.ts';
import { sayPlainly } from '../../operations/shared/rows.ts';

/** Labels of codes. An unknown code is shown unchanged. */
const STAGE_NAMES: Record<string, string> = {
  planning: 'Planning',
  tender: 'Tender',
  award: 'Award',
  contract: 'Contract',
  change: 'Contract change',
  termination: 'Termination',
  performance: 'Performance',
  payment: 'Payment',
  market: 'Dynamic market',
};

const VALUE_BASES: Record<string, string> = { net: 'excluding VAT', gross: 'including VAT', estimate: 'estimate' };

const CLASSES: Record<string, string> = {
  shared: 'Shared by several suppliers',
  framework_ceiling: 'Framework ceilings',
  estimate: 'Estimates',
  absurd: 'Implausible values',
  not_believed: 'Implausible values',
  unstated: 'No value stated',
  not_stated: 'No value stated',
};

/** The label of each filter, by its name in the API, and of other search inputs. */
export const FILTER_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...COMPANY_FILTERS, ...ROWS].map(({ name, label }) => [name, label])),
  match: 'Words',
};

const BID_STATUSES: Record<string, string> = { open: 'Open for bids', closed: 'Closed', any: 'Open or closed' };

const CONTRACT_STATUSES: Record<string, string> = {
  any: 'Any',
  active: 'Running',
  ended: 'Ended',
  terminated: 'Terminated early',
};

const PROCEDURES: Record<string, string> = {
  competitive_flexible: 'Competitive flexible',
  direct: 'Direct, without competition',
  call_off: 'Call-off from a framework',
  other: 'Other, such as limited competition',
};

const SUITED: Record<string, string> = { sme: 'Small businesses', vcse: 'Voluntary and social enterprises' };

const BUYER_KINDS: Record<string, string> = {
  central: 'Central government',
  devolved: 'Devolved government',
  local: 'Local government',
  nhs: 'NHS',
  police_fire: 'Police and fire',
  sub_central: 'Sub-central government',
};

/** Labels of values that are not the price of the contract. */
const VALUE_KINDS: Record<string, string> = {
  shared: 'shared by several suppliers',
  framework_ceiling: 'ceiling of a framework, not spending',
  estimate: 'estimate',
  absurd: 'implausible',
};

/** How totals treat a value. */
const COUNTED: Record<string, string> = {
  ...VALUE_KINDS,
  sum: 'counted in totals',
  not_believed: 'implausible, not counted',
  not_stated: 'not counted',
};

/** How a name or an identifier was matched. */
const MATCHES: Record<string, string> = {
  number: 'by its number',
  company_number: 'by the company number published',
  identifier: 'by the identifier published',
  exact: 'the same name',
  cleaned: 'the same name but for its legal form',
  prefix: 'a name that begins so',
  near: 'a similar name',
  previous_name: 'a former name',
  name: 'by name',
  name_postcode: 'by name and postcode',
  previous_name_postcode: 'by a former name and postcode',
  name_district: 'by name and postcode district',
  full_name: 'by its full name, which no other company has',
  previous_name_district: 'by a former name and postcode district',
  previous_full_name: 'by its full name at the time, which no other company had',
  near_name: 'by a similar name in its postcode district',
  unmatched: 'not matched',
};

/** How a name or an identifier was matched, in words. */
export const labelMatch = (method: string): string => MATCHES[method] ?? labelPlain(method).toLowerCase();
/** The name of a procurement stage. */
export const labelStage = (stage: string): string => STAGE_NAMES[stage] ?? labelPlain(stage);
/** Whether bids are accepted, in words. */
export const labelBidStatus = (status: string): string => BID_STATUSES[status] ?? status;
/** The state of a contract, in words. */
export const labelContractStatus = (status: string): string => CONTRACT_STATUSES[status] ?? labelPlain(status);
/** The state of a contract today. One that has yet to start is active, as its end is to come. */
export const labelStanding = (status: string, starts: string | null | undefined, today: string): string =>
  status === 'active' && starts && starts > today ? 'Not started' : labelContractStatus(status);
/** How a contract was awarded, in words. */
export const labelProcedure = (procedure: string): string => PROCEDURES[procedure] ?? labelPlain(procedure);
/** The nation of a buyer, in words. */
export const labelNation = (nation: string): string => NATION_NAMES[nation as Nation] ?? labelPlain(nation);
/** Whom a procurement suits, in words. */
export const labelSuited = (suited: string): string => SUITED[suited] ?? suited;
/** The kind of a public body, in words. */
export const labelBuyerKind = (kind: string): string => BUYER_KINDS[kind] ?? labelPlain(kind);
/** What a value was calculated from, in words. */
export const labelBasis = (basis: string): string => VALUE_BASES[basis] ?? basis;
/** The kind of a value; undefined if it is simply the price of the contract. */
export const labelValueKind = (valueClass: string): string | undefined => VALUE_KINDS[valueClass];
/** How totals treat a value, in words. */
export const labelCounted = (countedAs: string): string => COUNTED[countedAs] ?? labelPlain(countedAs);
/** The class of a value, in words. */
export const labelClass = (valueClass: string): string => CLASSES[valueClass] ?? labelPlain(valueClass);
/** What a number of awards that set up frameworks counts. */
export const labelPlaces = (count: number): string => (count === 1 ? 'place on a framework' : 'places on frameworks');

/** `UK4 Tender notice`, or the old form's tag in words. */
export function labelNoticeType(type: string): string {
  const name = NOTICE_TYPE_NAMES[type];
  return name ? `${type} ${name}` : labelPlain(type);
}

/** A cron expression of the timetable in words; an unknown form unchanged. */
export function labelTimetable(cron: string): string {
  const [minute = '', hour = '', ...rest] = cron.trim().split(/\s+/);
  if (rest.join(' ') !== '* * *') return cron;
  const every = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (every && hour === '*') return `every ${every} minutes`;
  if (!/^\d+$/.test(minute)) return cron;
  if (hour === '*') return `every hour, at ${minute} minutes past`;
  const at = (hour: number | string) => `${String(hour).padStart(2, '0')}:${minute.padStart(2, '0')}`;
  const [, first = 0, until = 23, step] = /^(?:\*|(\d+)-(\d+))\/([1-9]\d*)$/.exec(hour) ?? [];
  if (step === undefined) return /^\d+$/.test(hour) ? `every day at ${at(hour)}` : cron;
  const last = Number(until) - ((Number(until) - Number(first)) % Number(step));
  return `every ${step} hours from ${at(first)} to ${at(last)}`;
}

/** A code as plain words: `call_off` as `Call off`. */
export const labelPlain = sayPlainly;

const FORMATS: Record<string, string> = {
  csv: 'CSV',
  'csv.gz': 'CSV, compressed',
  jsonl: 'JSON Lines',
  'jsonl.gz': 'JSON Lines, compressed',
  parquet: 'Parquet',
};

/** The name of a file format. */
export const labelFormat = (format: string): string => FORMATS[format] ?? format;

/** Fields of forms with labels that differ from their inputs' names. */
const INPUT_NAMES: Readonly<Record<string, string>> = {
  webhook: 'Address of the webhook',
  every: 'When',
  changes: 'Which changes',
  credits_per_day_max: 'Most credits a day',
  max_rows: 'Maximum number of rows',
};

/** The label of an input's field, for an error message. */
export const labelInput = (name: string): string => FILTER_NAMES[name] ?? INPUT_NAMES[name] ?? labelPlain(name);

/** Whether a search for tenders finds only those that are open now, as it does unless it says otherwise. */
export const isLive = (status = 'open'): boolean => status === 'open';

/** The tenders of a search, by its `status`. */
export const labelTenders = (status?: string): string => (isLive(status) ? 'Live tenders' : 'Tenders');

const PLACES_MAX = 20;

/** Places of delivery on one line, of very many the first; null if there are none. */
export function labelDelivery(places: readonly string[] = []): string | null {
  const more = places.length > PLACES_MAX ? [`and ${places.length - PLACES_MAX} more`] : [];
  return [...places.slice(0, PLACES_MAX), ...more].join('; ') || null;
}
