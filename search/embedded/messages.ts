import type { IndexCursor, SearchAnswer, SearchQuery } from '../engine.ts';

/** A query as it crosses to the reader process: the instant as text. */
export type SentQuery = Omit<SearchQuery, 'now'> & { now: string };

export type Ask = { kind: 'find'; query: SentQuery } | { kind: 'cursor' };
export type Question = Ask & { id: number };

export type Answer = { id: number } & (
  | { kind: 'ready' }
  | { kind: 'found'; answer: SearchAnswer }
  | { kind: 'cursor'; cursor: IndexCursor | null }
  | { kind: 'bad-cursor' | 'unavailable' | 'fault'; message: string }
);
