import { DatabaseAway } from '../interface.ts';
import { namespaceHeader, placeOfServer, type ServerPlace } from '../server/place.ts';

/** Where a libSQL server is, and its credentials. */
export interface LogServer {
  /** `libsql:`, `http(s):` or `ws(s):`. */
  url: string;
  authToken?: string | undefined;
  /** Token of the servers that it may have moved to. */
  successorToken?: string | undefined;
}

/** The position of a server's log. */
export interface ServerLog {
  /** The log's id as 32 hexadecimal digits. A server that lost its log, or was not closed properly, starts a new one. */
  id: string;
  /** Changes with every restart of the server. */
  session: string;
  /** Number of its newest frame; null where it has none. */
  last: number | null;
}

/** A page of the database as one frame of the log wrote it. */
interface Frame {
  number: number;
  /** Number of the page, from 1. */
  page: number;
  bytes: Uint8Array;
}

const ASK_MS = 5_000;
const SERVICE = '/wal_log.ReplicationLog';
/** A frame is its number, a checksum, the page's number and the size of the database, then the page. */
const FRAME_HEADER = 24;
const PAGE = 4_096;
/** A server's message for frames that it has compacted since. */
const NEED_SNAPSHOT = 'NEED_SNAPSHOT';
/** `handshake_version` 1, as the client of the package says it. */
const HELLO = Uint8Array.of(0x08, 1);

/**
 * Asks a server for the position of its log. The package's own client treats a log that went back as one without changes, and
 * would then mix pages of two histories in one file. @throws DatabaseAway where it does not answer within 5 s.
 */
export async function askLog(server: LogServer): Promise<ServerLog> {
  const fields = readFields(await call(server, 'Hello', HELLO));
  const text = (number: number) => Buffer.from((fields.get(number)?.[0] as Uint8Array) ?? []).toString();
  const last = fields.get(5)?.[0];
  return {
    id: text(3).replaceAll('-', ''),
    session: text(4),
    last: typeof last === 'number' ? last : null,
  };
}

/**
 * Frames of the log from a number on, in order, as many as it returns at once; null where it does not reach back so far. @throws
 * DatabaseAway
 */
export async function readFrames(server: LogServer, session: string, from: number): Promise<Frame[] | null> {
  const answer = await call(server, 'BatchLogEntries', Uint8Array.of(0x08, ...toVarint(from)), session);
  const frames = (readFields(answer).get(1) ?? []).flatMap((field) => toFrame(field) ?? []);
  return frames[0]?.number === from ? frames : null;
}

function toFrame(field: number | Uint8Array): Frame | null {
  const data = field instanceof Uint8Array ? readFields(field).get(1)?.[0] : undefined;
  if (!(data instanceof Uint8Array) || data.length !== FRAME_HEADER + PAGE) return null;
  const view = new DataView(data.buffer, data.byteOffset);
  const number = Number(view.getBigUint64(0, true));
  return { number, page: view.getUint32(16, true), bytes: data.subarray(FRAME_HEADER) };
}

/** One call of the server's replication service (gRPC-Web); a refusal has no bytes. */
async function call(
  { url, authToken = '' }: LogServer,
  method: string,
  message: Uint8Array,
  session?: string,
): Promise<Uint8Array> {
  const place = placeOfServer(url);
  const { base } = place;
  const body = Buffer.alloc(5 + message.length);
  body.writeUInt32BE(message.length, 1);
  body.set(message, 5);
  const headers = {
    'content-type': 'application/grpc-web',
    'x-authorization': `Bearer ${authToken}`,
    ...namespaceHeader(namespaceOf(place)),
    ...(session === undefined ? {} : { 'x-session-token': session }),
  };
  try {
    const response = await fetch(`${base}${SERVICE}/${method}`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(ASK_MS),
    });
    const answer = new Uint8Array(await response.arrayBuffer());
    if (response.ok) return readMessage(answer, response.headers, { method, isOptional: session !== undefined });
    throw new Error(`it answers ${response.status}`);
  } catch (error) {
    throw new DatabaseAway(`the database at ${base} cannot be copied: ${describe(error)}`, { cause: error });
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${ASK_MS / 1_000} s`;
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string };
  const why = code ?? message;
  return why ? `${error.message} (${why})` : error.message;
}

/** The one that the path names; else, as the package's client does it, the first label of the host. */
function namespaceOf({ base, namespace }: ServerPlace): string {
  const { hostname } = new URL(base);
  return namespace ?? (hostname.includes('.') ? (hostname.split('.')[0] ?? '') : 'default');
}

/** The message in a gRPC-Web answer; empty where the log no longer has what was requested. @throws Error where it is refused otherwise */
function readMessage(
  answer: Uint8Array,
  headers: Headers,
  { method, isOptional }: { method: string; isOptional: boolean },
): Uint8Array {
  const view = new DataView(answer.buffer, answer.byteOffset, answer.byteLength);
  let message: Uint8Array | undefined;
  let status = headers.get('grpc-status') ?? '';
  let why = headers.get('grpc-message') ?? '';
  for (let at = 0; at + 5 <= answer.length; ) {
    const end = at + 5 + view.getUint32(at + 1);
    const part = answer.subarray(at + 5, end);
    if ((answer[at] ?? 0) & 0x80) {
      const trailers = Buffer.from(part).toString();
      status = /grpc-status:\s*(\d+)/i.exec(trailers)?.[1] ?? status;
      why = /grpc-message:\s*([^\r\n]*)/i.exec(trailers)?.[1] ?? why;
    } else message = part;
    at = end;
  }
  if (message && (status === '' || status === '0')) return message;
  const said = decodeURIComponent(why);
  if (isOptional && said === NEED_SNAPSHOT) return new Uint8Array();
  throw new Error(`it refuses ${method}: ${said || `status ${status}`}`);
}

/** The fields of a protocol buffer message by number: whole numbers and bytes, which is all that these messages hold. */
function readFields(message: Uint8Array): Map<number, (number | Uint8Array)[]> {
  const fields = new Map<number, (number | Uint8Array)[]>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  /** Bytes that state their length, otherwise a number of eight or four bytes. */
  const lengthOf = (kind: number) => {
    if (kind === 2) return varint();
    return kind === 1 ? 8 : 4;
  };
  while (at < message.length) {
    const tag = varint();
    const kind = tag & 7;
    let value: number | Uint8Array = 0;
    if (kind === 0) value = varint();
    else {
      const length = lengthOf(kind);
      value = message.subarray(at, at + length);
      at += length;
    }
    const number = Math.floor(tag / 8);
    const known = fields.get(number);
    if (known) known.push(value);
    else fields.set(number, [value]);
  }
  return fields;
}

function toVarint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}
