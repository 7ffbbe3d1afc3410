import { createHash } from 'node:crypto';
import { BadCursor, type MatchLevel, type SearchQuery } from './engine.ts';
import { parseSeen, type Seen } from './seen.ts';

/** How many results of one query can be paged through. Published as a limit. */
export const DEPTH_MAX = 5_000;

const VERSION = 3;

/** Where the next page starts: after a document, not at a number of rows, so that arrivals do not shift it. */
export interface Position {
  engine: 'embedded' | 'meilisearch';
  /** Results already served before the next page. */
  served: number;
  level: MatchLevel;
  /** The last document served: the engine's key for it, and what it was ordered by. */
  key: number | string;
  value: number | null;
  /** From which key on the embedded engine ranks by place; absent where it does not. */
  bound?: number | undefined;
  /** Documents served after that one, where the order may shift a little as others arrive: the next page leaves them out. */
  passed?: number[];
  /** What Meilisearch served, so that the other engine, whose order is its own, can go on without it. */
  seen?: Seen;
}

/** An opaque cursor, or null where the depth limit is reached. */
export function makeCursor(position: Position, query: SearchQuery): string | null {
  if (position.served >= DEPTH_MAX) return null;
  const { engine, served, level, key, value, bound = null, passed = [], seen } = position;
  const fields = [VERSION, fingerprint(query), engine, served, level, key, value, bound, ...passed];
  const place = encode(JSON.stringify(fields));
  return seen && seen.size > 0 ? `${place}.${seen.text()}` : place;
}

/** @throws BadCursor where the text is no cursor, or one of another query, other filters or another sort. */
export function parseCursor(text: string, query: SearchQuery): Position {
  const [place = '', seen, ...rest] = text.split('.');
  const fields = decode(place);
  if (!Array.isArray(fields) || fields.length < 8 || fields[0] !== VERSION || rest.length > 0) throw notOne();
  const [, print, engine, served, level, key, value, bound, ...passed] = fields as unknown[];
  if (print !== fingerprint(query)) {
    throw new BadCursor('this cursor belongs to another query: repeat the same query, filters and sort');
  }
  const sound =
    (engine === 'embedded' || engine === 'meilisearch') &&
    Number.isInteger(served) &&
    Number(served) > 0 &&
    Number(served) < DEPTH_MAX &&
    ['all', 'prefix', 'most', 'any'].includes(level as string) &&
    (typeof key === 'string' || Number.isSafeInteger(key)) &&
    (value === null || typeof value === 'number') &&
    (bound === null || Number.isSafeInteger(bound)) &&
    passed.every(Number.isSafeInteger);
  if (!sound) throw notOne();
  const parsed = seen === undefined ? undefined : parseSeen(seen);
  if (parsed === null) throw notOne();
  return {
    engine,
    served: Number(served),
    level: level as MatchLevel,
    key: key as number | string,
    value: value as number | null,
    ...(bound === null ? {} : { bound: bound as number }),
    ...(passed.length > 0 ? { passed: passed as number[] } : {}),
    ...(parsed ? { seen: parsed } : {}),
  };
}

/** Who served the page before and how many so far; null for what is no cursor. Whether it fits its query is not looked at. */
export function peekCursor(text: string): Pick<Position, 'engine' | 'served'> | null {
  try {
    const fields = decode(text.split('.')[0] ?? '');
    return Array.isArray(fields) ? { engine: fields[2], served: Number(fields[3]) } : null;
  } catch (error) {
    if (error instanceof BadCursor) return null;
    throw error;
  }
}

function notOne(): BadCursor {
  return new BadCursor('not a cursor');
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw notOne();
  }
}

/** What a cursor is bound to. Limit, facets and highlighting may change between pages. */
function fingerprint({ scope, text, filters, sort }: SearchQuery): string {
  const bound = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const whole = JSON.stringify([scope, text?.trim() ?? '', bound, sort ?? '']);
  return createHash('sha256').update(whole).digest('base64url').slice(0, 16);
}
