import type { z } from 'zod';
import { daysBetween } from '../../../schema/config/clocks.ts';
import type { getStatus } from '../../operations/status/get.ts';
import { type HeatDay, HeatKey, HeatMap, splitWeeks } from '../charts/heat-map.tsx';
import {
  formatCount,
  formatDay,
  formatInstant,
  formatMonth,
  formatNumbered,
  formatSpan,
} from '../components/format.ts';
import { labelPlain, labelTimetable } from '../components/labels.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { safeLink } from '../components/links.ts';
import { type Fact, Facts, Outward, Table } from '../components/parts.tsx';
import { Glance, type SourceStatus as Source, type Status } from './sources-table.tsx';

/** Days on the calendar. */
export const STATUS_DAYS = 366;

/** The page with the freshness and completeness of every source. @param isClockFixed - whether the catalogue's clock is fixed, as for the sample */
export function statusPage(status: Status, isClockFixed: boolean): Page {
  return {
    title: 'Status',
    description: 'How fresh and complete each source is',
    body: (
      <>
        <Heading title="Status">
          <p class="lead">
            How fresh and complete each source is, as of {formatInstant(status.now)}. All times are London time.
          </p>
        </Heading>
        {isClockFixed && (
          <p class="note">
            This catalogue is fixed at that moment: a tender counts as live if it was open then. The times of updates
            are real.
          </p>
        )}
        {status.sources.length === 0 && <p>No source has been read yet.</p>}
        <Glance status={status} />
        {status.sources.map((source) => (
          <section key={source.source}>
            <h2>{source.title}</h2>
            <YearOfDays title={source.title} days={source.recent_days} since={source.coverage?.from} />
            <Facts facts={factsOf(source, status.now)} />
          </section>
        ))}
        <h2>What these words mean</h2>
        <p>
          A release is what a service publishes: a notice, or a correction of one, so a notice may have several. Up to
          date to a moment means that everything published before it is here, except what is known to be missing. A
          record that could not be read safely is in quarantine until somebody has checked it; no page and no answer
          shows it.
        </p>
        <p>
          The services number or list what they publish, and we compare. A notice that is missing from the run of
          numbers, or that is in a service's daily file but not in its search, is fetched separately. If the service
          returns nothing for it on two days, it counts as never published. Until then it is known to be missing.
        </p>
        <p class="muted">
          {status.attribution} The same as JSON: <a href={`/v1/status?days=${STATUS_DAYS}`}>/v1/status</a>.
        </p>
      </>
    ),
  };
}

function factsOf(source: Source, now: string): Fact[] {
  const { isRegister, releases } = source;
  const upTo = source.as_of ? describeAge(source.as_of, now) : 'nothing yet';
  return [
    isRegister ? ['Edition of the register', formatDay(source.as_of) ?? 'none yet'] : ['Up to date to', upTo],
    ['Stored', isRegister ? formatNumbered(releases, 'company', 'companies') : formatNumbered(releases, 'release')],
    ['Known to be missing', describeMissing(source)],
    ['Unknown', describeUnknown(source.unknown_types)],
    ['Notice numbers', describeSequence(source.sequence)],
    ['Days with releases', source.coverage && describeCoverage(source.coverage)],
    ['In quarantine', source.quarantined === 0 ? 'nothing' : formatNumbered(source.quarantined, 'record')],
    ['Updated', labelTimetable(source.timetable)],
    ['Last update', source.last_run ? describeRun(source.last_run, isRegister) : 'not yet'],
    ['Last successful update', formatInstant(source.last_success_at) ?? 'none yet'],
    ['Licence', <Outward href={safeLink(source.licence_url)}>{source.licence}</Outward>],
    ['Attribution', source.attribution],
    ['Website', <Outward href={safeLink(source.homepage)}>{source.homepage}</Outward>],
  ];
}

function describeAge(asOf: string, now: string): string {
  const ageMs = Date.parse(now) - Date.parse(asOf);
  return `${formatInstant(asOf)}, ${ageMs < 60_000 ? 'which is now' : `${formatSpan(ageMs)} ago`}`;
}

/** Unexplained records, in words; null if none were read or calculated yet. */
function describeMissing({
  last_run: last,
  gaps,
  probes,
  sequence,
  unproved_windows: unproved,
}: Source): string | null {
  if (!last || !gaps || !probes) return null;
  const wanted = probes.wanted + probes.failed;
  const numbers = Object.values(sequence ?? {}).reduce((sum, year) => sum + year.missing, 0);
  const notices = Math.max(wanted, numbers);
  const parts = [
    gaps.count > 0 &&
      `${formatNumbered(gaps.count, 'stretch', 'stretches')} of time (${formatSpan(gaps.seconds * 1_000)})`,
    notices > 0 && `${formatNumbered(notices, 'notice')}, being fetched by number`,
    unproved && `whatever ${formatNumbered(unproved, 'crowded moment')} may have left out`,
  ].filter(Boolean);
  return parts.length === 0 ? 'nothing' : parts.join('; ');
}

/** Notice types whose newest answers cannot be believed: what was published is unknown, which is different from nothing. */
function describeUnknown(types: Source['unknown_types']): Fact[1] {
  if (!types?.length) return null;
  return types.map(({ type, title, unknown_months: months, newest_unknown: newest }) => (
    <div key={type}>
      {title} (type {type}): {formatNumbered(months, 'month')}
      {newest && `, the newest ${formatMonth(newest)}`}
    </div>
  ));
}

function describeSequence(sequence: Source['sequence']): Fact[1] {
  if (!sequence) return null;
  return Object.entries(sequence)
    .toReversed()
    .map(([year, { lowest, highest, held, missing, never_published: never }]) => (
      <div key={year}>
        {year}: {formatCount(held)} held from {lowest} to {highest}
        {missing > 0 && `, ${formatCount(missing)} missing`}
        {never > 0 && `, ${formatCount(never)} never published`}
      </div>
    ));
}

function describeCoverage({ from, to, days }: NonNullable<Source['coverage']>): string {
  const span = daysBetween(from, to) + 1;
  return `${formatCount(days)} of the ${formatNumbered(span, 'day')} from ${formatDay(from)} to ${formatDay(to)}`;
}

function describeRun(run: NonNullable<Source['last_run']>, isRegister: boolean): string {
  const read = isRegister ? formatNumbered(run.releases, 'record') : formatNumbered(run.releases, 'release');
  return `${formatInstant(run.started_at)}, ${labelPlain(run.state).toLowerCase()}: ${read} read, ${formatCount(run.stored)} new or changed`;
}

type Day = z.input<typeof getStatus.output>['sources'][number]['recent_days'][number];

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MARKS: Readonly<Record<HeatDay['state'], string>> = { whole: '', part: '*', not: ' –', before: '' };

/** The releases of a source by day, as a calendar and a table. @param since - the first stored day */
function YearOfDays(props: { title: string; days: readonly Day[]; since: string | undefined }) {
  const { title, since } = props;
  const days = props.days.map((day) => toHeat(day, since));
  if (days.length === 0) return null;
  return (
    <figure class="chart">
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
      <Table
        label={`Releases of ${title} by day`}
        compact
        class="numbers"
        columns={['Week of', ...WEEKDAYS]}
        numbers={WEEKDAYS}
      >
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
      </Table>
      <p class="muted small">* read in part; – not read. An empty cell is before our first day or in the future.</p>
    </>
  );
}
