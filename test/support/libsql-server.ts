import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import Sqlite from 'libsql';
import { type WebSocket, WebSocketServer } from 'ws';

type Value = { type: string; value?: string | number; base64?: string };
type Condition = { type: string; step?: number; cond?: Condition; conds?: Condition[] };
interface Stmt {
  sql?: string;
  sql_id?: number;
  args?: Value[];
}
interface Step {
  stmt: Stmt;
  condition?: Condition;
}
interface StreamRequest {
  type: string;
  sql?: string;
  sql_id?: number;
  stmt?: Stmt;
  batch?: { steps: Step[] };
}
interface Fault {
  message: string;
  code: string;
}
interface Stream {
  connection: Sqlite.Database;
  texts: Map<number, string>;
  isClosed: boolean;
}

export interface Hrana {
  url: string;
  /** The same for WebSockets. */
  socketUrl: string;
  /** The body of each request so far, or each message of a WebSocket. */
  asked: string[];
  /** The streams that it holds for its clients, by their batons, or by their connection and number. */
  streams: Map<string, Stream>;
  /** Executes the next writes, this many, but closes their connections instead of confirming. */
  loseAnswers(count: number): void;
  /** Closes every connection and accepts no more, until it returns at the same address. */
  goAway(): void;
  comeBack(): Promise<void>;
  close(): void;
}

/**
 * A stand-in for a libSQL server: Hrana 2 over HTTP and WebSockets as JSON, over a local file. A stream has a connection of its own with the
 * server's plain pragmas. @param level how it waits for its disk (`PRAGMA synchronous`)
 */
export async function startHrana(file: string, level = 'FULL'): Promise<Hrana> {
  let toLose = 0;
  const all: string[] = [];
  const streams = new Map<string, Stream>();
  const forgetAll = () => {
    for (const { connection } of streams.values()) connection.close();
    streams.clear();
  };
  const server = createServer((request, response) => {
    readText(request)
      .then((asked) => {
        all.push(asked);
        const body = answer({ file, level, streams }, request.url, asked);
        if (!body) return response.writeHead(400).end('Received an invalid baton');
        const isLost = toLose > 0 && asked.includes('BEGIN IMMEDIATE');
        if (isLost) toLose -= 1;
        return isLost ? response.destroy() : response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      })
      .catch((error: Error) => response.writeHead(500).end(error.message));
  });
  const sockets = new WebSocketServer({ server, handleProtocols: (offered) => [...offered][0] ?? false });
  sockets.on('connection', (socket) => {
    serveSocket({ file, level, streams }, socket, (asked) => {
      all.push(asked);
      const isLost = toLose > 0 && asked.includes('BEGIN IMMEDIATE');
      if (isLost) toLose -= 1;
      return isLost;
    });
  });
  const cut = () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    asked: all,
    streams,
    loseAnswers(count) {
      toLose = count;
    },
    goAway() {
      server.close();
      cut();
      forgetAll();
    },
    async comeBack() {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    close() {
      cut();
      server.close();
      forgetAll();
    },
  };
}

type Served = Pick<Hrana, 'streams'> & { file: string; level: string };

/** Undefined for a baton that it does not know, of which nothing is run. */
function answer({ file, level, streams }: Served, path: string | undefined, asked: string): string | undefined {
  if (path !== '/v2/pipeline') throw new Error(`not served here: ${path}`);
  const { baton = null, requests } = JSON.parse(asked) as { baton?: string; requests: StreamRequest[] };
  const stream = baton === null ? openStream(file, level) : streams.get(baton);
  if (!stream) return undefined;
  // Each baton is for one request.
  if (baton !== null) streams.delete(baton);
  const results = requests.map((each) => handle(stream, each));
  const next = stream.isClosed ? null : randomUUID();
  if (next === null) stream.connection.close();
  else streams.set(next, stream);
  return JSON.stringify({ baton: next, base_url: null, results });
}

/** Answers the messages of one connection. @param isLost whether what was just asked is done but not answered */
function serveSocket({ file, level, streams }: Served, socket: WebSocket, isLost: (asked: string) => boolean): void {
  const connection = randomUUID();
  const texts = new Map<number, string>();
  const own = new Set<string>();
  const end = (name: string) => {
    streams.get(name)?.connection.close();
    streams.delete(name);
  };
  socket.on('close', () => own.forEach(end));
  socket.on('message', (data) => {
    const asked = String(data);
    const isToLose = isLost(asked);
    const { type, request_id, request } = JSON.parse(asked) as SocketMessage;
    if (type === 'hello') return socket.send(JSON.stringify({ type: 'hello_ok' }));
    const name = `${connection} ${request.stream_id}`;
    own.add(name);
    if (request.type === 'open_stream') streams.set(name, { ...openStream(file, level), texts });
    if (request.type === 'close_stream') end(name);
    const isOfNone = ['open_stream', 'close_stream', 'close_sql'].includes(request.type);
    const stream = streams.get(name) ?? { texts };
    const done: Handled = isOfNone
      ? { type: 'ok', response: { type: request.type } }
      : handle(stream as Stream, request);
    if (isToLose) return socket.terminate();
    socket.send(JSON.stringify({ ...done, type: done.type === 'ok' ? 'response_ok' : 'response_error', request_id }));
  });
}

interface SocketMessage {
  type: string;
  request_id: number;
  request: StreamRequest & { stream_id?: number };
}

function openStream(file: string, level: string): Stream {
  const connection = new Sqlite(file);
  connection.defaultSafeIntegers(true);
  connection.exec(`PRAGMA synchronous=${level}`);
  return { connection, texts: new Map(), isClosed: false };
}

type Handled = { type: 'ok'; response: object } | { type: 'error'; error: Fault };

function handle(stream: Stream, request: StreamRequest): Handled {
  try {
    return { type: 'ok', response: { type: request.type, ...respond(stream, request) } };
  } catch (error) {
    return { type: 'error', error: toFault(error) };
  }
}

function respond(stream: Stream, { type, sql, sql_id: id, stmt, batch }: StreamRequest): object {
  if (type === 'store_sql' && id !== undefined) stream.texts.set(id, sql ?? '');
  else if (type === 'execute' && stmt) return { result: execute(stream, stmt) };
  else if (type === 'batch' && batch) return { result: runSteps(stream, batch.steps) };
  else if (type === 'close') stream.isClosed = true;
  else if (type !== 'close_sql') throw new Error(`not served here: ${type}`);
  return {};
}

function runSteps(stream: Stream, steps: Step[]): object {
  const results: (object | null)[] = [];
  const errors: (Fault | null)[] = [];
  const holds = (condition: Condition | undefined): boolean => {
    if (!condition) return true;
    if (condition.type === 'ok') return Boolean(results[condition.step ?? -1]);
    if (condition.type === 'not') return !holds(condition.cond);
    if (condition.type === 'and') return (condition.conds ?? []).every(holds);
    throw new Error(`not served here: the condition ${condition.type}`);
  };
  for (const { stmt, condition } of steps) {
    results.push(null);
    errors.push(null);
    if (!holds(condition)) continue;
    try {
      results[results.length - 1] = execute(stream, stmt);
    } catch (error) {
      errors[errors.length - 1] = toFault(error);
    }
  }
  return { step_results: results, step_errors: errors };
}

function execute({ connection, texts }: Stream, { sql, sql_id: id, args = [] }: Stmt): object {
  const statement = connection.prepare(sql ?? texts.get(id ?? -1) ?? '');
  const bound = args.map(fromWire);
  const cols = statement.columns().map(({ name }) => ({ name }));
  if (cols.length === 0) return { cols, rows: [], affected_row_count: statement.run(bound).changes };
  const rows = statement.raw(true).all(bound) as unknown[][];
  return { cols, rows: rows.map((row) => row.map(toWire)), affected_row_count: 0 };
}

function fromWire({ type, value, base64 }: Value): unknown {
  if (type === 'integer') return BigInt(value ?? 0);
  if (type === 'blob') return Buffer.from(base64 ?? '', 'base64');
  return value ?? null;
}

function toWire(value: unknown): Value {
  if (value === null) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) };
  if (typeof value === 'number') return { type: 'float', value };
  if (typeof value === 'string') return { type: 'text', value };
  return { type: 'blob', base64: Buffer.from(value as ArrayBuffer).toString('base64') };
}

function toFault(error: unknown): Fault {
  const { message, code = 'UNKNOWN' } = error as Error & { code?: string };
  return { message: `SQLite error: ${message}`, code };
}
