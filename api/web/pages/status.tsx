import type { z } from 'zod';
import type { getStatus } from '../../operations/get-status.ts';
import { formatCount, formatDay, formatInstant, formatNumbered, formatSpan } from '../format.ts';
import { labelPlain, labelTimetable } from '../labels.ts';
import { Heading, type Page } from '../layout.tsx';
import { safeLink } from '../links.ts';
import { type Fact, Facts, Outward } from '../parts.tsx';

type Status = z.input<typeof getStatus.output>;
type Source = Status['sources'][number];

const DAY_MS = 86_400_000;

/** @param isHeld - whether the catalogue's clock is held at an instant, as over a sample. */
export function statusPage(status: Status, isHeld: boolean): Page {
  return {
    title: 'Status',
    description: 'How fresh and complete each source is',
    body: (
      <>
        <Heading title="Status">
          <p class="lead">
            How fresh and complete each source is, as of {formatInstant(status.now)}. Every time here is London's.
          </p>
        </Heading>
        {isHeld && (
          <p class="note">
            The clock of this catalogue is held at that instant: tenders count as live against it. When sources were
            asked is told by the clock on the wall.
          </p>
        )}
        {status.sources.length === 0 && <p>No source has been read yet.</p>}
        {status.sources.map((source) => (
          <section key={source.source}>
            <h2>{source.title}</h2>
            <Facts facts={factsOf(source, status.now)} />
          </section>
        ))}
        <h2>What these words mean</h2>
        <p>
          A release is what a service publishes: a notice, or a correction of one, so that a notice may have several.
          Complete up to an instant means that everything published before it is held. What could not be read safely is
          held back and looked at; no page and no answer shows it.
        </p>
        <p class="muted">
          {status.attribution} The same as JSON: <a href="/v1/status">/v1/status</a>.
        </p>
      </>
    ),
  };
}

function factsOf(source: Source, now: string): Fact[] {
  const isRegister = source.source === 'companies_house';
  return [
    isRegister
      ? ['Edition of the register', formatDay(source.as_of) ?? 'none yet']
      : ['Complete up to', source.as_of ? describeAge(source.as_of, now) : 'nothing yet'],
    [
      'Held',
      formatNumbered(source.releases, isRegister ? 'company' : 'release', isRegister ? 'companies' : 'releases'),
    ],
    ['Days with releases', source.coverage && describeCoverage(source.coverage)],
    ['Held back', source.quarantined === 0 ? 'nothing' : formatNumbered(source.quarantined, 'record')],
    ['Asked', labelTimetable(source.timetable)],
    ['Last asked', source.last_run ? describeRun(source.last_run, isRegister) : 'not yet'],
    ['Last success', formatInstant(source.last_success_at) ?? 'none yet'],
    ['Licence', <Outward href={safeLink(source.licence_url)}>{source.licence}</Outward>],
    ['Home', <Outward href={safeLink(source.homepage)}>{source.homepage}</Outward>],
  ];
}

function describeAge(asOf: string, now: string): string {
  const behindMs = Date.parse(now) - Date.parse(asOf);
  return `${formatInstant(asOf)}, ${behindMs < 60_000 ? 'which is now' : `${formatSpan(behindMs)} ago`}`;
}

function describeCoverage({ from, to, days }: NonNullable<Source['coverage']>): string {
  const span = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return `${formatCount(days)} of the ${formatNumbered(span, 'day')} from ${formatDay(from)} to ${formatDay(to)}`;
}

function describeRun(run: NonNullable<Source['last_run']>, isRegister: boolean): string {
  const read = isRegister ? formatNumbered(run.releases, 'record') : formatNumbered(run.releases, 'release');
  return `${formatInstant(run.started_at)}, ${labelPlain(run.state).toLowerCase()}: ${read} read, ${formatCount(run.stored)} new or changed`;
}
