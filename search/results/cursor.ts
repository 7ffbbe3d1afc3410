import { hash } from 'node:crypto';
import { compareText } from '../../schema/text/ids.ts';
import { BadCursor, type MatchLevel, type SearchQuery } from '../engine.ts';
import { parseServedHits, type ServedHits } from './served-hits.ts';

/** How many results of one query can be paged through. Published as a limit. */
export const DEPTH_MAX = 5_000;
/** Nothing is counted beyond this, so `total` is exact up to here. */
export const COUNT_MAX = 10_000;

const VERSION = 5;
const ENGINES = ['embedded', 'meilisearch'] as const;
const LEVELS: readonly MatchLevel[] = ['all', 'prefix', 'any'];
/** Values that fit in two bits. */
const LEVELS_ROOM = 4;
/** Version, what the rest holds, fingerprint, served, and how many were passed. */
const HEAD_BYTES = 14;
const FINGERPRINT_BYTES = 9;
const NUMBER_BYTES = 8;
/** An id as `printOf` shortens it. */
const PRINT_BYTES = 12;
const PASSED_BYTES = 5;
/** Next to what Meilisearch served there is room for fewer: a signed cursor has at most 800 characters. */
const PASSED_MAX = { alone: 40, withServed: 28 };

/** Bits of the byte that describes a cursor's contents; the lowest is its engine, the next two are its level. */
const HAS = { print: 8, value: 16, bound: 32 };

/** Where the next page starts: after a document rather than a number of rows, so that new documents do not shift it. */
export interface Position {
  engine: (typeof ENGINES)[number];
  /** Results already served before the next page. */
  served: number;
  level: MatchLevel;
  /** The last document served: the engine's key for it, or the print of its id, and the value it was ordered by. */
  key: number | string;
  value: number | null;
  /** The key from which the embedded engine ranks by position; absent where it does not. */
  bound?: number | undefined;
  /** Documents already served after that one, as the order may shift a little when others arrive: the next page leaves them out. */
  passed?: number[];
  /** What Meilisearch served, so that the other engine, with its own order, can continue without it. */
  seen?: ServedHits;
}

/** An opaque cursor of at most 777 characters, or null where the depth limit is reached. */
export function makeCursor(position: Position, query: SearchQuery): string | null {
  if (position.served >= DEPTH_MAX) return null;
  const { engine, served, level, key, value, bound, seen } = position;
  const isPrint = typeof key === 'string';
  const passed = (position.passed ?? []).slice(-(seen ? PASSED_MAX.withServed : PASSED_MAX.alone));
  const holds =
    ENGINES.indexOf(engine) +
    2 * LEVELS.indexOf(level) +
    (isPrint ? HAS.print : 0) +
    (value === null ? 0 : HAS.value) +
    (bound === undefined ? 0 : HAS.bound);
  const bytes = Buffer.concat([
    Buffer.from([VERSION, holds]),
    fingerprint(query),
    wholeNumber(served, 2),
    Buffer.from([passed.length]),
    isPrint ? Buffer.from(key, 'base64') : double(key),
    ...(value === null ? [] : [double(value)]),
    ...(bound === undefined ? [] : [double(bound)]),
    ...passed.map((one) => wholeNumber(one, PASSED_BYTES)),
    ...(seen ? [seen.bytes()] : []),
  ]);
  return bytes.toString('base64url');
}

/** @throws BadCursor where the text is not a cursor, or belongs to another query, other filters or another sort. */
export function parseCursor(text: string, query: SearchQuery): Position {
  const bytes = decode(text);
  if (!bytes) throw notOne();
  if (!bytes.subarray(2, 2 + FINGERPRINT_BYTES).equals(fingerprint(query))) {
    throw new BadCursor('this cursor belongs to another query: repeat the same query, filters and sort');
  }
  const { holds, engine, served, passedCount } = readHead(bytes);
  const isPrint = (holds & HAS.print) > 0;
  let at = HEAD_BYTES;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw notOne();
    at += length;
    return bytes.subarray(at - length, at);
  };
  const key = isPrint ? take(PRINT_BYTES).toString('base64') : take(NUMBER_BYTES).readDoubleBE();
  const value = holds & HAS.value ? take(NUMBER_BYTES).readDoubleBE() : null;
  const bound = holds & HAS.bound ? take(NUMBER_BYTES).readDoubleBE() : undefined;
  const passed = Array.from({ length: passedCount }, () => take(PASSED_BYTES).readUIntBE(0, PASSED_BYTES));
  const seen = at < bytes.length ? parseServedHits(bytes.subarray(at)) : undefined;
  const isKeyOfEngine = !isPrint || engine === 'meilisearch';
  const areNumbers = [isPrint ? 0 : key, bound ?? 0].every(Number.isSafeInteger) && !Number.isNaN(value);
  if (seen === null || !isKeyOfEngine || !areNumbers || served === 0 || served >= DEPTH_MAX) throw notOne();
  return {
    engine,
    served,
    level: LEVELS[(holds >> 1) % LEVELS_ROOM] ?? 'all',
    key,
    value,
    ...(bound === undefined ? {} : { bound }),
    ...(passed.length > 0 ? { passed } : {}),
    ...(seen ? { seen } : {}),
  };
}

/** Makes a cursor of a former query one of this query, which asks for the same thing under its present id. Any other text is returned as it is. */
export function carryCursor(text: string, former: SearchQuery, query: SearchQuery): string {
  try {
    return makeCursor(parseCursor(text, former), query) ?? text;
  } catch (error) {
    if (error instanceof BadCursor) return text;
    throw error;
  }
}

/** The engine that served the previous page and how many results so far; null where the text is not a cursor. Does not check that it fits its query. */
export function peekCursor(text: string): Pick<Position, 'engine' | 'served'> | null {
  const bytes = decode(text);
  if (!bytes) return null;
  const { engine, served } = readHead(bytes);
  return { engine, served };
}

function readHead(bytes: Buffer) {
  const holds = bytes[1] ?? 0;
  return {
    holds,
    engine: ENGINES[holds % 2] ?? 'embedded',
    served: bytes.readUInt16BE(2 + FINGERPRINT_BYTES),
    passedCount: bytes[HEAD_BYTES - 1] ?? 0,
  };
}

/** The bytes of a text, or null where it is not one of ours. */
function decode(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  const isOurs = bytes.length > HEAD_BYTES && bytes[0] === VERSION && (bytes[1] ?? 0) < 2 * HAS.bound;
  return isOurs && bytes.toString('base64url') === text ? bytes : null;
}

function notOne(): BadCursor {
  return new BadCursor('not a cursor');
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeDoubleBE(value);
  return bytes;
}

function wholeNumber(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

/** What a cursor is bound to. Limit, facets and highlighting may change between pages. */
function fingerprint({ scope, text, match, filters, sort }: SearchQuery): Buffer {
  const bound = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => compareText(a, b));
  const whole = JSON.stringify([scope, text?.trim() ?? '', match ?? 'all', bound, sort ?? '']);
  return hash('sha256', whole, 'buffer').subarray(0, FINGERPRINT_BYTES);
}
