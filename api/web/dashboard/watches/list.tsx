import { DELIVERY_CREDITS, ITEMS_PER_CHARGE } from '../../../../schema/accounts/watches/outbox.ts';
import { formatInstant, formatNumbered } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { withQuery } from '../../components/links.ts';
import { Older, Table } from '../../components/parts.tsx';
import type { PageContext } from '../../components/source-title.ts';
import type { PartyNames } from '../../filters/active.tsx';
import { dashboardPage, type Person, Said, Token } from '../frame.tsx';
import { NEW_WATCH } from './form.tsx';
import { queryOf, sayDelivery, sayLookedFor, WATCHES, type Watch, watchPath } from './words.ts';

interface ListView {
  watches: readonly Watch[];
  /** The cursor of the next page. */
  next: string | null;
  parties: PartyNames;
  digestHour: number;
  /** Whether the service sends mail. */
  hasMail: boolean;
  said: string | undefined;
}

/** The page of an account's watches. */
export function watchesPage(person: Person, { watches, next, parties, digestHour, hasMail, said }: ListView): Page {
  return dashboardPage(
    person,
    { title: 'Watches', tab: 'watches' },
    <>
      <Said text={said} />
      <p>
        A watch is a saved search that tells you what is new and what changed, {hasMail && 'by e-mail or '}by{' '}
        <a href="/docs/webhooks">webhook</a>. A delivery of up to {ITEMS_PER_CHARGE} items costs{' '}
        {formatNumbered(DELIVERY_CREDITS, 'credit')}.
      </p>
      <p>
        <a class="button" href={NEW_WATCH}>
          New watch
        </a>
      </p>
      {watches.length === 0 ? (
        <p>
          You have no watches yet. “Alert me” next to the results of a <a href="/tenders">search</a> creates one.
        </p>
      ) : (
        <Table label="Watches, newest first" columns={['Watch', 'State']}>
          {watches.map((watch) => (
            <tr key={watch.watch_id}>
              <th scope="row">
                <a href={watchPath(watch.watch_id)}>{watch.name}</a>
                <LookedFor watch={watch} parties={parties} />
                <span class="hint">{sayDelivery(watch, digestHour)}</span>
              </th>
              <td>
                <State watch={watch} />
                <PauseOrResume watch={watch} token={person.token} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {next && <Older href={withQuery(WATCHES, { cursor: next })} what="watches" />}
    </>,
  );
}

function LookedFor(props: { watch: Watch; parties: PartyNames }, { titles }: PageContext) {
  const { watch, parties } = props;
  const { on, filters } = watch;
  return <span class="hint">{sayLookedFor(on, queryOf(filters), { titles, parties })}</span>;
}

const STATES: Readonly<Record<Watch['status'], readonly [label: string, tag: string]>> = {
  active: ['Active', 'tag good'],
  waiting: ['Waiting', 'tag warn'],
  paused: ['Paused', 'tag warn'],
};

/** Whether a watch delivers, or why not, when it last did and when it will next. */
export function State({ watch }: { watch: Watch }) {
  const { status, message, reason, last_delivered_at: last, next_digest_at: next } = watch;
  const [label, tag] = STATES[status];
  return (
    <>
      <span class={tag}>{label}</span>
      {message && (
        <span class="hint">
          {message} {reason === 'no_credits' && <a href="/dashboard/billing">Top up</a>}
        </span>
      )}
      <span class="hint">{last ? `Last delivery: ${formatInstant(last)}` : 'Nothing was delivered yet.'}</span>
      {next && status === 'active' && <span class="hint">Next digest: {formatInstant(next)}</span>}
    </>
  );
}

/** The button that pauses or resumes a watch. */
export function PauseOrResume({ watch: { watch_id, name, status }, token }: { watch: Watch; token: string }) {
  const act = status === 'paused' ? 'resume' : 'pause';
  const label = status === 'paused' ? 'Resume' : 'Pause';
  return (
    <form method="post" action={`${watchPath(watch_id)}/${act}`}>
      <Token token={token} />
      <button type="submit" class="quiet" aria-label={`${label} ${name}`}>
        {label}
      </button>
    </form>
  );
}
