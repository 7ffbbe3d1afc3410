import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { isoInstant } from '../../config/clocks.ts';
import { readSigned, signText } from '../../text/signed.ts';
import type { WatchRow } from './row.ts';

/** As the Standard Webhooks specification writes a secret: `whsec_` and 24 to 64 bytes in base64. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A new secret of a watch (`whsec_…`), with which its receiver checks that a webhook came from us. */
export function makeWatchSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Encrypts a watch's secret (AES-256-GCM) for its row. A hash would not do, as signing needs the text. */
export function sealWatchSecret(text: string, watchId: string, serviceSecret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(serviceSecret), nonce).setAAD(Buffer.from(watchId));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * The secrets that sign at an instant: the watch's own, then during a rotation the former one. Null where its own was sealed with
 * another AUTH_SECRET; a former one that was is left out, so that a rotation helps at once.
 */
export function signingSecrets(
  {
    id,
    secret,
    former_secret: former,
    former_until: until,
  }: Pick<WatchRow, 'id' | `former_${'secret' | 'until'}` | 'secret'>,
  serviceSecret: string,
  now: Date,
): string[] | null {
  if (secret === null) return [];
  const open = (sealed: string) => {
    try {
      return [openWatchSecret(sealed, id, serviceSecret)];
    } catch {
      return [];
    }
  };
  const own = open(secret);
  if (own.length === 0) return null;
  const isFormerValid = former !== null && until !== null && until > isoInstant(now);
  return isFormerValid ? [...own, ...open(former)] : own;
}

/** The text of a sealed secret. @throws Error where AUTH_SECRET or the row has changed since. */
function openWatchSecret(sealed: string, watchId: string, serviceSecret: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(serviceSecret), bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(watchId))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function keyOf(serviceSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', serviceSecret, '', 'secrets of watches', 32));
}

const PURPOSE = ['watch mails'];

/** The token in the link at the foot of a watch's mails. It lets the reader stop those mails, and nothing else. */
export function stopToken(watchId: string, secret: string): string {
  return signText({ secret, purpose: PURPOSE }, watchId);
}

/** The watch whose mails a link stops; null where the link is not ours. */
export function readStopToken(token: string, secret: string): string | null {
  return readSigned({ secret, purpose: PURPOSE }, token);
}
