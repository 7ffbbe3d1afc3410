import { randomFillSync } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes above the last multiple of 62 are dropped; otherwise the first digits would be more frequent. */
const FAIR = 248;

/** The generator is asked for many bytes at once, as a call costs far more than the bytes. None is used twice. */
const pool = Buffer.allocUnsafe(4096);
let used = pool.length;

function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  pool[used] = 0;
  used += 1;
  return byte;
}

/** `length` base62 characters from the system's generator, each equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = nextByte();
    if (byte < FAIR) text += DIGITS[byte % 62];
  }
  return text;
}

/** A whole number as base62, padded to `length` with zeros on the left. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = DIGITS[rest % 62] + text;
  return text.padStart(length, '0');
}

/** A new identifier that is safe in an address: `<kind>_` and 22 random characters. */
export function makeId(kind: string): string {
  return `${kind}_${randomBase62(22)}`;
}

/**
 * A new identifier that begins with its time: `<kind>_`, 8 characters that rise with each millisecond, and 14 random ones.
 * Consecutive ones are adjacent in an index, which then writes one page where random ids write many.
 */
export function makeTimedId(kind: string, nowMs: number): string {
  return `${kind}_${toBase62(nowMs, 8)}${randomBase62(14)}`;
}
