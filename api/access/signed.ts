import { createHmac, timingSafeEqual } from 'node:crypto';

/** Bytes of the signature kept: 128 bits. */
const SIGNATURE_BYTES = 16;

/** What a signature is for: the kind of text, and whom it is given to. */
export interface Seal {
  secret: string;
  purpose: readonly string[];
}

/** A text with its signature after a full stop: 23 characters more. */
export function signText(seal: Seal, text: string): string {
  return `${text}.${signature(seal, text).toString('base64url')}`;
}

/** The text that was signed for the same purpose, or null where this was not. */
export function readSigned(seal: Seal, signed: string): string | null {
  const [text = '', given = '', ...rest] = signed.split('.');
  const bytes = Buffer.from(given, 'base64url');
  const isOurs = bytes.length === SIGNATURE_BYTES && bytes.toString('base64url') === given && rest.length === 0;
  return isOurs && timingSafeEqual(bytes, signature(seal, text)) ? text : null;
}

function signature({ secret, purpose }: Seal, text: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([...purpose, text]))
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}

export const NO_FILE = 'This export has no file any more; GET /v1/exports/{export_id} says why.';

/** What is said of an export that was finished and is written again: after a takedown its row names the file before. */
export function sayBeingWritten({ file }: { file: string | null }): string {
  const why =
    file === null ? 'The file of this export was lost and' : 'Something in this export was taken down, and its file';
  return `${why} is written again, free. Try again in a moment.`;
}

/** The file is not there although nothing has noticed yet: the jobs process looks every hour. */
export const FILE_LOST =
  'The file of this export is missing. It is written again within the hour, free; GET /v1/exports/{export_id} says when it is ready.';

/** The store of the files does not answer, or this process looks at another one. */
export const OUT_OF_REACH = 'The files of exports are out of reach just now. Nothing is lost; try again in a moment.';

/** A download address good until an instant, in seconds since the epoch. */
export interface DownloadLink {
  exportId: string;
  expires: number;
}

/** The query string that makes a download address of a path. */
export function signDownload(secret: string, link: DownloadLink): string {
  return `expires=${link.expires}&signature=${linkSignature(secret, link).toString('base64url')}`;
}

/** Whether a signature was made for this very export and expiry; whether it has passed is another question. */
export function isSigned(secret: string, link: DownloadLink, given: string): boolean {
  const bytes = Buffer.from(given, 'base64url');
  const expected = linkSignature(secret, link);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

function linkSignature(secret: string, { exportId, expires }: DownloadLink): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['download', exportId, expires]))
    .digest();
}
