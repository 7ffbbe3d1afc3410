import { WATCH_CHANGES, WATCH_COLLECTIONS, type WatchCollection } from '../../../../schema/accounts/watches/row.ts';
import type { Settings } from '../../../../schema/config/settings.ts';
import { filterNames } from '../../../../search/filters/read.ts';
import { activeFilters } from '../../filters/active.tsx';
import {
  type Asked,
  Choice,
  FilterFields,
  readFields,
  shortenFields,
  Text,
  Ticks,
} from '../../filters/plain-fields.tsx';
import { readSearchInput } from '../../queries/hits.ts';
import { labelChange, queryOf, sayRhythm, type Watch } from './words.ts';

export const NEW_WATCH = '/dashboard/watches/new';

/** The fields of a watch's form: those of its search by their API names, and those of its delivery. Blank fields are absent. */
export type WatchForm = Asked & { readonly on: WatchCollection };

type Setup = Pick<Settings, 'SMTP_URL' | 'WATCH_DIGEST_HOUR'>;

/** Reads the fields of an address or a form. Unknown fields and other searches' filters are left out. */
export function readWatchForm(sent: Readonly<Record<string, unknown>>): WatchForm {
  const on = WATCH_COLLECTIONS.find((one) => one === sent.on) ?? 'tenders';
  const moving = on === 'contracts' ? ['ends_within'] : [];
  const names = ['name', 'query', ...filterNames(on), ...moving, 'deliver', 'webhook', 'every', 'credits_per_day_max'];
  const changes = WATCH_CHANGES.filter((one) => [sent.changes].flat().join().split(',').includes(one)).join();
  return Object.assign(readFields(names, sent), { ...(changes && { changes }), on });
}

/** The fields as a page repeats them: very long values are cut. */
export const shortenWatchForm = (asked: WatchForm): WatchForm => ({ ...shortenFields(asked), on: asked.on });

/** The initial fields of a form. */
export function withUsual(asked: WatchForm, { SMTP_URL }: Setup): WatchForm {
  return Object.assign({ deliver: SMTP_URL ? 'email' : 'webhook', every: 'day', changes: 'new,updated' }, asked);
}

/** The fields that a watch has. */
export function formOf({ on, name, filters, deliver, every, changes, credits_per_day_max: most }: Watch): WatchForm {
  const { webhook } = deliver;
  return {
    ...queryOf(filters),
    ...(webhook !== undefined && { webhook }),
    ...(most !== undefined && { credits_per_day_max: String(most) }),
    on,
    name,
    every,
    deliver: webhook === undefined ? 'email' : 'webhook',
    changes: changes.join(),
  };
}

/** The search of a watch, as the API's filters. */
export function toFilters(asked: WatchForm): Record<string, unknown> {
  const { on, ends_within: months } = asked;
  return { ...readSearchInput(on, asked), ...(months !== undefined && { ends_within: readCount(months) }) };
}

/** A whole number; anything else stays as it is and is refused by the API. */
const readCount = (typed: string) => (/^\d{1,15}$/.test(typed) ? Number(typed) : typed);

/** The fields as the API's inputs. Unreadable values stay as they are and are refused there. */
export function toInput(asked: WatchForm): Record<string, unknown> {
  const { on, name = '', webhook = '', every, changes = '', credits_per_day_max: most } = asked;
  return {
    name,
    on,
    filters: toFilters(asked),
    deliver: asked.deliver === 'webhook' ? { webhook } : { email: true },
    every,
    changes: changes.split(',').filter(Boolean),
    credits_per_day_max: most === undefined ? null : readCount(most),
  };
}

/** All fields of a watch. @param isRefused - also shows the filters, as one of them may be the reason */
export function Fields({ asked, settings, isRefused }: { asked: WatchForm; settings: Setup; isRefused: boolean }) {
  const { on } = asked;
  const months = Number(asked.ends_within !== undefined);
  const chosen = activeFilters(on, asked).reduce((sum, [, values]) => sum + values.length, months);
  return (
    <>
      <div class="narrow">
        <Text name="query" label="Words" hint="Every word must occur, just as you write it." asked={asked} />
      </div>
      <details class="filters-of" open={isRefused}>
        <summary>Filters{chosen > 0 && ` (${chosen} chosen)`}</summary>
        <div class="spread">
          <FilterFields dataset={on} asked={asked} />
          {on === 'contracts' && (
            <Text
              name="ends_within"
              type="number"
              label="Ends within months"
              hint="Counted from each new day. A date that only comes nearer is not a change."
              asked={asked}
            />
          )}
        </div>
      </details>
      <h2>What you get</h2>
      <div class="spread">
        <Text name="name" label="Name" hint="Each delivery begins with it." asked={asked} required />
        <Choice
          name="deliver"
          label="Deliver"
          options={[...(settings.SMTP_URL ? [['email', 'by e-mail, to you'] as const] : []), ['webhook', 'by webhook']]}
          asked={asked}
        />
        <Text name="webhook" type="url" label="Address of the webhook" hint="https; for webhooks only." asked={asked} />
        <Choice
          name="every"
          label="When"
          options={(['day', 'week', 'run'] as const).map((every) => [
            every,
            sayRhythm(every, settings.WATCH_DIGEST_HOUR) + (every === 'run' ? ' (webhooks only)' : ''),
          ])}
          asked={asked}
        />
        <Text
          name="credits_per_day_max"
          type="number"
          label="Most credits a day"
          hint="Leave empty for no limit."
          asked={asked}
        />
        <Ticks
          name="changes"
          label="Which changes"
          options={WATCH_CHANGES.map((change) => [change, labelChange(change)])}
          chosen={(asked.changes ?? '').split(',')}
        />
      </div>
    </>
  );
}
