import { createHmac, timingSafeEqual } from 'node:crypto';

export const NO_FILE = 'This export has no file any more; GET /v1/exports/{export_id} says why.';

/** The message for a finished export that is being written again: after a takedown its row still names the old file. */
export function sayBeingWritten({ file }: { file: string | null }): string {
  const why =
    file === null ? 'The file of this export was lost and' : 'Something in this export was taken down, and its file';
  return `${why} is written again, free. Try again in a moment.`;
}

/** The message for a file that is missing but not yet reported: the jobs process checks every hour. */
export const FILE_LOST =
  'The file of this export is missing. It is written again within the hour, free; GET /v1/exports/{export_id} says when it is ready.';

/** The message while the file store does not answer, or this process reads another store. */
export const OUT_OF_REACH = 'The files of exports are out of reach just now. Nothing is lost; try again in a moment.';

/** A download address, valid until an instant in seconds since the epoch. */
interface DownloadLink {
  exportId: string;
  expires: number;
}

/** The query string that turns a path into a download address. */
export function signDownload(secret: string, link: DownloadLink): string {
  return `expires=${link.expires}&signature=${linkSignature(secret, link).toString('base64url')}`;
}

/** Whether a signature belongs to this export and expiry. It does not check whether the expiry has passed. */
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
