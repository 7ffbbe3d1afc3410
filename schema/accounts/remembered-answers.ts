import { deflateSync, inflateSync } from 'node:zlib';
import type { Database, Statement } from '../db/interface.ts';

/** The caller waits while it compresses: this level takes half the time of zlib's default and adds a twentieth to the bytes. */
const PACK = { level: 3, chunkSize: 4_096 };
/** Bytes. Shorter texts, such as a look-up's, shrink by half at most, which is not worth the time on every call. */
const PACKED_FROM = 4_096;
/** Every answer is a JSON object, and packed bytes never start with this character. */
const BRACE = 0x7b;
/** Few enough that a waiting debit is not delayed noticeably. */
const ANSWERS_A_BATCH = 2_000;

/** The bytes in which an answer's JSON text is stored: a long text packed to a quarter or less, a short one as it is. */
export function packAnswer(body: string): Uint8Array {
  const text = Buffer.from(body);
  return text.length < PACKED_FROM ? text : deflateSync(text, PACK);
}

/** The JSON text of a remembered answer, byte for byte. */
export function unpackAnswer(packed: Uint8Array): string {
  return Buffer.from(packed[0] === BRACE ? packed : inflateSync(packed)).toString('utf8');
}

/** The ledger line of the charge of a row `i` of `idempotency`, as SQL. Older programs did not store it: each charge then had a row of its own. */
export const CHARGE_LINE = "coalesce(i.line, (SELECT id FROM transfer WHERE key = 'charge:' || i.charge_id))";

/**
 * How far ahead the clock of another machine may be, in milliseconds. A claim lasts for seconds: one that ends later than this is
 * left from a clock that was set back since, and its key is free.
 */
const CLOCK_AHEAD_MS = 600_000;

/** Whether a claim holds at an instant; both in milliseconds since the epoch. */
export const isClaimed = (expiresMs: number, nowMs: number) => expiresMs > nowMs && expiresMs <= nowMs + CLOCK_AHEAD_MS;

/** `isClaimed` of a row of `idempotency`, as SQL. @param nowMs the parameter of the statement that has the instant */
export const isClaimedAt = (nowMs: string) => `claim_expires_at BETWEEN ${nowMs} + 1 AND ${nowMs} + ${CLOCK_AHEAD_MS}`;

/** When the newest answer expires that no longer fits, in milliseconds since the epoch; no row where all fit. */
const OVERFLOW = `
  SELECT expires_at FROM (SELECT expires_at, sum(bytes) OVER (ORDER BY expires_at DESC) AS newer FROM remembered_answer)
  WHERE newer > ? ORDER BY expires_at DESC LIMIT 1`;

const DROP = `
  DELETE FROM remembered_answer WHERE line IN (
    SELECT line FROM remembered_answer WHERE expires_at <= ? ORDER BY expires_at LIMIT ${ANSWERS_A_BATCH})`;

/**
 * Drops expired answers, and then the oldest ones until the rest take at most `megabytes`. Their keys stay. Returns how many it
 * dropped.
 */
export async function dropAnswers(
  accounts: Database,
  { nowMs, megabytes, fence }: { nowMs: number; megabytes: number; fence: Statement },
): Promise<number> {
  const [overflow] = await accounts.read<{ expires_at: number }>({ sql: OVERFLOW, args: [megabytes * 1_000_000] });
  const until = Math.max(nowMs, overflow?.expires_at ?? 0);
  let dropped = 0;
  for (let last = ANSWERS_A_BATCH; last === ANSWERS_A_BATCH; ) {
    const [, outcome] = await accounts.write([fence, { sql: DROP, args: [until] }]);
    last = outcome?.changes ?? 0;
    dropped += last;
  }
  return dropped;
}
