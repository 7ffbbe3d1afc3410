import type { Stage, ValueBasis } from '../../../schema/catalogue/details.ts';
import { DAY_MS } from '../../../schema/config/clocks.ts';
import type { OcdsAward, OcdsContract } from '../../../schema/ocds/types.ts';
import { parseDay } from '../../fields/dates.ts';
import { isPlaceholder, PLACEHOLDER_UP_TO } from '../../fields/notice.ts';
import type { CompiledContract, CompiledNotice, Money } from '../types.ts';

/**
 * The limits of plausible amounts. In the recordings (291 contracts), the highest amount to one supplier is 60 million. All
 * six amounts of a thousand million or more went to several suppliers, and each has an estimate of that size. No award to
 * one supplier is more than five times its estimate. An implausible amount becomes a warning and is part of no total.
 */
export const PLAUSIBLE = {
  /** At or below this an amount is a placeholder (0.01, 1). */
  placeholderUpTo: PLACEHOLDER_UP_TO,
  /** Above this, a value is believed only if the process's own estimate is about as large. */
  needsEstimateAbove: 1_000_000_000,
  /** An estimate counts as about as large if it is at least this part of the value. */
  sameSizeFrom: 0.1,
  /** Above this, no award to one or two suppliers is believed. */
  valueUpTo: 5_000_000_000,
  /** An award to this many suppliers may be as large as a framework, because its value is what all of them may earn. */
  manySuppliers: 3,
  /** Above this, no ceiling or value for many suppliers is believed. */
  ceilingUpTo: 100_000_000_000,
  /** Above this, no estimate is believed unless a framework is set up. The highest in the recordings is 543 million. */
  estimateUpTo: 20_000_000_000,
  /** From `slipFrom`, a value this many times its estimate is a slip (pence for pounds). Smaller estimates are often fillers. */
  timesEstimate: 100,
  slipFrom: 10_000_000,
} as const;

/**
 * Why the value of a contract is not believed, or null if it is.
 * @param estimate the estimated value of its process
 */
export function doubtValue(money: Money, estimate: Money | null): string | null {
  const { value } = money;
  const own = comparable(money, estimate);
  if (isPlaceholder(money.value)) return implausible(money, 'a placeholder');
  if (value > PLAUSIBLE.valueUpTo) return implausible(money, 'more than any single award');
  if (own !== null && value >= PLAUSIBLE.slipFrom && value >= own * PLAUSIBLE.timesEstimate)
    return implausible(money, `${Math.round(value / own)} times its estimate`);
  if (value > PLAUSIBLE.needsEstimateAbove && (own === null || own < value * PLAUSIBLE.sameSizeFrom))
    return implausible(money, 'no estimate of its process bears it out');
  return null;
}

/** Why the estimate of a plan or tender that sets up no framework is not believed, or null if it is. */
function doubtEstimate(money: Money): string | null {
  return (
    doubtCeiling(money) ?? (money.value > PLAUSIBLE.estimateUpTo ? implausible(money, 'more than any estimate') : null)
  );
}

/** Why a ceiling is not believed, or null if it is. */
export function doubtCeiling(money: Money): string | null {
  if (isPlaceholder(money.value)) return implausible(money, 'a placeholder');
  return money.value > PLAUSIBLE.ceilingUpTo ? implausible(money, 'more than any framework') : null;
}

/** What the value of a notice is compared with. */
interface NoticeFacts {
  stage: Stage;
  awards: readonly OcdsAward[];
  estimate: Money | null;
  setsUpFramework: boolean;
}

/** Why the value of a notice is not believed, or null if it is. */
export function doubtNotice(
  { money, basis }: { money: Money; basis: ValueBasis },
  { stage, awards, estimate, setsUpFramework }: NoticeFacts,
): string | null {
  const isPlan = basis === 'estimate' || stage === 'planning' || stage === 'tender';
  const isShared = setsUpFramework || awards.some(({ suppliers }) => suppliers.length >= PLAUSIBLE.manySuppliers);
  if (setsUpFramework || (isShared && !isPlan)) return doubtCeiling(money);
  return isPlan ? doubtEstimate(money) : doubtValue(money, estimate);
}

interface DatedAward {
  award: OcdsAward | undefined;
  contracts: readonly OcdsContract[];
  statements: readonly {
    stage: Stage;
    published: string;
    award: OcdsAward | undefined;
    contracts: readonly OcdsContract[];
  }[];
}

/** More years than this from an award or its signing to the start and to the first notice are a slip. The most in the recordings is three. */
const YEARS_AHEAD = 10;
/** More years than this from the newest notice to an award or its signing are a slip. The most in the recordings is less than two. */
const YEARS_LATER = 3;

/**
 * The days of an award and of its last signing that are believed, otherwise those of an earlier notice, and why another is not. The
 * start that a change notice states may be that of the change.
 */
export function believedDays({ award, contracts, statements }: DatedAward, starts: string | null) {
  const [oldest] = statements;
  const [first = ''] = oldest?.stage === 'change' ? [] : [starts ?? '', oldest?.published ?? ''].toSorted();
  const from = first && yearsFrom(first, -YEARS_AHEAD);
  const until = yearsFrom(statements.at(-1)?.published ?? '9000-01-01', YEARS_LATER);
  const doubts: string[] = [];
  const isLikely = (day: string | null) => day !== null && day >= from && day <= until;
  const believe = (what: string, day: string | null, stated: readonly (string | null)[]) => {
    if (day === null || isLikely(day)) return day;
    const why =
      day < from ? `over ${YEARS_AHEAD} years before the start` : `over ${YEARS_LATER} years after the newest notice`;
    doubts.push(`the published ${what} ${day} is not plausible: ${why}`);
    return stated.findLast(isLikely) ?? null;
  };
  const signings = (signed: readonly OcdsContract[]) => signed.map(({ dateSigned }) => parseDay(dateSigned));
  const signed = signings(contracts).findLast((day) => day !== null) ?? null;
  return {
    awarded: believe(
      'award date',
      parseDay(award?.date),
      statements.map((one) => parseDay(one.award?.date)),
    ),
    signed: believe(
      'date of signing',
      signed,
      statements.flatMap((one) => signings(one.contracts)),
    ),
    doubts,
  };
}

function yearsFrom(day: string, years: number): string {
  return `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;
}

/** The columns of a row without a value. */
export const NO_VALUE = { value: null, currency: null, valueBasis: null };

/** The value basis of each contract whose value is not believed, by award id. */
export type Doubted = ReadonlyMap<string, CompiledContract['valueBasis']>;

/** The awards whose value is not believed, without placeholders: these are too small to distort a sum. */
export function doubtedAwards(contracts: readonly CompiledContract[]): Doubted {
  return new Map(
    contracts.flatMap(({ awardIds, value, valueBasis, valueClass }) => {
      const isDoubted = valueClass === 'absurd' && value !== null && value > PLAUSIBLE.placeholderUpTo;
      return isDoubted ? awardIds.map((id) => [id, valueBasis] as const) : [];
    }),
  );
}

/**
 * The notice without its value, if that is or includes a value of its contract that is not believed. Otherwise a value that
 * no total includes could lead a ranking. A plan or tender loses only an estimate that its contract shows to be a slip.
 */
export function withoutDoubted(
  notice: CompiledNotice,
  doubted: Doubted,
  contracts: readonly CompiledContract[],
): CompiledNotice {
  const { value, currency, valueBasis, stage, awardIds, detail } = notice;
  if (value === null || currency === null) return notice;
  const isPlan = stage === 'planning' || stage === 'tender';
  const isEstimate = valueBasis === 'estimate';
  const doubt = isPlan
    ? isSlippedEstimate({ value, currency }, contracts) && 'its contract is worth a hundredth of it at most'
    : awardIds.some((id) => doubted.has(id) && (doubted.get(id) === 'estimate') === isEstimate) &&
      'that of its contract is not believed';
  if (!doubt) return notice;
  const warning = implausible({ value, currency }, doubt);
  return {
    ...notice,
    ...NO_VALUE,
    detail: { ...detail, value_min: undefined, warnings: [...detail.warnings, warning] },
  };
}

/** Whether an estimate is the value of the only contract with a misplaced decimal point, or is far beyond any estimate. */
function isSlippedEstimate(estimate: Money, [only, ...more]: readonly CompiledContract[]): boolean {
  const { value = null, currency = null, valueClass } = only ?? {};
  if (more.length > 0 || valueClass !== 'sum' || value === null || currency !== estimate.currency) return false;
  const isFar = estimate.value >= PLAUSIBLE.slipFrom && estimate.value >= value * PLAUSIBLE.timesEstimate;
  return isFar && (estimate.value > PLAUSIBLE.needsEstimateAbove || isSlip(estimate, { value, currency }));
}

/** A later notice may correct an earlier one within this many days; after that it is about another award. */
const CORRECTION_DAYS = 30;

/** Whether a notice came soon enough after another to correct it. Instants in milliseconds. */
export function isSoonAfter(earlierMs: number, laterMs: number): boolean {
  return laterMs - earlierMs <= CORRECTION_DAYS * DAY_MS;
}

/** The tolerance of a power of ten between amounts, as they may be rounded to the pound. */
const ROUNDED_BY = 0.01;

/** Whether two amounts differ only in the position of the decimal point. */
export function isSlip(one: Money, other: Money): boolean {
  if (one.currency !== other.currency) return false;
  const times = Math.max(one.value, other.value) / Math.min(one.value, other.value);
  const power = 10 ** Math.round(Math.log10(times));
  return power > 1 && Math.abs(times / power - 1) < ROUNDED_BY;
}

/** Why none of an award's published values (oldest first) is believed; null if one may be right. */
export function doubtSlip(published: readonly Money[]): string | null {
  const last = published.at(-1);
  const other = last && published.find((one) => isSlip(one, last));
  if (!other) return null;
  const both = `${other.value} and ${last.value} ${last.currency}`;
  return `values a power of ten apart were published (${both}): none is believed`;
}

/** The amount of the estimate if it is in the same currency and no placeholder; otherwise null. */
function comparable(money: Money, estimate: Money | null): number | null {
  if (!estimate || estimate.currency !== money.currency) return null;
  return estimate.value > PLAUSIBLE.placeholderUpTo ? estimate.value : null;
}

function implausible({ value, currency }: Money, why: string): string {
  return `the published value ${value} ${currency} is not plausible: ${why}`;
}

/** For "no limit", programs write the largest number of their type, such as 79228162514264337593543950335 in Wales. */
const NO_LIMIT = 2 ** 31 - 1;

/** The fewest or the most suppliers that there may be; undefined for a number that limits nothing. */
export function limitOf(number: number | undefined): number | undefined {
  return Number.isInteger(number) && number !== undefined && number > 0 && number < NO_LIMIT ? number : undefined;
}

/** Whether a value was stated, not estimated. */
export function isStated({ value, valueBasis }: CompiledContract): boolean {
  return value !== null && valueBasis !== 'estimate';
}

/** The value that an award states; null if it states none, or only an estimate or a placeholder. */
export function moneyOf(contract: CompiledContract): Money | null {
  const { value, currency } = contract;
  if (!isStated(contract) || value === null || currency === null) return null;
  return isPlaceholder(value) ? null : { value, currency };
}
