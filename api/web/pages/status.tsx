import type { z } from 'zod';
import type { getStatus } from '../../operations/get-status.ts';
import { formatCount, formatDay, formatInstant, formatNumbered } from '../format.ts';
import { labelPlain } from '../labels.ts';
import { Heading, type Page } from '../layout.tsx';
import { safeLink } from '../links.ts';
import { type Fact, Facts, Outward } from '../parts.tsx';

type Status = z.input<typeof getStatus.output>;
type Source = Status['sources'][number];

export function statusPage(status: Status): Page {
  return {
    title: 'Status',
    description: 'How fresh and complete each source is',
    body: (
      <>
        <Heading title="Status">
          <p class="lead">How fresh and complete each source is, as of {formatInstant(status.now)}.</p>
        </Heading>
        {status.sources.length === 0 && <p>No source has been read yet.</p>}
        {status.sources.map((source) => (
          <section key={source.source}>
            <h2>{source.title}</h2>
            <Facts facts={factsOf(source)} />
          </section>
        ))}
        <p class="muted">
          {status.attribution} The same as JSON: <a href="/v1/status">/v1/status</a>.
        </p>
      </>
    ),
  };
}

function factsOf(source: Source): Fact[] {
  const { coverage, last_run: run } = source;
  return [
    ['Complete up to', formatInstant(source.as_of)],
    ['Last success', formatInstant(source.last_success_at) ?? 'none yet'],
    [
      'Last run',
      run &&
        `${labelPlain(run.state)}, ${formatInstant(run.started_at)}: ${formatNumbered(run.stored, 'record')} stored`,
    ],
    ['Records held', formatCount(source.releases)],
    [
      'Days covered',
      coverage && `${formatCount(coverage.days)}, ${formatDay(coverage.from)} to ${formatDay(coverage.to)}`,
    ],
    ['Held back as unreadable', formatCount(source.quarantined)],
    ['Timetable (cron)', <code key="cron">{source.timetable}</code>],
    ['Licence', <Outward href={safeLink(source.licence_url)}>{source.licence}</Outward>],
    ['Home', <Outward href={safeLink(source.homepage)}>{source.homepage}</Outward>],
  ];
}
