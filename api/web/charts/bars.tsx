import type { ComponentChildren } from 'preact';
import { em, endLabel, percent, placeBands, scaleLength, thinFigure, thinLabel } from './scale.ts';

/** Heights in em: the figure above the tallest bar, the bars, and the names below. */
const ROOM_ABOVE = 1.6;
const PLOT = 8.5;
const ROOM_BELOW = 1.7;
const BASE = ROOM_ABOVE + PLOT;
/** The least height of a bar that is not zero. */
const LEAST = 0.15;

export interface Bar {
  /** The short label below it: `2026`. */
  name: string;
  amount: number;
  /** The short amount: `£1.2m`. */
  short: string;
  /** The full amount, for the text alternative. */
  long: string;
  /** Not complete yet, so drawn lighter. */
  isPart?: boolean;
}

interface BarsProps {
  /** What the bars measure: the chart's name and caption. */
  title: string;
  bars: readonly Bar[];
  /** A note next to the caption. */
  children?: ComponentChildren;
}

/** Vertical bars with figures. The caller supplies the table for screen readers. */
export function Bars({ title, bars, children }: BarsProps) {
  if (bars.length === 0) return null;
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong> {children}
      </figcaption>
      <svg class="bars" height={em(BASE + ROOM_BELOW)} role="img">
        <title>{title}</title>
        <desc>{describeBars(bars)}</desc>
        <Columns bars={bars} />
        <line class="base" x1="0" x2="100%" y1={em(BASE)} y2={em(BASE)} />
      </svg>
    </figure>
  );
}

function Columns({ bars }: { bars: readonly Bar[] }) {
  const bands = placeBands(bars.length);
  const amounts = bars.map(({ amount }) => amount);
  const toHeight = scaleLength(Math.max(...amounts), PLOT);
  return (
    <>
      {bars.map((bar, at) => {
        const { x = 0, middle = 0, width = 0 } = bands[at] ?? {};
        const height = bar.amount > 0 ? Math.max(LEAST, toHeight(bar.amount)) : 0;
        const label = thinLabel(at, bars.length);
        const figure = thinFigure(at, amounts);
        const end = endLabel(at, bars.length);
        const edges = { start: x, end: x + width };
        const anchor = { x: percent(end ? edges[end] : middle), 'text-anchor': end };
        return (
          <g key={bar.name} class={bar.isPart ? 'part' : undefined}>
            <title>{`${bar.name}: ${bar.long}`}</title>
            <rect x={percent(x)} y={em(BASE - height)} width={percent(width)} height={em(height)} />
            {figure && (
              <text class={figure} {...anchor} y={em(BASE - height - 0.4)}>
                {bar.short}
              </text>
            )}
            {label && (
              <text class={`${label} name`} {...anchor} y={em(BASE + 1.3)}>
                {bar.name}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

/** A summary in a sentence: the period, the greatest amount and the latest. */
export function describeBars(bars: readonly Bar[]): string {
  const [first] = bars;
  const last = bars.at(-1);
  if (!first || !last) return '';
  if (bars.length === 1) return `${first.name}: ${first.long}.`;
  const most = bars.reduce((high, bar) => (bar.amount > high.amount ? bar : high));
  const latest = most === last ? '' : ` In ${last.name}: ${last.long}.`;
  return `From ${first.name} to ${last.name}. Most in ${most.name}: ${most.long}.${latest}`;
}
