import { deflateSync, inflateSync } from 'node:zlib';

/** The caller waits while it compresses: this level takes half the time of zlib's default and adds a twentieth to the bytes. */
const PACK = { level: 3, chunkSize: 4_096 };
/** Bytes. Shorter texts, such as a look-up's, shrink by half at most, which is not worth the time on every call. */
const PACKED_FROM = 4_096;
/** Every answer is a JSON object, and packed bytes never start with this character. */
const BRACE = 0x7b;

/** The bytes in which an answer's JSON text is stored: a long text packed to a quarter or less, a short one as it is. */
export function packAnswer(body: string): Uint8Array {
  const text = Buffer.from(body);
  return text.length < PACKED_FROM ? text : deflateSync(text, PACK);
}

/** The JSON text of a remembered answer, byte for byte. */
export function unpackAnswer(packed: Uint8Array): string {
  return Buffer.from(packed[0] === BRACE ? packed : inflateSync(packed)).toString('utf8');
}

/** The ledger line of a call's charge, an SQL expression. Former programs did not write it down, and gave each a row of its own. */
export const lineOf = (call: string) =>
  `coalesce(${call}.line, (SELECT id FROM transfer WHERE key = 'charge:' || ${call}.charge_id))`;
