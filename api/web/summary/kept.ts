import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Summaries } from '../../../search/summary/open.ts';
import { shareWork } from '../../concurrency/share-work.ts';
import { toRefusal } from '../../contract/errors.ts';
import { summariseContracts } from '../../operations/contracts/summarise.ts';
import type { contractSummary } from '../../operations/contracts/sums.ts';
import { readTakedownState } from '../../reads/sources.ts';
import type { Web } from '../context.ts';
import { runForPage } from '../queries/run-operation.ts';

/** A summary of contracts, as the API answers it. */
export type Summary = z.input<typeof contractSummary>;
export type SummaryGroup = Summary['groups'][number];

/** What is added up, by the names of the API. One group each: a page shows lists. */
export interface SummaryAsk {
  group_by: string;
  limit?: number;
  cpv_level?: number;
  buyer_id?: string;
  company_number?: string;
  cpv?: string;
  region?: string;
}

/** Pages are free, so what was added up stays for ten minutes. */
const KEPT_MS = 600_000;
/** A summary of twenty groups takes about 10 kB. */
const KEPT_MAX = 500;

type Kept = LRUCache<string, Promise<Summary>>;

const kept = new WeakMap<Summaries, { summaries: Kept; takedowns: string }>();

/** What was added up since the last takedown: groups have names of suppliers, who may be people. */
async function keptOf({ services: { catalogue, summaries } }: Web): Promise<Kept> {
  const takedowns = await readTakedownState(catalogue);
  const known = kept.get(summaries);
  if (known?.takedowns === takedowns) return known.summaries;
  const fresh: Kept = new LRUCache({ max: KEPT_MAX, ttl: KEPT_MS });
  kept.set(summaries, { summaries: fresh, takedowns });
  return fresh;
}

/**
 * Adds up contracts with the API's operation, or returns what was added up within the last ten minutes. All visitors of a
 * machine share one line, so that pages never take more than one summary's processor time at once.
 * @throws Refusal where too many wait, or it takes too long
 */
function addUp({ services }: Web, summaries: Kept, asked: SummaryAsk): Promise<Summary> {
  const name = JSON.stringify(asked);
  return shareWork(summaries, name, async () => {
    const found = await runForPage(summariseContracts, { ...asked }, services);
    if (found.kind === 'answer') return found.body;
    throw new Error(`a page asked for a summary that is refused: ${name}`);
  });
}

/** Several summaries of a page, one after another. Null if they cannot be calculated now: the page says so and shows the rest. */
export async function addUpAll<Name extends string>(
  web: Web,
  asked: Readonly<Record<Name, SummaryAsk>>,
): Promise<Record<Name, Summary> | null> {
  const found: Partial<Record<Name, Summary>> = {};
  try {
    const summaries = await keptOf(web);
    for (const [name, one] of Object.entries(asked) as [Name, SummaryAsk][])
      found[name] = await addUp(web, summaries, one);
    return found as Record<Name, Summary>;
  } catch (error) {
    // Too many who wait for sums are no fault: the next visitor may get them.
    if (toRefusal(error).status >= 500) web.log.error({ err: error }, 'a page does without its sums');
    return null;
  }
}
