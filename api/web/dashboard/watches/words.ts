import type { z } from 'zod';
import type { WatchCollection, WatchRhythm } from '../../../../schema/accounts/watches/row.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import type { deliveryShape, watchShape } from '../../../operations/watches/shapes.ts';
import { formatNumbered } from '../../components/format.ts';
import { labelTenders } from '../../components/labels.ts';
import type { SourceTitles } from '../../components/source-title.ts';
import { nameFilters, type PartyNames } from '../../filters/active.tsx';
import { readPartyNames } from '../../filters/party-names.ts';
import type { Query } from '../../queries/hits.ts';

/** A watch and a delivery, as the API answers them. */
export type Watch = z.input<typeof watchShape>;
export type Delivery = z.input<typeof deliveryShape>;

export const WATCHES = '/dashboard/watches';
/** The path of the page about a watch. */
export const watchPath = (id: string) => `${WATCHES}/${encodeURIComponent(id)}`;

/** What a watch searches. */
const labelWatched = (on: WatchCollection, { status }: Query): string =>
  ({ tenders: labelTenders(status), notices: 'Notices', contracts: 'Contracts' })[on];
const ONE: Readonly<Record<WatchCollection, string>> = { tenders: 'tender', notices: 'notice', contracts: 'contract' };
/** The word for one item of what a watch searches. */
export const labelOne = (on: WatchCollection): string => ONE[on];

/** The filters of a watch as the fields of a search. */
export const queryOf = (filters: Watch['filters']): Query =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]));

/** A search in words: `Live tenders, “cleaning”, Region: London`. */
export function sayLookedFor(
  on: WatchCollection,
  { query, ends_within: months, ...filters }: Query,
  names: { titles: SourceTitles; parties: PartyNames },
): string {
  const words = query && query !== '*' ? `“${query}”` : '';
  const ends = months ? `Ends within ${formatNumbered(Number(months), 'month')}` : '';
  return [labelWatched(on, filters), words, ends, nameFilters(on, filters, names)].filter(Boolean).join(', ');
}

/** Names of the buyers and suppliers that some watches are narrowed to. */
export async function readParties(catalogue: Database, watches: readonly Pick<Watch, 'filters'>[]) {
  const found = await Promise.all(
    watches.map(({ filters }) => readPartyNames(catalogue, {}, queryOf(filters), undefined)),
  );
  return new Map(found.flatMap((names) => [...names]));
}

/** When a watch delivers, in words. @param hour - of the digests, in London */
export function sayRhythm(every: WatchRhythm, hour: number): string {
  const at = `${String(hour).padStart(2, '0')}:00`;
  return { run: 'after each run of the service', day: `every day at ${at}`, week: `every Monday at ${at}` }[every];
}

/** Where and when a watch delivers, in words. */
export function sayDelivery({ deliver, every }: Pick<Watch, 'deliver' | 'every'>, hour: number): string {
  return `${deliver.webhook === undefined ? 'By e-mail' : 'By webhook'}, ${sayRhythm(every, hour)}`;
}

const CHANGES: Readonly<Record<Watch['changes'][number], string>> = {
  new: 'new',
  updated: 'changed',
  gone: 'removed, or no longer matching',
};

/** A kind of change in words. */
export const labelChange = (change: Watch['changes'][number]): string => CHANGES[change];
