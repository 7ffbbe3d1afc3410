import { DELIVERY_CREDITS, deliveryCredits, ITEMS_PER_CHARGE } from '../../../../schema/accounts/watches/outbox.ts';
import { WATCH_COLLECTIONS } from '../../../../schema/accounts/watches/row.ts';
import type { Settings } from '../../../../schema/config/settings.ts';
import { formatCount, formatNumbered } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { withQuery } from '../../components/links.ts';
import { Figures } from '../../components/parts.tsx';
import { Kinds } from '../../filters/plain-fields.tsx';
import type { ContractHit, Hit, Query, Results } from '../../queries/hits.ts';
import { Hits } from '../../search/results.tsx';
import { dashboardPage, Faults, Once, type Person, Token } from '../frame.tsx';
import { Fields, NEW_WATCH, type WatchForm } from './form.tsx';
import { labelOne, watchPath } from './words.ts';

/** What a watch would have sent in the last seven days. */
export interface Preview {
  /** The search for it. */
  searched: Query;
  results: Results<Hit | ContractHit>;
}

interface FormView {
  asked: WatchForm;
  /** The watch to change; null for a new one. */
  watch: { id: string; name: string } | null;
  preview: Preview | null;
  /** Why the watch or its preview was refused. */
  faults: readonly string[];
  settings: Settings;
  /** The catalogue's current instant. */
  now: Date;
  /** The id of the form; a new one where there is none. */
  once?: string | undefined;
}

/** The form of a new or changed watch, and what it would have sent. */
export function watchFormPage(person: Person, { asked, watch, preview, faults, settings, now, once }: FormView): Page {
  const title = watch ? `Change ${watch.name}` : 'New watch';
  const { webhook: _, ...kept } = asked;
  return dashboardPage(
    person,
    { title, tab: 'watches' },
    <>
      <Faults texts={faults} />
      {!watch && (
        <p>
          A watch is a saved search that tells you what is new and what changed. A delivery of up to {ITEMS_PER_CHARGE}{' '}
          items costs {formatNumbered(DELIVERY_CREDITS, 'credit')}; when there is nothing to tell, nothing is sent.
        </p>
      )}
      {preview && <WouldHaveSent asked={asked} preview={preview} now={now} />}
      <h2>What it looks for</h2>
      {/* Without the webhook: receivers put secrets in such addresses. A watch that is changed has its own. */}
      <Kinds
        path={watch ? `${watchPath(watch.id)}/edit` : NEW_WATCH}
        name="on"
        kinds={WATCH_COLLECTIONS}
        asked={kept}
        label="What to watch"
      />
      <form method="post" action={watch ? `${watchPath(watch.id)}/edit` : '/dashboard/watches'}>
        <Token token={person.token} />
        <Once id={once} />
        <input type="hidden" name="on" value={asked.on} />
        <Fields asked={asked} settings={settings} isRefused={faults.length > 0} />
        {watch && (
          <p class="small muted">
            With another search, address, time or choice of changes, what was not sent yet is dropped and refunded, and
            the watch delivers from now on.
          </p>
        )}
        <div class="row">
          <button type="submit" name="act" value="preview" class="quiet" formNoValidate>
            Show a preview
          </button>
          <button type="submit" name="act" value="save">
            {watch ? 'Save' : 'Create watch'}
          </button>
          {watch && <a href={watchPath(watch.id)}>Leave it as it is</a>}
        </div>
      </form>
    </>,
  );
}

/** Few items in one delivery cost as much as 25. */
const sayCredits = (credits: number) => (credits > 0 ? 'at least ' : '') + formatNumbered(credits, 'credit');

function WouldHaveSent({ asked: { on }, preview, now }: Pick<FormView, 'asked' | 'now'> & { preview: Preview }) {
  const { searched, results } = preview;
  const { items, total, exact, corrections } = results;
  const least = exact ? '' : 'at least ';
  return (
    <section aria-label="What it would have sent">
      <h2>In the last seven days</h2>
      <Figures
        figures={[
          { value: least + formatNumbered(total, labelOne(on)), label: 'it would have sent' },
          { value: sayCredits(deliveryCredits(total)), label: 'they would have cost' },
        ]}
      />
      {corrections.map(({ from, to }) => (
        <p key={from} class="note warn">
          “{from}” was read as “{to}” here. A watch corrects nothing: write the word as it is in the notices.
        </p>
      ))}
      {total === 0 && <p>Nothing matched, so nothing would have been sent or charged.</p>}
      <Hits scope={on} items={items} now={now} level={3} />
      {total > items.length && (
        <p class="more">
          <a href={withQuery(`/${on}`, searched)}>
            All {least}
            {formatCount(total)}
          </a>
        </p>
      )}
    </section>
  );
}
