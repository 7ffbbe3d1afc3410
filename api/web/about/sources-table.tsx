import type { z } from 'zod';
import type { getStatus } from '../../operations/status/get.ts';
import { formatCount, formatDay, formatInstant, formatNumbered, formatSpan } from '../components/format.ts';

type Status = z.input<typeof getStatus.output>;
type Source = Status['sources'][number];

const ENGINES: Readonly<Record<string, string>> = { embedded: 'Embedded index', meilisearch: 'Meilisearch' };

/** Every source in one line, and how far the search is behind them. */
export function Glance({ status }: { status: Status }) {
  if (status.sources.length === 0) return null;
  return (
    <>
      <div class="compact">
        <table class="stack" aria-label="The sources at a glance">
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Last successful update</th>
              <th scope="col">Up to date to</th>
              <th scope="col">Complete</th>
              <th scope="col" class="number">
                In quarantine
              </th>
            </tr>
          </thead>
          <tbody>
            {status.sources.map((source) => (
              <tr key={source.source}>
                <th scope="row">{source.title}</th>
                <td data-label="Last successful update">{formatInstant(source.last_success_at) ?? 'none yet'}</td>
                <td data-label="Up to date to">{sayLag(source)}</td>
                <td data-label="Complete">{sayComplete(source)}</td>
                <td class="number" data-label="In quarantine">
                  {formatCount(source.quarantined)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="muted">Search: {status.search.map(sayEngine).join('; ')}.</p>
    </>
  );
}

function sayLag({ source, as_of, lag_seconds: lag }: Source): string {
  if (as_of === null || lag === null) return 'nothing yet';
  // A register comes in editions, so the age of its day does not mean a delay.
  if (source === 'companies_house') return `edition of ${formatDay(as_of)}`;
  return lag < 60 ? 'now' : `${formatSpan(lag * 1_000)} ago`;
}

function sayComplete({ complete, gaps, source }: Source): string {
  if (complete === null) return source === 'companies_house' ? 'whole editions' : 'not calculated yet';
  if (complete) return 'yes';
  return gaps && gaps.count > 0
    ? `no, ${formatNumbered(gaps.count, 'gap')}`
    : 'no, some notices are still being fetched';
}

function sayEngine({ engine, lag_rows: lag }: Status['search'][number], at: number): string {
  const name = `${ENGINES[engine] ?? engine}${at > 0 ? ' behind it' : ''}`;
  if (lag === null) return `${name}: not answering`;
  return lag === 0 ? `${name}: up to date` : `${name}: ${formatNumbered(lag, 'changed row')} behind`;
}
