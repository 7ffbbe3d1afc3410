import { scaleUtc } from 'd3-scale';
import { DAY_MS } from '../../../schema/config/clocks.ts';
import { formatDay } from '../components/format.ts';
import { em, percent } from './scale.ts';

/** Heights in em: the label of today, a row of marks, the labels below the axis, a span with its name. */
const TODAY = 1.4;
const LANE = 1.9;
const TICKS = 2;
const SPAN = 2.5;
/** In percent: room for half a mark at either end, and the width of a mark on a phone. */
const MARGIN = 4;
/** Spans that begin outside the chart appear only in the text. */
const EDGE = 100;
const MARK_WIDTH = 8;
const LANES_MAX = 5;
/** With more marks than this there is no room for numbers. */
const NUMBERED_MAX = 30;
const TICKS_WANTED = 4;
/** The width of a label below the axis, in percent. */
const TICK_WIDTH = 15;
const TICK_WIDTH_ON_PHONE = 32;
/** The greatest part of the future, as a multiple of the past. */
const ROOM_AHEAD = 1.7;

/** An event on a day (`2026-03-12`), numbered by its place in the list. */
interface Moment {
  day: string;
  name: string;
  /** The subject of the page. */
  isCurrent?: boolean;
}

/** A period between two days. */
export interface Span {
  name: string;
  from: string;
  to: string;
}

interface TimelineProps {
  title: string;
  /** Oldest first. */
  moments: readonly Moment[];
  spans: readonly Span[];
  now: Date;
}

/** Numbered events, periods and today on one axis. The list below has the same numbers. */
export function Timeline({ title, moments, spans: all, now }: TimelineProps) {
  const spans = all.filter(isPlausible);
  // One or two days need no chart.
  if (moments.length <= 2 && spans.length === 0) return null;
  const place = placeDays(moments, spans, now);
  const lanes = stackMarks(moments.map(({ day }) => place.at(day)));
  const above = place.today === null ? 0 : TODAY;
  const axis = above + LANE * (Math.max(0, ...lanes) + 1);
  const height = axis + TICKS + SPAN * spans.length;
  const isNumbered = moments.length <= NUMBERED_MAX;
  return (
    <figure class="chart timeline">
      <svg height={em(height)} role="img">
        <title>{title}</title>
        <desc>{describeTimeline(moments, spans)}</desc>
        <Today x={place.today} height={axis} />
        <line class="base" x1="0" x2="100%" y1={em(axis)} y2={em(axis)} />
        {place.ticks.map(({ x, text, isSpare }) => (
          <text key={text} class={isSpare ? 'name wide' : 'name'} x={percent(x)} y={em(axis + 1.3)} {...anchorOf(x)}>
            {text}
          </text>
        ))}
        {moments.map((moment, at) => (
          <Mark key={at} moment={moment} x={place.at(moment.day)} y={axis - LANE * ((lanes[at] ?? 0) + 0.5)}>
            {isNumbered ? String(at + 1) : ''}
          </Mark>
        ))}
        {spans.map((span, at) => (
          <SpanBar key={span.name} span={span} place={place} y={axis + TICKS + SPAN * at} />
        ))}
      </svg>
    </figure>
  );
}

function Mark({ moment, x, y, children }: { moment: Moment; x: number; y: number; children: string }) {
  return (
    <g class={moment.isCurrent ? 'mark current' : 'mark'}>
      <title>{`${formatDay(moment.day)}: ${moment.name}`}</title>
      <circle cx={percent(x)} cy={em(y)} r={em(children ? 0.8 : 0.35)} />
      <text x={percent(x)} y={em(y + 0.35)}>
        {children}
      </text>
    </g>
  );
}

function SpanBar({ span, place, y }: { span: Span; place: Place; y: number }) {
  const [from, to] = [place.at(span.from), place.at(span.to)];
  return (
    <g>
      <text class="name start" x="0" y={em(y + 0.9)}>
        {`${span.name}: ${formatShortDay(span.from, span.to)} to ${formatShortDay(span.to)}`}
      </text>
      {from < EDGE && (
        <rect x={percent(from)} y={em(y + 1.35)} width={percent(Math.max(0.6, to - from))} height={em(0.45)} />
      )}
    </g>
  );
}

function Today({ x, height }: { x: number | null; height: number }) {
  if (x === null) return null;
  return (
    <g class="today">
      <text class="name" x={percent(x)} y={em(0.8)} {...anchorOf(x)}>
        today
      </text>
      <line x1={percent(x)} x2={percent(x)} y1={em(TODAY - 0.3)} y2={em(height)} />
    </g>
  );
}

/** Keeps labels near an edge inside it. */
function anchorOf(x: number): { 'text-anchor'?: 'start' | 'end' } {
  if (x < 15) return { 'text-anchor': 'start' };
  return x > 85 ? { 'text-anchor': 'end' } : {};
}

interface Place {
  at(day: string): number;
  /** Null if today is outside the chart. */
  today: number | null;
  ticks: { x: number; text: string; isSpare: boolean }[];
}

/** The place of each day, in percent, and the days with a label. */
function placeDays(moments: readonly Moment[], spans: readonly Span[], now: Date): Place {
  const [first, last] = boundTime(moments, spans, now.getTime());
  const scale = scaleUtc([first, last], [MARGIN, 100 - MARGIN]);
  const lengthDays = (last - first) / DAY_MS;
  const ticks = scale.ticks(TICKS_WANTED).map((tick) => ({ x: scale(tick), text: nameTick(tick, lengthDays) }));
  const today = now.getTime();
  return {
    at: (day) => Math.min(100, Math.max(0, scale(timeOf(day)))),
    today: today >= first && today <= last ? scale(today) : null,
    ticks: thinTicks(ticks),
  };
}

/** Labels that fit below the axis; `isSpare`: not on a phone. */
function thinTicks(ticks: readonly { x: number; text: string }[]): Place['ticks'] {
  let [last, lastOnPhone] = [-100, -100];
  return ticks.flatMap((tick) => {
    if (tick.x - last < TICK_WIDTH) return [];
    last = tick.x;
    const isSpare = tick.x - lastOnPhone < TICK_WIDTH_ON_PHONE;
    if (!isSpare) lastOnPhone = tick.x;
    return [{ ...tick, isSpare }];
  });
}

/** The period of the chart. A long contract runs beyond it, so that its notices do not overlap. */
function boundTime(moments: readonly Moment[], spans: readonly Span[], today: number): [number, number] {
  const events = moments.map(({ day }) => timeOf(day));
  const all = [...events, ...spans.flatMap(({ from, to }) => [timeOf(from), timeOf(to)])];
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const reached = Math.max(...events, Math.min(today, last)) - first;
  if (events.length > 1 && reached * ROOM_AHEAD < last - first) return [first, first + reached * ROOM_AHEAD];
  return first === last ? [first - 30 * DAY_MS, last + 30 * DAY_MS] : [first, last];
}

function nameTick(tick: Date, lengthDays: number): string {
  if (lengthDays > 1_200) return String(tick.getUTCFullYear());
  const parts = lengthDays > 100 ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' };
  return tick.toLocaleDateString('en-GB', { ...(parts as Intl.DateTimeFormatOptions), timeZone: 'UTC' });
}

/** A short date for phones, without the year if the other day has the same. */
function formatShortDay(day: string, other?: string): string {
  const year = other?.slice(0, 4) === day.slice(0, 4) ? undefined : 'numeric';
  return new Date(timeOf(day)).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year, timeZone: 'UTC' });
}

function timeOf(day: string): number {
  return Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
}

/** Leaves out years such as 1900 and 2999, which would squeeze everything else. */
function isPlausible({ from, to }: Span): boolean {
  return from <= to && from > '1990' && to < '2100' && !Number.isNaN(timeOf(from) + timeOf(to));
}

/** The row of each mark, from the axis upwards: marks that would overlap are stacked. */
export function stackMarks(places: readonly number[]): number[] {
  const ends: number[] = [];
  return places.map((x) => {
    const free = ends.findIndex((end) => x - end >= MARK_WIDTH);
    const lane = Math.min(free === -1 ? ends.length : free, LANES_MAX - 1);
    ends[lane] = x;
    return lane;
  });
}

function describeTimeline(moments: readonly Moment[], spans: readonly Span[]): string {
  const said = [moments[0], ...(moments.length > 1 ? [moments.at(-1)] : [])].filter((moment) => moment !== undefined);
  const events = said.map(({ day, name }) => `${formatDay(day)}: ${name}.`);
  const lasting = spans.map(({ name, from, to }) => `${name}: ${formatDay(from)} to ${formatDay(to)}.`);
  return [...events, ...lasting].join(' ');
}
