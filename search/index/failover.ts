import {
  BadCursor,
  type FailoverReason,
  type SearchAnswer,
  type SearchEngine,
  type SearchQuery,
  SearchUnavailable,
} from '../engine.ts';
import { parseQuery } from '../query/parse.ts';
import { peekCursor } from '../results/cursor.ts';
import { SEEN_MAX } from '../results/served-hits.ts';

/** How long the first engine is left alone after a failure; twice as long after every further one, up to the most. */
const PAUSE_MS = { least: 5_000, most: 60_000 };
/** With fewer documents than this the other engine is asked too: it knows word stems, and phrases across a comma. */
const TOO_FEW = 10;
/** How often it is looked how far the first engine's index is behind. */
const LOOK_EVERY_MS = 5_000;

export interface FailoverOptions {
  /** Changed rows that an engine's index has not received, counted no further than one more than `lagRowsMax`. */
  readLag?: (engine: SearchEngine) => Promise<number>;
  /** With more of them than this the second engine answers, where it is nearer. */
  lagRowsMax?: number;
  wallNow?: () => number;
}

/**
 * An engine with another behind it: while the first is down, slow, failing or behind, the second answers the same query,
 * and `meta.failover` says why. The first is then tried next to the queries, not by them, so that its deadline is paid by
 * those few that were under way when it failed. Only the first is stored to here; sync keeps the second by its own cursor.
 */
export function withFallback(first: SearchEngine, second: SearchEngine, options: FailoverOptions = {}): SearchEngine {
  const breaker = makeBreaker(first, second, options);
  const answerBehind = async (query: SearchQuery, reason: FailoverReason): Promise<SearchAnswer> => {
    const answer = await second.find(query);
    return { ...answer, meta: { ...answer.meta, failover: { engine: first.name, reason } } };
  };
  /** The second engine's answer where the first finds few and the second more. */
  const orMore = async (query: SearchQuery, answer: SearchAnswer): Promise<SearchAnswer> => {
    if (answer.total >= TOO_FEW || query.cursor !== undefined || countWords(query) < 2) return answer;
    // What the first found stands where the second cannot be asked.
    const [more] = await Promise.allSettled([answerBehind(query, 'few')]);
    return more.status === 'fulfilled' && more.value.total > answer.total ? more.value : answer;
  };
  return {
    ...first,
    fallback: second,
    async find(query) {
      const position = query.cursor === undefined ? null : peekCursor(query.cursor);
      // Pages go on in the order in which they began, as long as a cursor can tell what they held.
      const goesOn = position && (position.engine === second.name || position.served + query.limit > SEEN_MAX);
      if (goesOn) return answerBehind(query, 'continued');
      const declined = first.declines?.(query);
      if (declined) return answerBehind(query, declined);
      const trouble = await breaker.trouble();
      if (trouble) return answerBehind(query, trouble);
      try {
        const answer = await first.find(query);
        breaker.worked();
        return await orMore(query, answer);
      } catch (error) {
        if (error instanceof BadCursor) throw error;
        return answerBehind(query, breaker.failed(error, query));
      }
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}

/** A phrase is as many words as it holds: across a comma the first engine may not see it. */
function countWords({ text }: SearchQuery): number {
  const { words, phrases } = parseQuery(text);
  return words.length + phrases.flat().length;
}

/** What keeps the first engine from being asked, looked at from time to time while queries come. */
function makeBreaker(first: SearchEngine, second: SearchEngine, options: FailoverOptions) {
  const { readLag = async () => 0, lagRowsMax = 0, wallNow = Date.now } = options;
  let reason: FailoverReason | null = null;
  let failures = 0;
  let probe: SearchQuery | null = null;
  let lookAt = 0;
  let looking: Promise<void> | undefined;
  let firstLook: Promise<void> | undefined;

  const open = (error: unknown): FailoverReason => {
    reason = error instanceof SearchUnavailable ? error.reason : 'failing';
    lookAt = wallNow() + Math.min(PAUSE_MS.most, PAUSE_MS.least * 2 ** failures++);
    return reason;
  };
  const look = async () => {
    lookAt = wallNow() + LOOK_EVERY_MS;
    try {
      const lag = await readLag(first);
      const isBehind = lag > lagRowsMax && (await readLag(second)) < lag;
      // A server may tell where it stands and still not answer: it is asked once more what it failed at.
      const failedAt = probe;
      probe = null;
      if (!isBehind && failedAt) await first.find(failedAt);
      reason = isBehind ? 'behind' : null;
    } catch (error) {
      open(error);
    }
  };
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    /** Why the first engine is not to be asked now, or null. Only the very first question waits for a look. */
    async trouble(): Promise<FailoverReason | null> {
      firstLook ??= lookOnce();
      await firstLook;
      if (wallNow() >= lookAt) void lookOnce();
      return reason;
    },
    worked() {
      failures = 0;
    },
    /** Hears of a query that failed; answers in a word why. */
    failed(error: unknown, query: SearchQuery): FailoverReason {
      // What the server calls wrong in one query says nothing of the others.
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
