import { londonDate } from '../../../schema/config/clocks.ts';
import { addMonths } from '../../../search/filters/within.ts';
import { formatNumbered } from '../components/format.ts';
import { withQuery } from '../components/links.ts';
import type { Query } from '../queries/hits.ts';
import type { View } from './views.ts';

/** Periods of months in which people look for what ends. */
const END_MONTHS = [3, 6, 12, 18] as const;
/** The period of a page that has one, unless its address says another. */
const USUAL_MONTHS = 12;
/** What decides which contracts a page shows whose period moves with the day. */
const DECIDED = ['status', 'ends_from', 'ends_to'];

/** The months of such a page. @param sent - the `months` of an address, whatever it is */
export function readMonths(sent: unknown): number {
  return END_MONTHS.find((months) => String(months) === sent) ?? USUAL_MONTHS;
}

/** The fields that the address of a page may set, with its months unless they are the usual ones. */
export function ownFields({ isRolling }: View, query: Query, sentMonths: unknown): Query {
  if (!isRolling) return query;
  const kept = Object.entries(query).filter(([name]) => !DECIDED.includes(name));
  return { ...Object.fromEntries(kept), ...monthsField(readMonths(sentMonths)) };
}

/** The search that a page stands for on the London day of `now`. */
export function searchedBy({ isRolling }: View, { months, ...query }: Query, now: Date): Query {
  if (!isRolling) return query;
  const until = addMonths(londonDate(now), readMonths(months));
  return { ...query, status: 'active', ends_to: until, sort: query.sort ?? 'ends' };
}

/** What a watch of the page looks for: months stay months, so that its period moves with the day too. */
export function watchedBy({ isRolling }: View, { months }: Query, searched: Query): Query {
  if (!isRolling) return searched;
  const { status: _, ends_to: __, ...lasting } = searched;
  return { ...lasting, ends_within: String(readMonths(months)) };
}

const monthsField = (months: number): Query => (months === USUAL_MONTHS ? {} : { months: String(months) });

/** Links that narrow a search to what ends within some months from today. */
export function EndsWithin({ view, query, now }: { view: View; query: Query; now: Date }) {
  const { cursor: _, months: chosen, ...same } = query;
  const today = londonDate(now);
  const links = END_MONTHS.map((months) => {
    const days = { ends_from: today, ends_to: addMonths(today, months) };
    const isSame = query.ends_from === days.ends_from && query.ends_to === days.ends_to;
    return view.isRolling
      ? { months, fields: monthsField(months), isChosen: readMonths(chosen) === months }
      : { months, fields: days, isChosen: isSame };
  });
  return (
    <p class="within">
      Ends within{' '}
      {links.map(({ months, fields, isChosen }) => (
        <a
          key={months}
          class="chip"
          href={withQuery(view.path, { ...same, ...fields })}
          rel="nofollow"
          aria-current={isChosen ? 'true' : undefined}
        >
          {formatNumbered(months, 'month')}
        </a>
      ))}
      {!view.isRolling && <a href="/renewals">What runs out next</a>}
    </p>
  );
}
