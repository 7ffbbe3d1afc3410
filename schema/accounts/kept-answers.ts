import { deflateSync, inflateSync } from 'node:zlib';
import type { Database, Statement } from '../db/interface.ts';

/** A call waits for it: half the time of zlib's usual level, for a twentieth more bytes. */
const PACK = { level: 3, chunkSize: 4_096 };
/** Bytes. A shorter text, such as a look-up's, loses half of them at most, which is not worth the time of every such call. */
const PACKED_FROM = 4_096;
/** Every answer is a JSON object, and no packed text begins so. */
const BRACE = 0x7b;
/** Few enough that a debit waiting for its turn does not notice. */
const ANSWERS_A_BATCH = 2_000;

/** The bytes under which an answer's JSON text is remembered: of a long one a quarter or less, a short one as it is. */
export function packAnswer(body: string): Uint8Array {
  const text = Buffer.from(body);
  return text.length < PACKED_FROM ? text : deflateSync(text, PACK);
}

/** The JSON text of a remembered answer, byte for byte. */
export function unpackAnswer(packed: Uint8Array): string {
  return Buffer.from(packed[0] === BRACE ? packed : inflateSync(packed)).toString('utf8');
}

/** Drops what an account was answered. */
export function forgetAnswersStatement(accountId: string): Statement {
  const sql = `DELETE FROM remembered_answer WHERE line IN (SELECT id FROM transfer WHERE from_account = ? AND kind = 'charge')`;
  return { sql, args: [accountId] };
}

/** When the newest answer expires that no longer fits, in milliseconds since the epoch; no row where all fit. */
const OVERFLOW = `
  SELECT expires_at FROM (SELECT expires_at, sum(bytes) OVER (ORDER BY expires_at DESC) AS newer FROM remembered_answer)
  WHERE newer > ? ORDER BY expires_at DESC LIMIT 1`;

const DROP = `
  DELETE FROM remembered_answer WHERE line IN (
    SELECT line FROM remembered_answer WHERE expires_at <= ? ORDER BY expires_at LIMIT ${ANSWERS_A_BATCH})`;

/**
 * Drops answers whose day is over, and the oldest of the others until the rest takes `megabytes` at most. Their keys stay.
 * Answers with how many it dropped.
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
