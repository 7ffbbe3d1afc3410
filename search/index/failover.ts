import {
  type AnyHit,
  BadCursor,
  type FailoverReason,
  type SearchAnswer,
  type SearchEngine,
  type SearchQuery,
  SearchUnavailable,
} from '../engine.ts';
import { asksForWords, parseQuery } from '../query/parse.ts';
import { peekCursor } from '../results/cursor.ts';
import { SERVED_MAX } from '../results/served-hits.ts';
import type { AnyEngine } from './health.ts';

/** How long the first engine is left alone after a failure; doubled after each further one, up to the maximum. */
const PAUSE_MS = { least: 5_000, most: 60_000 };
/** The same where no other engine can answer: a query that comes then waits for the attempt. */
const PAUSE_ALONE_MS = 1_000;
/** With fewer documents than this, the other engine is also asked, as it finds word stems, phrases across a comma and beginnings of codes. */
const TOO_FEW = 10;
/** How often the lag of the first engine's index is checked. */
const LOOK_EVERY_MS = 5_000;

/** Reasons to ask the second for which the first could also answer, if less well. */
const ALSO_ALONE: ReadonlySet<FailoverReason> = new Set(['long', 'any', 'continued', 'behind', 'many']);

/** What either engine can be asked for a query. */
type Answer = Pick<SearchAnswer, 'total' | 'meta'>;
type Ask<Hit extends AnyHit, A extends Answer> = (engine: SearchEngine<Hit>, isAlone?: boolean) => Promise<A>;

interface FailoverOptions {
  /** Changed rows that an engine's index has not received, counted up to one more than `lagRowsMax`. */
  readLag?: (engine: AnyEngine) => Promise<number>;
  /** With a larger lag the second engine answers, if its own is smaller. */
  lagRowsMax?: number;
  /** A clock in milliseconds that is never set back: the first engine would be left alone until it has caught up. */
  readMs?: () => number;
}

/**
 * An engine with a fallback. While the first is down, slow, failing or behind, the second answers the same query, and
 * `meta.failover` says why. The first is then tried in the background rather than by queries, so that only the queries in
 * progress when it failed wait for its deadline. If the second has no index on this machine, the first answers as well as it
 * can, says which words it left out, and continues its pages. Only the first is stored to here; sync keeps the second by its own
 * cursor.
 */
export function withFallback<Hit extends AnyHit>(
  first: SearchEngine<Hit>,
  second: SearchEngine<Hit>,
  options: FailoverOptions = {},
): SearchEngine<Hit> {
  const breaker = makeBreaker(first, second, options);
  const answerFromSecond = async <A extends Answer>(ask: Ask<Hit, A>, reason: FailoverReason): Promise<A> => {
    const answer = await ask(second).catch((error: unknown) => {
      if (error instanceof SearchUnavailable) breaker.secondAnswers(false);
      throw error;
    });
    breaker.secondAnswers(true);
    return { ...answer, meta: { ...answer.meta, failover: { engine: first.name, reason } } };
  };
  /** The second engine's answer, or what the first can say if there is no other. */
  const answerBetter = async <A extends Answer>(ask: Ask<Hit, A>, reason: FailoverReason): Promise<A> => {
    try {
      return await answerFromSecond(ask, reason);
    } catch (error) {
      if (!(error instanceof SearchUnavailable) || !ALSO_ALONE.has(reason)) throw error;
      return await orUnavailable(ask(first, true));
    }
  };
  /** The second engine's answer where the first finds few and the second more. */
  const orMore = async <A extends Answer>(query: SearchQuery, ask: Ask<Hit, A>, answer: A): Promise<A> => {
    if (answer.total >= TOO_FEW || query.cursor !== undefined || !asksForWords(parseQuery(query.text))) return answer;
    // The first engine's result stays if the second cannot be asked.
    const [more] = await Promise.allSettled([answerFromSecond(ask, 'few')]);
    return more.status === 'fulfilled' && more.value.total > answer.total ? more.value : answer;
  };
  /** The answer of the engine that is to answer a query from its first page. */
  const answerFirst = async <A extends Answer>(query: SearchQuery, ask: Ask<Hit, A>): Promise<A> => {
    const declined = first.declines?.(query);
    if (declined) return answerBetter(ask, declined);
    const trouble = await breaker.trouble();
    if (trouble) return answerBetter(ask, trouble);
    try {
      const answer = await ask(first);
      breaker.worked();
      return await orMore(query, ask, answer);
    } catch (error) {
      if (error instanceof BadCursor) throw error;
      const limit = limitOf(error);
      if (limit) return answerBetter(ask, limit);
      return answerFromSecond(ask, breaker.failed(error, query));
    }
  };
  return {
    ...first,
    fallback: second,
    async find(query) {
      const ask: Ask<Hit, SearchAnswer<Hit>> = (engine) => engine.find(query);
      const position = query.cursor === undefined ? null : peekCursor(query.cursor);
      // Pages continue in their original order, as long as a cursor can record what they contained.
      if (position?.engine === second.name) return answerFromSecond(ask, 'continued');
      // The second engine cannot continue: the cursor no longer records what was served before.
      if (position && position.served > SERVED_MAX) return orUnavailable(first.find(query));
      if (position && position.served + query.limit > SERVED_MAX) return answerBetter(ask, 'continued');
      return answerFirst(query, ask);
    },
    matchAll: (query) => answerFirst(query, (engine, isAlone) => engine.matchAll(query, isAlone)),
    // The engine that matched them also lists them, as the other might match different ones.
    listMatches: (query, from, most) =>
      orUnavailable((from.engine === second.name ? second : first).listMatches(query, from, most)),
    close: () => closeBoth(first, second),
  };
}

/** Why an engine that works cannot answer: it takes many requests to list so many, or its index is of an older version. */
function limitOf(error: unknown): FailoverReason | null {
  return error instanceof SearchUnavailable && ['many', 'behind'].includes(error.reason) ? error.reason : null;
}

async function closeBoth(first: AnyEngine, second: AnyEngine): Promise<void> {
  await Promise.all([first.close(), second.close()]);
}

/** The answer of an engine that no other can replace: whatever keeps it from answering, search is unavailable. */
function orUnavailable<A>(answer: Promise<A>): Promise<A> {
  return answer.catch((error: unknown) => {
    if (error instanceof BadCursor || error instanceof SearchUnavailable) throw error;
    throw new SearchUnavailable((error as Error).message, { cause: error, reason: 'failing' });
  });
}

/** Whether the first engine's index lacks too much, and the second's less. A missing index lacks the most. */
async function lagsTooMuch(
  first: AnyEngine,
  second: AnyEngine,
  { readLag = async () => 0, lagRowsMax = 0 }: FailoverOptions,
): Promise<boolean> {
  const lag = await readLag(first);
  if (lag <= lagRowsMax) return false;
  const other = await readLag(second).catch((error: unknown) => {
    if (error instanceof SearchUnavailable) return Number.POSITIVE_INFINITY;
    throw error;
  });
  return other < lag;
}

/** Runs the work once at a time: a second call waits for the first. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** What keeps the first engine from being asked, checked from time to time while queries come. */
function makeBreaker(first: AnyEngine, second: AnyEngine, options: FailoverOptions) {
  const { readMs = () => performance.now() } = options;
  let reason: FailoverReason | null = null;
  let failures = 0;
  let probe: SearchQuery | null = null;
  let lookAt = 0;
  let firstLook: Promise<void> | undefined;
  let alone = false;

  const open = (error: SearchUnavailable) => {
    reason = error.reason;
    lookAt = readMs() + Math.min(PAUSE_MS.most, PAUSE_MS.least * 2 ** failures++);
  };
  const look = async () => {
    lookAt = readMs() + LOOK_EVERY_MS;
    try {
      const isLagging = await lagsTooMuch(first, second, options);
      // A server may report its state and still not answer queries: it is asked the failed query once more.
      const failedAt = probe;
      probe = null;
      if (!isLagging && failedAt) await first.find(failedAt);
      reason = isLagging ? 'behind' : null;
    } catch (error) {
      // Where the catalogue does not answer, nothing new is known of the first engine.
      if (error instanceof SearchUnavailable) open(error);
    }
  };
  const lookOnce = oneAtATime(look);

  return {
    /**
     * Why the first engine is not to be asked now, or null. Only the very first query waits for a check; where no other engine
     * can answer, so does each query that finds the first in trouble.
     */
    async trouble(): Promise<FailoverReason | null> {
      firstLook ??= lookOnce();
      await firstLook;
      if (readMs() >= lookAt) {
        const looked = lookOnce();
        if (alone && reason !== null) await looked;
      }
      return reason;
    },
    /** Reports whether the second engine could answer. If not, the first is tried again sooner. */
    secondAnswers(does: boolean) {
      alone = !does;
      if (alone && reason !== null) lookAt = Math.min(lookAt, readMs() + PAUSE_ALONE_MS);
    },
    worked() {
      failures = 0;
    },
    /** Records a failed query; returns the reason in one word. */
    failed(error: unknown, query: SearchQuery): FailoverReason {
      // An error in one query, according to the server, says nothing about the others.
      if (!(error instanceof SearchUnavailable)) return 'failing';
      if (reason === null) {
        const { cursor: _cursor, ...again } = query;
        probe = again;
        open(error);
      }
      return error.reason;
    },
  };
}
