import type { EndsBasis, EndsLatestBasis } from '../../../schema/catalogue/enums.ts';
import { addDays, DAY_MS } from '../../../schema/config/clocks.ts';
import { relatedLots } from '../../../schema/ocds/terms.ts';
import type { OcdsLot, OcdsPeriod, OcdsRelease, OcdsTender } from '../../../schema/ocds/types.ts';
import { memoiseByObject } from '../../../schema/text/memoise.ts';
import { parseDay } from '../../fields/dates.ts';
import type { Bundle } from '../awards/active.ts';
import { type AwardStatement, type Changed, type Termination, terminationOf } from '../awards/history.ts';
import type { CompiledContract, CompiledFramework, CompiledNotice } from '../types.ts';
import { type PublishedOptions, readOptions } from './options.ts';

/** When a contract runs. Days are as published; a day that no notice states is null. */
export interface Term {
  starts: string | null;
  ends: string | null;
  endsBasis: EndsBasis | null;
  /** Last day if every published option to extend is used. */
  endsLatest: string | null;
  endsLatestBasis: EndsLatestBasis | null;
  /** The words that the latest end was read from. */
  endsLatestWords: string | null;
  /** The day on which a termination ended it before its time. */
  terminated: string | null;
  /** Whether a termination notice says that it was completed. */
  isCompleted: boolean;
  /** The period that start and end were read from. */
  period: OcdsPeriod | undefined;
}

/** A contract with its changes applied. */
interface RunningContract extends Bundle {
  statements: readonly AwardStatement[];
  periodChanged: Changed['periodChanged'];
}

/** A span of days, and the field that states it. */
interface Span {
  starts: string | null;
  ends: string | null;
  extendsTo: string | null;
  basis: EndsBasis;
  period: OcdsPeriod | undefined;
}

/** When a contract runs, and the evidence. */
export function termOf(running: RunningContract, { tender }: OcdsRelease): Term {
  const { award, contracts, statements } = running;
  const lots = ownLotsOf(award, tender);
  const signed = contracts.findLast(({ period }) => period)?.period;
  const begun = running.periodChanged ? begunOf(statements) : parseDay(signed?.startDate);
  // A length does not count from the day of a change.
  const own = running.periodChanged === 'other' ? { ...signed, startDate: begun ?? undefined } : signed;
  const spans = [
    spanOf(own, running.periodChanged === 'end' ? 'change' : 'contract'),
    spanOf(award?.contractPeriod, 'award'),
    spanOfLots(lots),
    spanOf(tender.contractPeriod, 'tender'),
  ];
  const period = spans.find((one) => one.period?.startDate ?? one.period?.endDate ?? one.period?.unreadable)?.period;
  const starts = begun ?? spans.slice(1).find((one) => one.starts !== null)?.starts ?? null;
  const planned = spans.find((one) => one.ends !== null);
  const termination = terminationOf(statements, contracts);
  const ends = { ends: planned?.ends ?? null, endsBasis: planned?.basis ?? null };
  if (termination) return { starts, ...endedBy(termination, ends), ...NOT_EXTENDED, period };
  const { ends: end } = ends;
  const stated = spans.find(({ extendsTo }) => extendsTo !== null && (end === null || extendsTo > end))?.extendsTo;
  const latest = stated
    ? { endsLatest: stated, endsLatestBasis: 'stated' as const, endsLatestWords: null }
    : readLatest(running, tender, lots, { starts, ends: end });
  return { starts, ...ends, ...latest, terminated: null, isCompleted: false, period };
}

/** When a contract began. From a change notice on, a stated start may be the day of the change: it does not count for a contract that ran by then, nor where it is the only start known. */
function begunOf(statements: readonly AwardStatement[]): string | null {
  const changed = statements.findIndex(({ stage }) => stage === 'change');
  let begun: string | null = null;
  for (const [at, { published, award, contracts }] of statements.entries()) {
    const periods = contracts.flatMap(({ period, amendments }) => [...amendments.map((one) => one.period), period]);
    const starts = [award?.contractPeriod, ...periods].flatMap((period) => parseDay(period?.startDate) ?? []).at(-1);
    if (!starts || (at >= changed && begun !== null && begun <= published && begun < starts)) continue;
    const days = contracts.flatMap(({ amendments }) => amendments.flatMap(({ date }) => parseDay(date) ?? []));
    if (begun !== null || days.every((day) => starts < day)) begun = starts;
  }
  return begun;
}

/** The end after a termination. One that states no day may come some time after the planned end. */
function endedBy({ day, isStated, isCompleted }: Termination, planned: Pick<Term, 'ends' | 'endsBasis'>) {
  const isLate = !isStated && planned.ends !== null && planned.ends < day;
  const end = isLate ? planned : { ends: day, endsBasis: 'termination' as const };
  return { ...end, isCompleted, terminated: isCompleted ? null : day };
}

const NOT_EXTENDED = { endsLatest: null, endsLatestBasis: null, endsLatestWords: null };

/** The lots of an award; if it names none, the tender's only lot. */
export function ownLotsOf(award: Bundle['award'], tender: OcdsTender): readonly OcdsLot[] {
  const own = relatedLots(award, tender);
  return own.length === 0 && tender.lots.length === 1 ? tender.lots : own;
}

/** The days of a period. A duration gives an end only if the start is stated. The basis is then `duration`. */
export function spanOf(period: OcdsPeriod | undefined, basis: EndsBasis): Span {
  const starts = parseDay(period?.startDate);
  const ends = parseDay(period?.endDate);
  const computed = ends === null && starts !== null ? endOfDuration(starts, period ?? {}) : null;
  const extendsTo = parseDay(period?.maxExtentDate);
  return { starts, ends: ends ?? computed, extendsTo, basis: computed === null ? basis : 'duration', period };
}

/**
 * The day since which nothing is bought under it: that on which a dynamic market ceased (UK16), or the last contract of a
 * framework was terminated or completed. Null while it continues.
 */
export function overSince(
  kind: CompiledFramework['kind'],
  { finalStatusDate }: OcdsTender,
  notices: readonly CompiledNotice[],
  contracts: readonly CompiledContract[],
): string | null {
  if (kind === 'dynamic_market') {
    const cessation = notices.find(({ noticeType }) => noticeType === 'UK16');
    return cessation ? (parseDay(finalStatusDate) ?? cessation.published) : null;
  }
  const days = contracts.map(({ ends, endsBasis, status }) =>
    endsBasis === 'termination' || status === 'ended' ? ends : null,
  );
  return days.includes(null) ? null : latestOf(days);
}

/** The end as stated, or a later one that a change of its contracts states. */
export function changedEnd(stated: string | null, contracts: readonly CompiledContract[]): string | null {
  return latestOf([stated, ...contracts.map(({ ends, endsBasis }) => (endsBasis === 'change' ? ends : null))]);
}

/** From the first start to the last end of some lots. */
function spanOfLots(lots: readonly OcdsLot[]): Span {
  const spans = lots.map(({ contractPeriod }) => spanOf(contractPeriod, 'lot'));
  const ends = latestOf(spans.map((one) => one.ends));
  const ending = spans.find((one) => one.ends === ends);
  return {
    starts: spans.flatMap(({ starts }) => starts ?? []).toSorted()[0] ?? null,
    ends,
    extendsTo: latestOf(spans.map(({ extendsTo }) => extendsTo)),
    basis: ending?.basis ?? 'lot',
    period: ending?.period,
  };
}

function latestOf(days: readonly (string | null)[]): string | null {
  const known = days.flatMap((day) => day ?? []);
  return known.toSorted().at(-1) ?? null;
}

/** A century: a longer duration is a typing error, and may lead to no date at all. */
const DAYS_MAX = 36_525;

/** Find a Tender publishes a month as thirty days and a year as 365. */
function endOfDuration(starts: string, { durationInDays, durationInMonths }: OcdsPeriod): string | null {
  const days = durationInDays ?? 0;
  if (Math.max(days, (durationInMonths ?? 0) * DAYS_A_MONTH) > DAYS_MAX) return null;
  const months = durationInMonths ?? (days % 365 === 0 ? (days / 365) * 12 : days / 30);
  if (Number.isInteger(months) && months > 0) return addDays(addMonths(starts, months), -1);
  return Number.isInteger(days) && days > 0 ? addDays(starts, days - 1) : null;
}

/**
 * The latest end according to the texts. It is counted from the first end, because using an extension moves only the
 * current end.
 */
function readLatest(running: RunningContract, tender: OcdsTender, lots: readonly OcdsLot[], now: Dates) {
  const first = { ...now, ends: firstEnd(running.statements, now.ends) };
  if (first.ends === null) return NOT_EXTENDED;
  for (const { options, basis } of optionsOf(running, tender, lots)) {
    const endsLatest = options && extend(first, options, basis === 'description');
    if (endsLatest && endsLatest > (now.ends ?? ''))
      return { endsLatest, endsLatestBasis: basis, endsLatestWords: options.words };
  }
  return NOT_EXTENDED;
}

interface Dates {
  starts: string | null;
  ends: string | null;
}

/** The earliest end that a notice of the award states. */
function firstEnd(statements: readonly AwardStatement[], ends: string | null): string | null {
  const stated = statements.flatMap(({ award, contracts }) => [
    ...contracts.map(({ period }) => parseDay(period?.endDate)),
    parseDay(award?.contractPeriod?.endDate),
  ]);
  return [...stated, ends].flatMap((day) => day ?? []).toSorted()[0] ?? null;
}

/** Every statement about extensions, the closest to the contract first. */
function* optionsOf({ award, contracts }: Bundle, tender: OcdsTender, lots: readonly OcdsLot[]) {
  const holders = [...contracts.toReversed(), ...(award ? [award] : [])];
  yield fieldsOf(holders);
  yield fieldsOf(lots);
  const basis = 'description' as const;
  for (const { description } of [...holders, ...lots]) yield { options: readOptions(description, false), basis };
  yield { options: optionsOfTender(tender).options, basis };
}

/** Memoised, because every award of a process reads the text of the same tender. */
const optionsOfTender = memoiseByObject(({ description }: OcdsTender) => ({
  options: readOptions(description, false),
}));

/** The extensions in the fields for renewals and options, if those that state any agree. */
function fieldsOf(holders: readonly { renewal?: string; options?: string }[]) {
  const basis = holders.some(({ renewal }) => readOptions(renewal, true)) ? ('renewal' as const) : ('options' as const);
  const found = holders.flatMap(({ renewal, options }) =>
    [renewal, options].flatMap((text) => readOptions(text, true) ?? []),
  );
  const [first = null] = found;
  return { options: found.every(({ months }) => months === first?.months) ? first : null, basis };
}

/** Terms that differ by less than this are equal: a start is often postponed by a few days. */
const TOLERANCE_MONTHS = 1.1;

/**
 * The end after every extension, or null if the stated term is not the one that the text extends. Many published ends
 * include the extensions already. A text outside a field for extensions must state the term that it extends.
 */
function extend({ starts, ends }: Dates, { months, initial }: PublishedOptions, mustState: boolean): string | null {
  if (ends === null || (mustState && (initial === undefined || starts === null))) return null;
  if (initial !== undefined && starts !== null) {
    const differs = Math.abs(monthsBetween(starts, ends) - initial);
    if (differs > Math.min(TOLERANCE_MONTHS, months / 3)) return null;
  }
  return addMonths(ends, months);
}

const DAYS_A_MONTH = 365.25 / 12;

function monthsBetween(starts: string, ends: string): number {
  return (Date.parse(ends) - Date.parse(starts)) / DAY_MS / DAYS_A_MONTH;
}

/** The same day some months later; the last day of a month stays the last. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const lastOf = (of: number) => new Date(Date.UTC(year, of, 0)).getUTCDate();
  const target = month + months;
  const wanted = date === lastOf(month) ? 31 : date;
  return new Date(Date.UTC(year, target - 1, Math.min(wanted, lastOf(target)))).toISOString().slice(0, 10);
}
