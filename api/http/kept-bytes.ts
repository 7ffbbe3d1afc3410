import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { request as expressRequest } from 'express';

const compressors = { br: promisify<Buffer, Buffer>(brotliCompress), gzip: promisify<Buffer, Buffer>(gzip) };

type Encoding = keyof typeof compressors;
/** Smallest first. */
const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

/** Bytes that are the same for everybody, and compressed ones from the first request for them on. */
export interface KeptBytes {
  plain: Buffer;
  small: Partial<Record<Encoding, Promise<Buffer>>>;
}

/** Prepares bytes that are sent to everybody; each encoding is made once. */
export function keepBytes(plain: Buffer): KeptBytes {
  return { plain, small: {} };
}

/** The bytes in the best encoding that a client accepts. */
export async function encodeFor(
  request: IncomingMessage,
  { plain, small }: KeptBytes,
): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  // Express reads the header alone, which any request has. Of several at once it would prefer the first that a client names.
  const encoding = PREFERRED.find((one) => expressRequest.acceptsEncodings.call(request as never, one));
  if (!encoding) return { bytes: plain, headers: {} };
  small[encoding] ??= compressors[encoding](plain).catch((error: unknown) => {
    // The next request tries again.
    delete small[encoding];
    throw error;
  });
  return { bytes: await small[encoding], headers: { 'Content-Encoding': encoding } };
}
