import { scaleBand, scaleQuantile } from 'd3-scale';
import { DAY_MS } from '../../../schema/config/clocks.ts';
import { formatCount, formatDay, formatNumbered } from '../components/format.ts';
import { em, percent } from './scale.ts';

/** A day was read completely, in part or not at all, or is before the first stored day. */
type DayState = 'whole' | 'part' | 'not' | 'before';

export interface HeatDay {
  /** `YYYY-MM-DD`. */
  day: string;
  amount: number;
  state: DayState;
  /** The tooltip. */
  tooltip: string;
}

/** The least number of columns in a quarter, so that weeks have the same width in all of them. */
const PLACES = 14;
/** The left edge of the weeks, in percent, after the names of the days. */
const GUTTER = 13;
/** In em: the line of months, a line for each weekday, and a cell (its size is in the stylesheet too). */
const TOP = 1.5;
const LINE = 1.25;
const CELL = 1.1;
const NAMED_DAYS = ['Mon', null, 'Wed', null, 'Fri', null, null];
const LEVELS = [1, 2, 3, 4];
/** Weeks in a quarter of a year. */
const QUARTER_WEEKS = 13;

/** A year of days as a calendar of weeks: darker is more. Quarters are in a row, or stacked on a phone. */
export function HeatMap({ title, days }: { title: string; days: readonly HeatDay[] }) {
  const toLevel = rankAmounts(days);
  const quarters = foldQuarters(splitWeeks(days));
  const places = Math.max(PLACES, ...quarters.map((weeks) => weeks.length));
  return (
    <div class="heat">
      {quarters.map((weeks) => (
        <Quarter key={weeks[0]?.monday} {...{ title, weeks, places, toLevel }} />
      ))}
    </div>
  );
}

type Weeks = readonly Week<HeatDay>[];
type ToLevel = (amount: number) => number;

/** Four levels with the same number of days each, so that a few busy days do not make the rest pale. */
function rankAmounts(days: readonly HeatDay[]): ToLevel {
  const amounts = days.map(({ amount }) => amount).filter((amount) => amount > 0);
  const scale = scaleQuantile(amounts, LEVELS);
  return (amount) => (amount > 0 ? scale(amount) : 0);
}

interface QuarterProps {
  title: string;
  weeks: Weeks;
  /** Columns in each quarter. */
  places: number;
  toLevel: ToLevel;
}

function Quarter({ title, weeks, places, toLevel }: QuarterProps) {
  const columns = scaleBand<number>([...Array(places).keys()], [GUTTER, 100]).paddingInner(0.14);
  const inside = weeks.flatMap(({ days }) => days.filter((day) => day !== null));
  return (
    <svg height={em(TOP + 7 * LINE)} role="img">
      <title>{describeQuarter(title, inside)}</title>
      {NAMED_DAYS.map((name, at) => name && <Label key={name} x={0} y={TOP + at * LINE + CELL * 0.8} text={name} />)}
      {weeks.map(({ monday, days }, column) => {
        const month = monthOf(days, column === 0);
        return (
          // biome-ignore lint/a11y/noSvgWithoutTitle: a part of the quarter, which has the title
          <svg key={monday} x={percent(columns(column) ?? 0)} width={percent(columns.bandwidth())} height="100%">
            {month && <Label x={0} y={TOP - 0.5} text={month} />}
            {days.map((day, at) => day && <Cell key={day.day} day={day} at={at} toLevel={toLevel} />)}
          </svg>
        );
      })}
    </svg>
  );
}

function Label({ x, y, text }: { x: number; y: number; text: string }) {
  return (
    <text x={percent(x)} y={em(y)}>
      {text}
    </text>
  );
}

interface CellProps {
  day: HeatDay;
  /** Day of the week, Monday 0. */
  at: number;
  toLevel: ToLevel;
}

/**
 * A square in the svg of its week; the stylesheet has its size. Days that were not read are struck through: colour alone is
 * not enough for everyone.
 */
function Cell({ day: { amount, state, tooltip }, at, toLevel }: CellProps) {
  const y = TOP + at * LINE;
  return (
    <>
      <rect class={state === 'whole' ? `l${toLevel(amount)}` : `l${toLevel(amount)} ${state}`} y={em(y)}>
        <title>{tooltip}</title>
      </rect>
      {state === 'not' && <line x1="0" y1={em(y + CELL)} x2="100%" y2={em(y)} />}
    </>
  );
}

/** The month that begins in this week. The first week shows its own month if there is room before the next. */
function monthOf(days: Weeks[number]['days'], isFirst: boolean): string | null {
  const inside = days.filter((day) => day !== null);
  const begins = inside.find(({ day }) => day.endsWith('-01'));
  const [first] = inside;
  const shown = begins ?? (isFirst && first && Number(first.day.slice(8)) <= 14 ? first : undefined);
  return shown ? (formatDay(shown.day)?.split(' ')[1]?.slice(0, 3) ?? null) : null;
}

function describeQuarter(title: string, days: readonly HeatDay[]): string {
  const sum = days.reduce((total, { amount }) => total + amount, 0);
  const unread = days.filter(({ state }) => state === 'not').length;
  const missed = unread === 0 ? '' : `, ${formatNumbered(unread, 'day')} not read`;
  return `${title}, ${formatDay(days[0]?.day)} to ${formatDay(days.at(-1)?.day)}: ${formatCount(sum)}${missed}`;
}

/** The legend. */
export function HeatKey({ days }: { days: readonly HeatDay[] }) {
  const toLevel = rankAmounts(days);
  const states = new Set(days.map(({ state }) => state));
  const ranges = LEVELS.flatMap((level) => {
    const amounts = days.map(({ amount }) => amount).filter((amount) => toLevel(amount) === level);
    return amounts.length === 0
      ? []
      : [{ kind: `l${level}`, text: formatRange(Math.min(...amounts), Math.max(...amounts)) }];
  });
  const keys = [
    { kind: 'l0', text: 'none' },
    ...ranges,
    ...(states.has('part') ? [{ kind: 'l2 part', text: 'read in part' }] : []),
    ...(states.has('not') ? [{ kind: 'l0 not', text: 'not read' }] : []),
  ];
  return (
    <ul class="heat-key">
      {keys.map(({ kind, text }) => (
        <li key={kind}>
          <svg aria-hidden="true" width="0.95rem" height="0.95rem">
            <rect class={kind} width="100%" height="100%" rx="2" />
            {kind.endsWith('not') && <line x1="0" y1="100%" x2="100%" y2="0" />}
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}

function formatRange(least: number, most: number): string {
  return least === most ? formatCount(least) : `${formatCount(least)} to ${formatCount(most)}`;
}

/** The days of a week, Monday first; null for a day outside the period. */
type Week<T> = { monday: string; days: readonly (T | null)[] };

/** Splits consecutive days, oldest first, into weeks. A day is `YYYY-MM-DD`. */
export function splitWeeks<T extends { day: string }>(days: readonly T[]): Week<T>[] {
  const weeks = new Map<string, (T | null)[]>();
  for (const day of days) {
    const time = Date.parse(`${day.day}T00:00:00Z`);
    const place = (new Date(time).getUTCDay() + 6) % 7;
    const monday = new Date(time - place * DAY_MS).toISOString().slice(0, 10);
    const week = weeks.get(monday) ?? Array<T | null>(7).fill(null);
    week[place] = day;
    weeks.set(monday, week);
  }
  return [...weeks].map(([monday, days]) => ({ monday, days }));
}

/** Groups weeks into quarters. The last one is full; a first one of a week or two joins the next. */
export function foldQuarters<W>(weeks: readonly W[]): W[][] {
  const count = Math.max(1, Math.round(weeks.length / QUARTER_WEEKS));
  const first = weeks.length - (count - 1) * QUARTER_WEEKS;
  return Array.from({ length: count }, (_, at) =>
    weeks.slice(at === 0 ? 0 : first + (at - 1) * QUARTER_WEEKS, first + at * QUARTER_WEEKS),
  );
}
