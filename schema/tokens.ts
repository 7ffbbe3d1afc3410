import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes above the last multiple of 62 are dropped, or the first digits would come more often. */
const FAIR = 248;

/** `length` base62 characters from the system's generator, each equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte < FAIR && text.length < length) text += DIGITS[byte % 62];
    }
  }
  return text;
}

/** A whole number of at most 32 bits as base62, padded to `length` with zeros on the left. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value >>> 0; rest > 0; rest = Math.floor(rest / 62)) text = DIGITS[rest % 62] + text;
  return text.padStart(length, '0');
}

/** A new identifier that is safe in an address: `<kind>_` and 22 random characters. */
export function makeId(kind: string): string {
  return `${kind}_${randomBase62(22)}`;
}
