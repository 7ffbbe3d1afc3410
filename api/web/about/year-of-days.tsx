import type { z } from 'zod';
import type { getStatus } from '../../operations/status/get.ts';
import { type HeatDay, HeatKey, HeatMap, splitWeeks } from '../charts/heat-map.tsx';
import { formatCount, formatDay, formatNumbered } from '../components/format.ts';
import { Head, Scroll } from '../components/parts.tsx';

type Day = z.input<typeof getStatus.output>['sources'][number]['recent_days'][number];

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MARKS: Readonly<Record<HeatDay['state'], string>> = { whole: '', part: '*', not: ' –', before: '' };

/** The releases of a source by day, as a calendar and a table. @param since - the first stored day */
export function YearOfDays(props: { title: string; days: readonly Day[]; since: string | undefined }) {
  const { title, since } = props;
  const days = props.days.map((day) => toHeat(day, since));
  if (days.length === 0) return null;
  return (
    <figure class="chart year">
      <figcaption>
        <strong>Releases by day</strong>, {sayYear(days)}
      </figcaption>
      <HeatMap title={`Releases of ${title}`} days={days} />
      <HeatKey days={days} />
      <details>
        <summary>Show as a table</summary>
        <DayTable title={title} days={days} />
      </details>
    </figure>
  );
}

function toHeat({ day, releases, witnessed, covered }: Day, since: string | undefined): HeatDay {
  const isBefore = covered === 'not' && (since === undefined || day < since);
  const state = isBefore ? 'before' : covered;
  const listed =
    witnessed !== undefined && witnessed !== releases && ` (its daily file lists ${formatCount(witnessed)})`;
  const suffix = { whole: '', part: ', read in part', not: ', not read', before: ', before our first day' }[state];
  return {
    day,
    amount: releases,
    state,
    tooltip: `${formatDay(day)}: ${formatCount(releases)}${listed || ''}${suffix}`,
  };
}

function sayYear(days: readonly HeatDay[]): string {
  const sum = days.reduce((total, { amount }) => total + amount, 0);
  const unread = days.filter(({ state }) => state === 'not').length;
  const missed =
    unread === 0 ? 'every day since the first stored day was read' : `${formatNumbered(unread, 'day')} not read`;
  return `${formatCount(sum)} in ${formatNumbered(days.length, 'day')}; ${missed}`;
}

function DayTable({ title, days }: { title: string; days: readonly HeatDay[] }) {
  return (
    <>
      <Scroll label={`Releases of ${title} by day`} compact>
        <table class="numbers">
          <Head columns={['Week of', ...WEEKDAYS]} numbers={WEEKDAYS} />
          <tbody>
            {splitWeeks(days)
              .toReversed()
              .map(({ monday, days: week }) => (
                <tr key={monday}>
                  <th scope="row">{formatDay(monday)}</th>
                  {week.map((day, at) => (
                    <td key={WEEKDAYS[at]}>
                      {day && day.state !== 'before' && formatCount(day.amount) + MARKS[day.state]}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </Scroll>
      <p class="muted small">* read in part; – not read. An empty cell is before our first day or in the future.</p>
    </>
  );
}
