import { onDay } from '../../../../search/filters/within.ts';
import { formatInstant, formatNumbered } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { withQuery } from '../../components/links.ts';
import { Facts, Older } from '../../components/parts.tsx';
import type { PageContext } from '../../components/source-title.ts';
import type { PartyNames } from '../../filters/active.tsx';
import { dashboardPage, Faults, type Person, Said, Token } from '../frame.tsx';
import { Deliveries } from './deliveries.tsx';
import { PauseOrResume, State } from './list.tsx';
import {
  type Delivery,
  labelChange,
  queryOf,
  sayLookedFor,
  sayRhythm,
  WATCHES,
  type Watch,
  watchPath,
} from './words.ts';

interface WatchView {
  watch: Watch;
  /** Until when the secret before the last rotation signs, or did; null where none was rotated. */
  formerUntil: string | null;
  /** ISO 8601 instant, UTC. */
  now: string;
  deliveries: readonly Delivery[];
  /** The cursor of the next page of deliveries. */
  next: string | null;
  parties: PartyNames;
  digestHour: number;
  /** How long the bodies of deliveries are kept, in days. */
  bodyDays: number;
  said?: string | undefined;
  faults?: readonly string[];
}

/** The page of one watch: its search and delivery, its buttons, and what it delivered. */
export function watchPage(person: Person, view: WatchView): Page {
  const { watch, deliveries, next, bodyDays, said, faults = [] } = view;
  return dashboardPage(
    person,
    { title: watch.name, tab: 'watches' },
    <>
      <Said text={said} />
      <Faults texts={faults} />
      <About view={view} />
      <Acts watch={watch} token={person.token} formerUntil={view.formerUntil} />
      <h2 id="deliveries">Deliveries</h2>
      {deliveries.length === 0 ? (
        <p>Nothing was delivered yet.</p>
      ) : (
        <>
          <p>Newest first. What was delivered is kept for {formatNumbered(bodyDays, 'day')}.</p>
          <Deliveries watch={watch} deliveries={deliveries} token={person.token} />
        </>
      )}
      {next && (
        <Older href={`${withQuery(watchPath(watch.watch_id), { cursor: next })}#deliveries`} what="deliveries" />
      )}
      <p>
        <a href={WATCHES}>All watches</a>
      </p>
    </>,
  );
}

function About({ view }: { view: WatchView }, { titles }: PageContext) {
  const { watch, parties, digestHour, formerUntil, now } = view;
  const { on, filters, deliver, every, changes, credits_per_day_max: most, created_at } = watch;
  const query = queryOf(filters);
  return (
    <Facts
      facts={[
        ['State', <State watch={watch} />],
        [
          'Looks for',
          <a href={withQuery(`/${on}`, onDay(query, new Date(now)))} rel="nofollow">
            {sayLookedFor(on, query, { titles, parties })}
          </a>,
        ],
        ['Delivers', changes.map(labelChange).join('; ')],
        ['To', deliver.webhook === undefined ? 'you, by e-mail' : <code>{deliver.webhook}</code>],
        ['When', sayRhythm(every, digestHour)],
        ['Most credits a day', most !== undefined && formatNumbered(most, 'credit')],
        ['Former secret', formerUntil && formerUntil > now && `signs too until ${formatInstant(formerUntil)}`],
        ['Made', formatInstant(created_at)],
      ]}
    />
  );
}

function Acts({ watch, token, formerUntil }: { watch: Watch; token: string } & Pick<WatchView, 'formerUntil'>) {
  const path = watchPath(watch.watch_id);
  return (
    <div class="row">
      <PauseOrResume watch={watch} token={token} />
      <a class="button quiet" href={`${path}/edit`}>
        Change
      </a>
      <form method="post" action={`${path}/test`}>
        <Token token={token} />
        <button type="submit" class="quiet">
          Send a test
        </button>
      </form>
      {watch.deliver.webhook !== undefined && (
        <form method="post" action={`${path}/rotate`}>
          <Token token={token} />
          <input type="hidden" name="former" value={formerUntil ?? ''} />
          <button type="submit" class="quiet">
            New secret
          </button>
        </form>
      )}
      <a class="button quiet" href={`${path}/delete`}>
        Delete
      </a>
    </div>
  );
}

/** Asks for confirmation before a watch is deleted. */
export function deleteWatchPage(person: Person, { watch_id, name }: Watch): Page {
  const title = `Delete ${name}?`;
  const path = watchPath(watch_id);
  return dashboardPage(
    person,
    { title, tab: 'watches' },
    <>
      <p>It ends for good. What was not sent yet is dropped and refunded. To stop it for a time, pause it instead.</p>
      <form method="post" action={`${path}/delete`} class="row">
        <Token token={person.token} />
        <button type="submit" class="grave">
          Delete {name}
        </button>
        <a href={path}>Keep it</a>
      </form>
    </>,
  );
}
