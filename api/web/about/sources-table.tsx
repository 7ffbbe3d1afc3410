import type { z } from 'zod';
import type { getStatus } from '../../operations/status/get.ts';
import { formatCount, formatDay, formatInstant, formatNumbered, formatSpan } from '../components/format.ts';
import { Head } from '../components/parts.tsx';

type Answer = z.input<typeof getStatus.output>;
/** A source's status, and whether it is a register: that comes in editions, so the age of its day is not a delay. */
export type SourceStatus = Answer['sources'][number] & { isRegister: boolean };
/** The answer of the status operation, with the facts about each source. */
export type Status = Omit<Answer, 'sources'> & { sources: readonly SourceStatus[] };

const ENGINES: Readonly<Record<string, string>> = { embedded: 'Embedded index', meilisearch: 'Meilisearch' };

/** Every source in one line, and how far the search is behind them. */
export function Glance({ status }: { status: Status }) {
  if (status.sources.length === 0) return null;
  return (
    <>
      <div class="compact">
        <table class="stack" aria-label="The sources at a glance">
          <Head
            columns={['Source', 'Last successful update', 'Up to date to', 'Complete', 'In quarantine']}
            numbers={['In quarantine']}
          />
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
      <p class="muted">Search: {sayEngines(status.search)}.</p>
    </>
  );
}

function sayLag({ isRegister, as_of, lag_seconds: lag }: SourceStatus): string {
  if (as_of === null || lag === null) return 'nothing yet';
  if (isRegister) return `edition of ${formatDay(as_of)}`;
  return lag < 60 ? 'now' : `${formatSpan(lag * 1_000)} ago`;
}

function sayComplete({ complete, gaps, isRegister }: SourceStatus): string {
  if (complete === null) return isRegister ? 'whole editions' : 'not calculated yet';
  if (complete) return 'yes';
  return gaps && gaps.count > 0
    ? `no, ${formatNumbered(gaps.count, 'gap')}`
    : 'no, some notices are still being fetched';
}

/** The engines of each collection, the one in use first; stated once if all are up to date. */
function sayEngines(search: Status['search']): string {
  const collections = [...new Set(search.map(({ collection }) => collection))].map((name) => {
    const engines = search.filter(({ collection }) => collection === name);
    return { name, said: engines.map(sayEngine).join('; ') };
  });
  const [first] = collections;
  if (first && collections.every(({ said }) => said === first.said)) return first.said;
  return collections.map(({ name, said }) => `${name}: ${said}`).join('; ');
}

function sayEngine({ engine, lag_rows: lag }: Status['search'][number], at: number): string {
  const name = `${ENGINES[engine] ?? engine}${at > 0 ? ' behind it' : ''}`;
  if (lag === null) return `${name}: not answering`;
  return lag === 0 ? `${name}: up to date` : `${name}: ${formatNumbered(lag, 'changed row')} behind`;
}
