import { readFileSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client may take, in milliseconds: 100 kB arrive within seconds on the slowest line. */
export const PATIENCE = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // The usual proxies drop an idle connection after 60 s. If this server dropped it first, a request might be on its way, and its
  // client would get the proxy's 502.
  keepAliveTimeout: 75_000,
};

/** Most connections of a process that may open any number of files: an idle one takes some 10 kB. */
const CONNECTIONS_MAX = 10_000;
/** From this share of them on, idle ones make room for new ones. */
const CROWDED = 0.9;
/** How often idle connections are looked for while it is crowded. */
const ROOM_EVERY_MS = 1_000;
/** Most busy connections that are checked for each new one; checking 10,000 takes 0.8 ms. */
const CHECKED_MAX = 100;
/** Files reserved for everything else: databases, indexes, readers, servers. A busy process has some 60 open. */
const OTHER_FILES = 130;
const LIMITS = '/proc/self/limits';

/** The open connections of each server. */
const connections = new WeakMap<Server, Set<Socket>>();

/** Records a server's connections from the start, so that `closeUnused` knows those without a request. */
export function noteConnections(server: Server): Set<Socket> {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

/** Closes the connections on which nothing has come. */
export function closeUnused(server: Server): void {
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/**
 * Records a server's connections and closes idle ones while it is crowded. For each beyond `most` (by default what the limit on
 * open files allows), the oldest without a whole request is closed, or the new one if all are busy: clients that never finish
 * their requests would otherwise keep out all others. A process without a free file could read no database, and one of several
 * would never get another connection once it could not accept one (node:cluster, Node 20 to 24).
 */
export function boundConnections(server: Server, most = countConnections(readFilesMost())): void {
  const open = noteConnections(server);
  const end = (socket: Socket) => {
    socket.destroy();
    // Its end is announced later, but connections that came at the same time are counted now.
    open.delete(socket);
  };
  let madeRoomMs = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket) => {
    if (open.size > CROWDED * most && performance.now() - madeRoomMs > ROOM_EVERY_MS) {
      madeRoomMs = performance.now();
      for (const one of open) if (one.destroyed || isIdle(one)) end(one);
    }
    if (open.size <= most) return;
    let checked = 0;
    for (const one of open) {
      if (!isAtWork(one)) return end(one);
      checked += 1;
      if (checked === CHECKED_MAX) return end(socket);
      // Moved to the end, so that the next new connection checks others first.
      open.delete(one);
      open.add(one);
    }
  });
}

/** Most connections of a process that may open so many files: each may be the download of an export, whose file is open for as long. */
export function countConnections(files: number): number {
  return Math.max(1, Math.min(CONNECTIONS_MAX, Math.floor((files - OTHER_FILES) / 2)));
}

/** How many files this process may have open; any number where the system does not say. */
function readFilesMost(): number {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync(LIMITS, 'utf8')) ?? [];
    return Number(most ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Most requests of one connection that may wait for their answers; nearly every client awaits each answer. All that come in one
 * piece are begun before the first is answered: without this, 70,000 (1.7 MB) took 20 s and 1.3 GB of a process.
 */
const WAITING_MAX = 100;

/** The requests of a connection. */
interface Asked {
  /** The answers that are not sent whole. */
  waiting: Set<ServerResponse>;
  /** The bytes that had come when the last request was whole and answered. */
  bytes: number;
}

const askedOn = new WeakMap<Socket, Asked>();

/**
 * Whether all that came on a connection is answered. Node's own `closeIdleConnections` also closes those on which nothing has come
 * yet (Node 26): the request of a client that has just connected is on its way.
 */
function isIdle(socket: Socket): boolean {
  const asked = askedOn.get(socket);
  return asked?.waiting.size === 0 && asked.bytes === socket.bytesRead;
}

/** Whether a whole request is to be answered. */
function isAtWork(socket: Socket): boolean {
  for (const { req: request } of askedOn.get(socket)?.waiting ?? []) if (request.complete) return true;
  return false;
}

/** Whether a request is to be answered. One too many ends its connection, and what came with it is ignored. */
export function admitRequest(socket: Socket, response: ServerResponse): boolean {
  if (socket.destroyed) return false;
  const asked = askedOn.get(socket) ?? { waiting: new Set(), bytes: 0 };
  if (asked.waiting.size === WAITING_MAX) {
    socket.destroy();
    return false;
  }
  asked.waiting.add(response);
  askedOn.set(socket, asked);
  const { req: request } = response;
  const noteBytes = () => {
    asked.bytes = socket.bytesRead;
  };
  response.once('close', () => {
    asked.waiting.delete(response);
    if (request.complete) noteBytes();
    // It was answered before its body had come.
    else request.once('close', noteBytes);
  });
  return true;
}

/** Whether only a part of an answer is written: what is written to the connection itself would be read as a part of it. */
export function isAnswering(socket: Socket): boolean {
  const answers = [...(askedOn.get(socket)?.waiting ?? [])];
  return answers.some(({ headersSent, writableEnded }) => headersSent && !writableEnded);
}

/** Ends a connection whose client does not read. While its answer is still being made, there is nothing to read. */
export function cutStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
