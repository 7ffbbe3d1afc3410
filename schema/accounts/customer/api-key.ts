import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../../text/tokens.ts';

const RANDOM_CHARS = 32;
const CHECK_CHARS = 6;
const KEY = /^[a-z][a-z0-9_]{0,19}[0-9A-Za-z]{38}$/;
const HINT_CHARS = 4;

interface NewKey {
  /** Shown once, never stored. */
  key: string;
  /** sha256 in hex: the only form that is stored. */
  hash: string;
  /** Prefix and last four characters, so that the holder recognises it in a list. */
  hint: string;
}

/** A new API key: the prefix, 32 random base62 characters (190 bits) and a checksum, which scanners and typing checks use. */
export function makeKey(prefix: string): NewKey {
  const body = prefix + randomBase62(RANDOM_CHARS);
  const key = body + checksum(body);
  return { key, hash: hashKey(key), hint: `${prefix}…${key.slice(-HINT_CHARS)}` };
}

/** sha256 (hex) of a key. The key has enough entropy that no slow hash is needed. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** Whether a text can be one of our keys: its shape and checksum are right. Does not check that the key exists. */
export function isKeyShaped(text: string): boolean {
  if (!KEY.test(text)) return false;
  const body = text.slice(0, -CHECK_CHARS);
  return text.slice(-CHECK_CHARS) === checksum(body);
}

/** Whether a row `k` of `api_key` no longer works, as SQL: it was revoked, or has expired. @param at an instant (ISO 8601, UTC) */
export const isStopped = (at: string): string => `(k.revoked_at IS NOT NULL OR k.expires_at <= ${at})`;

function checksum(body: string): string {
  return toBase62(crc32(body), CHECK_CHARS);
}
