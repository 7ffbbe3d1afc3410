import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Database, type ReaderFault, toReaderFault } from '../../schema/db/interface.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { makeSequence, serveParent } from '../../schema/process/serve.ts';
import {
  BadCursor,
  type IndexCursor,
  type Matches,
  type MatchList,
  type MatchPlace,
  type SearchQuery,
  SearchUnavailable,
} from '../engine.ts';
import { type Found, findEmbedded, listMatchesEmbedded, matchAllEmbedded } from './find.ts';
import { CREATE_SCRATCH, type MarkedText, markTexts } from './highlights.ts';
import { warmUpCounting } from './layout/facet-codes.ts';
import { quote } from './match/expression.ts';
import { countMatches, readFrequent, refreshQueryCache } from './match/query-cache.ts';
import { notingDamage } from './store/damage.ts';
import { readLiveMark, readLiveUrl } from './store/files.ts';
import { readIndexCursor } from './store/statements.ts';

/** A query as it is sent to the reader process, with the instant as text. */
type SentQuery = Omit<SearchQuery, 'now'> & { now: string };

/** `url`: the address of the collection's index. */
export type Ask = { url: string } & (
  | { kind: 'find' | 'match'; query: SentQuery }
  | { kind: 'list'; query: SentQuery; from: MatchPlace; most: number }
  | { kind: 'mark'; texts: MarkedText[]; expression: string }
  | { kind: 'cursor' }
);
type Question = Ask & { id: number };

type Answered =
  | { kind: 'found'; found: Found }
  | { kind: 'marked'; highlights: (string | null)[] }
  | { kind: 'matched'; matches: Matches }
  | { kind: 'listed'; list: MatchList }
  | { kind: 'cursor'; cursor: IndexCursor | null }
  | { kind: 'bad-cursor' | 'unavailable'; message: string }
  | ReaderFault;
export type Answer = { id: number } & Answered;

/**
 * The index file is mapped into memory. Over a million notices a query then takes 6.9 ms instead of 8.5 (mean of 300).
 * Mapped pages count as memory of this process, although the system takes them back when it needs room. The cache of its
 * own has 16 MB.
 */
const TUNING = ['PRAGMA mmap_size=2147483648', 'PRAGMA cache_size=-16384'];

/** Serves questions in the reader process, one at a time. Opens the live index of each collection when it is first needed. */
function serve(urls: readonly string[]): void {
  const followed = new Map<string, WithLive<OpenedIndex>>();
  const follow = (url: string) => {
    const withLive = followed.get(url) ?? followLive(url, openIndex);
    followed.set(url, withLive);
    return withLive;
  };
  let lastAskedMs = 0;
  serveParent<Question>((question) => {
    lastAskedMs = performance.now();
    return answerQuestion(follow(question.url), question);
  });
  // Opens the indexes and warms the caches, so that no question waits for that. It also closes an index that was replaced,
  // because its file takes up space until then.
  for (const url of urls) {
    void workWhenIdle(
      () => follow(url)(async ({ warming }) => !(await warming.next()).done),
      () => lastAskedMs,
    );
  }
}

async function answerQuestion(withLive: WithLive<OpenedIndex>, question: Question): Promise<Answered> {
  try {
    return await notingDamage(question.url, () => answerLive(withLive, question));
  } catch (error) {
    if (error instanceof BadCursor) return { kind: 'bad-cursor', message: error.message };
    if (error instanceof SearchUnavailable) return { kind: 'unavailable', message: error.message };
    return toReaderFault(error);
  }
}

function answerLive(withLive: WithLive<OpenedIndex>, question: Question): Promise<Answered> {
  return withLive(async ({ index, scratch }): Promise<Answered> => {
    if (question.kind === 'cursor') return { kind: 'cursor', cursor: await readIndexCursor(index) };
    if (question.kind === 'mark') {
      return { kind: 'marked', highlights: await markTexts(scratch, question.texts, question.expression) };
    }
    const query = { ...question.query, now: new Date(question.query.now) };
    if (question.kind === 'match') return { kind: 'matched', matches: await matchAllEmbedded(index, query) };
    if (question.kind === 'list') {
      const { from, most } = question;
      return { kind: 'listed', list: await listMatchesEmbedded(index, query, from, most) };
    }
    return { kind: 'found', found: await findEmbedded(index, query) };
  });
}

interface OpenedIndex {
  index: Database;
  scratch: Database;
  /** Warms the caches, step by step. */
  warming: AsyncGenerator<void>;
  close(): Promise<void>;
}

async function openIndex(url: string): Promise<OpenedIndex> {
  const index = await openDatabase({ url, durability: 'normal', readOnly: true }).catch((error: Error) => {
    throw new SearchUnavailable('the search index is not there yet', { cause: error });
  });
  if (!(await isFilled(index))) {
    await index.close();
    throw new SearchUnavailable('the search index is not there yet');
  }
  for (const sql of TUNING) await index.read({ sql });
  const scratch = await openDatabase({ url: 'file::memory:', durability: 'normal' });
  await scratch.write([{ sql: CREATE_SCRATCH }]);
  return {
    index,
    scratch,
    warming: warm(index),
    async close() {
      await index.close();
      await scratch.close();
    },
  };
}

async function isFilled(index: Database): Promise<boolean> {
  const rows = await index.read({ sql: "SELECT 1 FROM sqlite_master WHERE name = 'word'" });
  return rows.length > 0;
}

/** Runs work on the live index, one piece after another. */
type WithLive<T> = <R>(work: (opened: T) => Promise<R>) => Promise<R>;

/** Keeps the live index open. It is opened for the first work, and again once another index has replaced it. */
function followLive<T extends { close(): Promise<void> }>(
  url: string,
  open: (liveUrl: string) => Promise<T>,
): WithLive<T> {
  let live: { mark: string; opened: T } | undefined;
  const runNext = makeSequence();
  const closeReplaced = async () => {
    if (!live || live.mark === readLiveMark(url)) return;
    const { opened } = live;
    live = undefined;
    await opened.close();
  };
  return (work) =>
    runNext(async () => {
      await closeReplaced();
      live ??= await openLive(url, open);
      return work(live.opened);
    });
}

/** Opens the live index. Tries again if it was replaced and its file removed before it was open. */
async function openLive<T>(url: string, open: (liveUrl: string) => Promise<T>): Promise<{ mark: string; opened: T }> {
  for (;;) {
    const mark = readLiveMark(url);
    try {
      return { mark, opened: await open(await readLiveUrl(url)) };
    } catch (error) {
      if (!(error instanceof SearchUnavailable) || mark === readLiveMark(url)) throw error;
    }
  }
}

/** The most frequent words, which most queries contain, are counted in advance. */
const COUNTED_WORDS = 1_000;
/** A reader that was used within this time is not idle. */
const IDLE_MS = 20;
/** How often an idle reader checks whether another index has replaced the open one. */
const CHECK_AGAIN_MS = 5_000;

/** Caches what most queries need, in steps of a millisecond or two. */
async function* warm(index: Database): AsyncGenerator<void> {
  await refreshQueryCache(index);
  yield;
  for (const word of yield* readFrequent(index, COUNTED_WORDS)) {
    yield;
    await countMatches(index, quote([word]));
  }
  yield* warmUpCounting(index);
}

/**
 * Runs for ever. While the reader is idle, it does one piece of work after another until there is none, and checks again
 * later.
 * @param work does one piece, and returns whether there is more. If it fails, it is tried again later
 */
async function workWhenIdle(work: () => Promise<boolean>, readLastAskedMs: () => number): Promise<never> {
  for (;;) {
    const waitMs = readLastAskedMs() + IDLE_MS - performance.now();
    if (waitMs > 0) {
      await pause(waitMs);
      continue;
    }
    const [done] = await Promise.allSettled([work()]);
    const isMore = done.status === 'fulfilled' && done.value;
    await (isMore ? yieldToEventLoop() : pause(CHECK_AGAIN_MS));
  }
}

const [, , ...urls] = process.argv;
if (urls.length > 0 && process.connected) serve(urls);
