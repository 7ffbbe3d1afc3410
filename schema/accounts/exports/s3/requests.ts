import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { StoreAway } from '../storage.ts';

/** A part of a bucket, and the credentials for it. */
export interface Bucket {
  /** The address of the service, or of the bucket itself where its name is part of the host; without a slash at the end. */
  address: string;
  /** What every key begins with: empty, or ending in a slash. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** How it is shown to an operator: `s3://bucket/prefix`. */
  place: string;
}

/** One request to a bucket. */
interface BucketRequest {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** The key below the prefix; absent for the bucket as a whole. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** The limit until the answer begins, in milliseconds. */
  limitMs?: number;
  /** Refusals that the caller handles, by their code: returned, not thrown. */
  known?: readonly string[];
}

/** The start of an answer: it is good, or `code` is one of the refusals that the caller handles. */
export interface BucketAnswer {
  code: string | null;
  response: Response;
  /** Closes the connection where nobody reads to the end. */
  cancel: AbortController;
}

const ANSWER_MS = 10_000;
/** How long a body may pause while a reader waits for more. */
const STALL_MS = 20_000;
/** A temporary refusal (500, 503, a lost connection) is tried again after this many milliseconds. */
const RETRY_MS = [200, 1_000];

/** Sends a request and resolves when its answer begins. @throws StoreAway where there is none, or one that is not understood. */
export async function askBucket(bucket: Bucket, request: BucketRequest): Promise<BucketAnswer> {
  for (let attempt = 0; ; attempt++) {
    const waitMs = RETRY_MS[attempt];
    const outcome = await tryOnce(bucket, request);
    if (!(outcome instanceof StoreAway)) return outcome;
    if (!(outcome instanceof PassingFault) || waitMs === undefined) throw outcome;
    await pause(waitMs);
  }
}

/** Sends a request and returns the whole text of its answer, empty where `code` names a fault. @throws StoreAway */
export async function askText(
  bucket: Bucket,
  request: BucketRequest,
): Promise<{ code: string | null; text: string; headers: Headers }> {
  const { code, response, cancel } = await askBucket(bucket, request);
  const text = code === null ? await readText(bucket, response, cancel) : '';
  return { code, text, headers: response.headers };
}

/** The body of an answer as it arrives. Throws StoreAway where it stalls or breaks off; a reader that stops closes the connection. */
export function readBody({ place }: Bucket, { response, cancel }: BucketAnswer): Readable {
  return Readable.from(readChunks(place, response, cancel), { objectMode: false });
}

/** A fault that may have passed a moment later. */
class PassingFault extends StoreAway {}

async function tryOnce(bucket: Bucket, request: BucketRequest): Promise<BucketAnswer | StoreAway> {
  const { place } = bucket;
  const { method, body, known = [], limitMs = ANSWER_MS } = request;
  const { url, headers } = await sign(bucket, request);
  const cancel = new AbortController();
  const timer = setTimeout(() => cancel.abort(), limitMs);
  try {
    // A redirect leads to another host, for which this request is not signed.
    const init = { method, headers, signal: cancel.signal, redirect: 'manual' } as const;
    const response = await fetch(url, { ...init, body: (body ?? null) as RequestInit['body'] });
    if (response.ok) return { code: null, response, cancel };
    const code = readElement(await readText(bucket, response, cancel), 'Code') ?? '';
    if (known.includes(code)) return { code, response, cancel };
    const said = `${place} answers ${[response.status, code].filter(Boolean).join(' ')} to ${method}`;
    return response.status >= 500 || response.status === 429 ? new PassingFault(said) : new StoreAway(said);
  } catch (error) {
    if (error instanceof StoreAway) return error;
    if (cancel.signal.aborted) return new StoreAway(`${place} does not answer within ${limitMs / 1_000} s`);
    return new PassingFault(`${place} does not answer (${describeCause(error)})`);
  } finally {
    clearTimeout(timer);
  }
}

async function sign(bucket: Bucket, { method, key, query = {}, headers = {}, body }: BucketRequest) {
  const { address, prefix, region, accessKeyId, secretAccessKey } = bucket;
  const search = new URLSearchParams(query).toString();
  const url = `${address}/${key === undefined ? '' : prefix + key}${search && `?${search}`}`;
  const signer = new AwsV4Signer({
    method,
    url,
    // The service compares what arrives with the digest.
    headers: { ...headers, 'X-Amz-Content-Sha256': hash('sha256', body ?? '') },
    region,
    accessKeyId,
    secretAccessKey,
    service: 's3',
  });
  const signed = await signer.sign();
  return { url: signed.url, headers: signed.headers };
}

async function readText(bucket: Bucket, response: Response, cancel: AbortController): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readChunks(bucket.place, response, cancel)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

async function* readChunks(place: string, { body }: Response, cancel: AbortController): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    while (reader) {
      const { done, value } = await readInTime(reader, place, cancel);
      if (done) return;
      yield value;
    }
  } finally {
    cancel.abort();
  }
}

async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, place: string, cancel: AbortController) {
  const timer = setTimeout(() => cancel.abort(), STALL_MS);
  try {
    return await reader.read();
  } catch (error) {
    const why = cancel.signal.aborted ? `stood still for ${STALL_MS / 1_000} s` : `broke off (${describeCause(error)})`;
    throw new StoreAway(`an answer of ${place} ${why}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Why a connection failed: the operating system's code where there is one. It names no customer. */
function describeCause(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? inner ?? message;
}

/** The text of the first element with this name in the XML of an answer, or undefined. The names in use need no unescaping. */
export function readElement(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}
