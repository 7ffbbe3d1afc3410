import type { IncomingMessage } from 'node:http';
import { Invalid, Refusal } from './errors.ts';

/** Published in section 8 of the contract. */
export const BODY_BYTES = 100 * 1024;
export const URL_BYTES = 8 * 1024;

const JSON_TYPE = /^application\/json *(;|$)/i;

/**
 * A JSON body, or undefined where none was sent.
 * @throws Refusal 413 and 415, Invalid 422 for text that is not JSON.
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  const bytes = await readBytes(request, BODY_BYTES);
  if (bytes.length === 0) return undefined;
  if (encoding && encoding !== 'identity') throw wrongType('Send the body without a content encoding.');
  if (!JSON_TYPE.test(type ?? '')) throw wrongType('Send the body as application/json.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Invalid([{ loc: ['body'], msg: 'The body is not valid JSON in UTF-8', type: 'json_invalid' }]);
  }
}

/** A body as it came. @throws Refusal 413 for one of more than `mostBytes`. */
export async function readBytes(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge(request, mostBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A plain loop would destroy the connection on leaving early, and the refusal with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge(request, mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The rest of the body is read and dropped, so that the client hears the refusal. */
function tooLarge(request: IncomingMessage, mostBytes: number): Refusal {
  request.resume();
  return new Refusal(413, 'body_too_large', `The body is larger than ${mostBytes / 1024} kB.`);
}

function wrongType(message: string): Refusal {
  return new Refusal(415, 'unsupported_media_type', message);
}
