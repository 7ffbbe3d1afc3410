import type { IncomingMessage } from 'node:http';
import { Invalid, Refusal } from '../contract/errors.ts';

/** Both are published in the reference of the API. */
export const BODY_BYTES = 100 * 1024;
export const URL_BYTES = 8 * 1024;

/** Most parameters of a request: far more than any operation has. */
const PARAMETERS_MAX = 100;

/** How deeply a body may nest: code further on reads and writes it recursively. */
const LEVELS_MAX = 64;

/** Most values in a body, at all levels: several times what any request needs, and a schema checks each one. */
const VALUES_MAX = 500;

const JSON_TYPE = /^application\/json *(;|$)/i;

/**
 * A JSON body, or undefined where none was sent. @throws Refusal 413 and 415, Invalid 422 for text that is not JSON, nests too
 * deeply or has too many values.
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  const bytes = await readBytes(request, BODY_BYTES);
  if (bytes.length === 0) return undefined;
  if (encoding && encoding !== 'identity') throw wrongType('Send the body without a content encoding.');
  if (!JSON_TYPE.test(type ?? '')) throw wrongType('Send the body as application/json.');
  const text = readUtf8(bytes);
  checkShape(text);
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function readUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notJson();
  }
}

function notJson(msg = 'The body is not valid JSON in UTF-8'): Invalid {
  return new Invalid([{ loc: ['body'], msg, type: 'json_invalid' }]);
}

/**
 * Checks the text before anything is parsed. One pass: a pattern for quoted text would rescan an unclosed one again and
 * again. @throws Invalid 422.
 */
function checkShape(json: string): void {
  let level = 0;
  let values = 1;
  let isQuoted = false;
  for (let at = 0; at < json.length; at += 1) {
    const mark = json[at];
    if (mark === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += mark === '\\' ? 1 : 0;
    else if (mark === '[' || mark === '{') level += 1;
    else if (mark === ']' || mark === '}') level -= 1;
    if (mark === ',' || mark === '[' || mark === '{') values += isQuoted ? 0 : 1;
    if (level > LEVELS_MAX) throw notJson(`The body nests deeper than ${LEVELS_MAX} levels`);
    if (values > VALUES_MAX) throw tooManyValues();
  }
}

function tooManyValues(): Invalid {
  const msg = `The body holds more than ${VALUES_MAX} values`;
  return new Invalid([{ loc: ['body'], msg, type: 'too_long', ctx: { max_length: VALUES_MAX } }]);
}

/** Refuses more parameters than any request needs, before each is parsed. @throws Invalid 422. */
export function assertFew(count: number, loc: string): void {
  if (count <= PARAMETERS_MAX) return;
  const msg = `At most ${PARAMETERS_MAX} parameters can be sent, these are ${count}`;
  throw new Invalid([{ loc: [loc], msg, type: 'too_long', ctx: { max_length: PARAMETERS_MAX } }]);
}

/** A body as it came. @throws Refusal 413 for one of more than `mostBytes`. */
export async function readBytes(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge(request, mostBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving a plain loop early would destroy the connection, and the refusal with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) break;
    chunks.push(chunk);
  }
  // Not before: an iterator that is still in use keeps the rest from being dropped.
  if (bytes > mostBytes) throw tooLarge(request, mostBytes);
  return Buffer.concat(chunks);
}

/** The rest of the body is read and dropped, so that the client receives the refusal. */
function tooLarge(request: IncomingMessage, mostBytes: number): Refusal {
  request.resume();
  return new Refusal(413, 'body_too_large', `The body is larger than ${mostBytes / 1024} kB.`);
}

function wrongType(message: string): Refusal {
  return new Refusal(415, 'unsupported_media_type', message);
}
