import { isIP } from 'node:net';
import { z } from 'zod';
import { readAccount } from '../../../schema/accounts/customer/account.ts';
import { readUser } from '../../../schema/accounts/customer/personal-data.ts';
import { deliveryCredits } from '../../../schema/accounts/watches/outbox.ts';
import {
  WATCH_CHANGES,
  type WatchChange,
  type WatchCollection,
  type WatchRow,
  type WatchSpec,
} from '../../../schema/accounts/watches/row.ts';
import { DAY_MS, londonDate } from '../../../schema/config/clocks.ts';
import type { Settings } from '../../../schema/config/settings.ts';
import { readMovedFilters } from '../../../search/changes/moved-ids.ts';
import { endsWithin, onDay } from '../../../search/filters/within.ts';
import { type InputFault, InvalidInput } from '../../contract/errors.ts';
import type { Operation, Services } from '../../contract/operation.ts';
import { firstOfEach, toFaults } from '../../validation/faults.ts';
import { checkBounds, effectiveFilters, type GivenFilters } from '../filters/apply.ts';
import { searchContracts } from '../search/contracts.ts';
import { contractFilters, noticeFilters, query, tenderFilters } from '../search/inputs.ts';
import { searchNotices } from '../search/notices.ts';
import { searchIn } from '../search/run.ts';
import { searchTenders } from '../search/tenders.ts';
import { queryWords } from '../shared/inputs.ts';
import type { watchEstimate } from './shapes.ts';

/** The searches that can be saved, each with the inputs that a watch of it takes. */
const SEARCHES: Readonly<Record<WatchCollection, Operation>> = {
  notices: { ...searchNotices, input: z.strictObject({ query: query.optional(), ...noticeFilters }) },
  tenders: { ...searchTenders, input: z.strictObject({ query: query.optional(), ...tenderFilters }) },
  contracts: {
    ...searchContracts,
    input: z.strictObject({ query: query.optional(), ...contractFilters, ends_within: endsWithin.optional() }),
  },
};

/** Filters that exclude nothing. */
const NARROWS_NOTHING = new Set(['status']);

/** The requested properties of a watch. */
export interface WatchInput {
  name: string;
  on: WatchCollection;
  filters: Readonly<Record<string, unknown>>;
  deliver: { webhook?: string | undefined; email?: true | undefined };
  every: WatchSpec['every'];
  changes: readonly WatchChange[];
  credits_per_day_max?: number | null | undefined;
}

/** Checks a watch as far as possible without reading a database. @throws InvalidInput */
export function checkWatch(input: WatchInput, settings: Settings): void {
  const { webhook, email } = input.deliver;
  if ((webhook === undefined) === (email === undefined))
    throw new InvalidInput(fault(['deliver'], 'Send one of webhook and email'));
  if (webhook !== undefined && !isCallable(webhook, settings))
    throw new InvalidInput(
      fault(['deliver', 'webhook'], 'Should be an https address with a name on the public internet'),
    );
  if (email && input.every === 'run')
    throw new InvalidInput(fault(['every'], 'Mail is a digest: send day or week, or deliver to a webhook'));
  const search = SEARCHES[input.on];
  const parsed = search.input.safeParse(input.filters);
  if (!parsed.success) {
    const faults = toFaults(search, firstOfEach(parsed.error.issues), { ...input.filters });
    throw new InvalidInput(...faults.map((one) => ({ ...one, path: ['filters', ...one.path] })));
  }
  checkBounds(input.filters, ['filters']);
  const { ends_within: months, ends_from: from, ends_to: to } = input.filters;
  if (months !== undefined && (from !== undefined || to !== undefined))
    throw new InvalidInput(fault(['filters', 'ends_within'], 'Send months, or ends_from and ends_to'));
}

const fault = (path: string[], msg: string): InputFault => ({ path, msg, type: 'value_error' });

/** Whether an address may be on the public internet. The addresses of its name are checked at each delivery. */
function isCallable(address: string, { WATCH_ADDRESSES }: Settings): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  if (WATCH_ADDRESSES === 'any') return protocol === 'https:' || protocol === 'http:';
  return protocol === 'https:' && hostname.includes('.') && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
}

/** The filters of a checked watch as its search reads them. */
function readFilters({ on, filters }: Pick<WatchInput, 'on' | 'filters'>): GivenFilters & { query?: string } {
  return SEARCHES[on].input.parse(filters);
}

/**
 * A watch as it is stored: identifiers in its filters as ids, names and values sorted. @throws InvalidInput for mail where
 * nobody signed up for the account, and for filters that match everything without a daily limit
 */
export async function readSpec(services: Services, accountId: string, input: WatchInput): Promise<WatchSpec> {
  const { query: asked, ...given } = readFilters(input);
  const words = queryWords(asked);
  const effective = await effectiveFilters(services.catalogue, given);
  const inOrder = Object.entries({
    ...effective,
    ...(words === undefined ? {} : { query: words }),
  }).sort();
  const filters = Object.fromEntries(
    inOrder.map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
  );
  if (input.deliver.email) await assertMailed(services, accountId);
  const most = input.credits_per_day_max ?? null;
  if (most === null && Object.keys(filters).every((name) => NARROWS_NOTHING.has(name)))
    throw new InvalidInput(fault(['credits_per_day_max'], await sayAll(services, input)));
  return {
    name: input.name,
    collection: input.on,
    filters,
    // In its normal form, so that receivers on one host are recognised.
    webhook: input.deliver.webhook === undefined ? null : new URL(input.deliver.webhook).href,
    every: input.every,
    changes: WATCH_CHANGES.filter((change) => input.changes.includes(change)),
    credits_per_day_max: most,
  };
}

/**
 * Whether a watch looks for the same things and delivers them in the same way; its name does not matter. What it looks for may
 * have another id since it was stored.
 */
export async function isSame(
  { catalogue }: Pick<Services, 'catalogue'>,
  spec: WatchSpec,
  { collection, filters, webhook, every, changes }: WatchRow,
): Promise<boolean> {
  const as = (value: unknown) => JSON.stringify(value);
  const moved = await readMovedFilters(catalogue, [filters]);
  return (
    spec.collection === collection &&
    as(spec.filters) === (moved.get(filters) ?? filters) &&
    spec.webhook === webhook &&
    spec.every === every &&
    as(spec.changes) === changes
  );
}

async function assertMailed({ accounts, settings }: Services, accountId: string): Promise<void> {
  // Otherwise its deliveries would be charged but never sent.
  if (!settings.SMTP_URL)
    throw new InvalidInput(fault(['deliver', 'email'], 'This service sends no mail; deliver to a webhook'));
  const account = await readAccount(accounts, accountId);
  if (account && (await readUser(accounts, account))) return;
  throw new InvalidInput(fault(['deliver', 'email'], 'This account has no e-mail address; deliver to a webhook'));
}

async function sayAll(services: Services, input: WatchInput): Promise<string> {
  const { item_count: items, credits } = await estimateWatch(services, input);
  return `These filters match everything: in the last seven days ${items} items, for at least ${credits} credits. Narrow them, or send the most that it may spend in a day`;
}

const WEEK_MS = 7 * DAY_MS;

/** The search of a watch, limited to what was published or awarded in the last seven days. */
export function lastSevenDays(
  { clocks }: Pick<Services, 'clocks'>,
  { on, filters }: Pick<WatchInput, 'on' | 'filters'>,
): Record<string, unknown> {
  const since = londonDate(new Date(clocks.catalogueNow().getTime() - WEEK_MS));
  const name = on === 'contracts' ? 'awarded_from' : 'published_from';
  const from = String(filters[name] ?? '');
  // The full stop ends the last word, which a search would complete and a watch does not. After it, `NOT` would be a word.
  const query = String(filters.query ?? '').replace(/(?<=[\p{L}\p{M}\p{N}])(?<!(?:^|\s)(?:AND|OR|NOT))$/u, '.');
  const day = onDay(filters, clocks.catalogueNow());
  return { ...day, ...(query && { query }), [name]: from > since ? from : since };
}

/**
 * What a watch would have delivered in the last seven days, and its credits, if it had delivered as seldom as possible. The
 * search corrects words, and a watch does not: then they are named.
 */
export async function estimateWatch(
  services: Services,
  input: Pick<WatchInput, 'on' | 'filters'>,
): Promise<z.input<typeof watchEstimate>> {
  const searched = lastSevenDays(services, { on: input.on, filters: readFilters(input) });
  const asked = { ...searched, match: 'all', limit: 1, highlight: false } as const;
  const { answer } =
    input.on === 'contracts'
      ? await searchIn(services.search.contracts, services, input.on, asked)
      : await searchIn(services.search, services, input.on, asked);
  const { corrections } = answer.meta;
  const estimate = { item_count: answer.total, credits: deliveryCredits(answer.total) };
  return { ...estimate, ...(corrections.length > 0 && { corrections }) };
}
