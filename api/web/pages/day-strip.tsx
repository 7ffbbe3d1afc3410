import type { z } from 'zod';
import type { getStatus } from '../../operations/get-status.ts';
import { formatCount, formatDay, formatNumbered } from '../format.ts';
import { Scroll } from '../parts.tsx';

type Day = z.input<typeof getStatus.output>['sources'][number]['recent_days'][number];

const HEIGHT = 40;
const STEP = 10;
/** A day with anything at all is seen. */
const LEAST_BAR = 2;

const COVERED: Record<Day['covered'], string> = {
  whole: 'read whole',
  part: 'read in part',
  not: 'not read',
};

/** The last days of a source as bars, and the same as a table for whoever wants the figures. */
export function DayStrip({ title, days }: { title: string; days: readonly Day[] }) {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return null;
  const most = Math.max(...days.map(({ releases }) => releases));
  const unread = days.filter(({ covered }) => covered === 'not').length;
  return (
    <figure class="strip">
      <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>{describeStrip(title, days.length, { most, unread })}</title>
        {days.map((day, at) => (
          <Bar key={day.day} day={day} x={at * STEP} most={most} />
        ))}
      </svg>
      <figcaption>
        <span>{shortDay(first.day)}</span>
        <span class="said">
          most on a day: {formatCount(most)}
          {unread > 0 && <span class="unread">; {formatNumbered(unread, 'day')} not read</span>}
        </span>
        <span>{shortDay(last.day)}</span>
      </figcaption>
      <DayTable title={title} days={days} />
    </figure>
  );
}

function Bar({ day, x, most }: { day: Day; x: number; most: number }) {
  const height = day.releases === 0 ? 0 : Math.max(LEAST_BAR, (day.releases / most) * (HEIGHT - LEAST_BAR));
  return (
    <g class={day.covered}>
      <title>
        {formatDay(day.day)}: {formatNumbered(day.releases, 'release')}, {COVERED[day.covered]}
      </title>
      <rect class="ground" x={x + 1} y={0} width={STEP - 2} height={HEIGHT} />
      <rect class="bar" x={x + 1} y={HEIGHT - height} width={STEP - 2} height={height} />
      <rect class="foot" x={x + 1} y={HEIGHT - 1} width={STEP - 2} height={1} />
    </g>
  );
}

/** Without its year, which the table tells. */
function shortDay(day: string): string | undefined {
  return formatDay(day)?.replace(/ \d{4}$/, '');
}

function describeStrip(title: string, days: number, { most, unread }: { most: number; unread: number }): string {
  const read = unread === 0 ? 'all of them read' : `${formatNumbered(unread, 'day')} of them not read`;
  return `${title}: releases held of the last ${formatNumbered(days, 'day')}, ${read}, at most ${formatCount(most)} a day`;
}

function DayTable({ title, days }: { title: string; days: readonly Day[] }) {
  const isWitnessed = days.some(({ witnessed }) => witnessed !== undefined);
  return (
    <details>
      <summary>Day by day</summary>
      <Scroll label={`${title}, day by day`} compact>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" class="number">
                Releases held
              </th>
              {isWitnessed && (
                <th scope="col" class="number">
                  Its daily file lists
                </th>
              )}
              <th scope="col">Read</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, releases, witnessed, covered }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                <td class="number">{formatCount(releases)}</td>
                {isWitnessed && <td class="number">{witnessed === undefined ? '–' : formatCount(witnessed)}</td>}
                <td>{COVERED[covered].replace('read ', '')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
