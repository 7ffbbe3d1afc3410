import { ClosedError, type Sql, WsClient } from '@libsql/hrana-client';
import { WebSocket } from 'ws';
import { headersOf, type ServerPlace } from './place.ts';
import { makeTimeout, ServerUnreached } from './refusal.ts';
import type { Transport, Wire } from './wire.ts';

/** Hrana as JSON: in its binary form a commit of 25 debits takes the client half as long again. */
const PROTOCOLS = ['hrana2', 'hrana1'];
/** How long an idle connection is kept: network equipment may drop one silently. */
const IDLE_MS = 4_000;
/** A server stores 150 statements for a connection (libSQL server 0.24). */
const STORED_MAX = 100;

/** A connection to a server, for one stream at a time: a server ends a connection as a whole where one of its streams fails. */
interface Connection {
  client: WsClient;
  texts: Map<string, Sql>;
  /** Ends it without waiting for the server. */
  cut(): void;
  closing?: NodeJS.Timeout;
}

/**
 * Streams over WebSockets, over which a server takes less time for a small request than over HTTP (libSQL server 0.24).
 * @param deadlineMs for connecting, and for each request
 */
export function openSockets(place: ServerPlace, authToken: string | undefined, deadlineMs: number): Transport {
  const address = `${place.base.replace(/^http/, 'ws')}/`;
  const options = { headers: headersOf(place), handshakeTimeout: deadlineMs, perMessageDeflate: false };
  /** In the order of their last use. */
  const idle: Connection[] = [];

  const connect = async (): Promise<Connection> => {
    const socket = new WebSocket(address, PROTOCOLS, options);
    // The client's type is a browser's WebSocket, which this one is in all that the client uses.
    const client = new WsClient(socket as never, authToken);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', (cause) => reject(new ServerUnreached(cause)));
    });
    await client.getVersion();
    const cut = () => {
      // From now on nothing is sent over it, though it ends a moment later.
      client.close();
      socket.terminate();
    };
    return { client, texts: new Map(), cut };
  };
  const takeIdle = (): Connection | undefined => {
    let taken = idle.pop();
    while (taken?.client.closed) taken = idle.pop();
    clearTimeout(taken?.closing);
    return taken;
  };
  const release = (connection: Connection) => {
    connection.closing = setTimeout(() => connection.client.close(), IDLE_MS).unref();
    idle.push(connection);
  };

  return {
    async open() {
      const connection = takeIdle() ?? (await connect());
      return toWire(connection, deadlineMs, () => release(connection));
    },
    // An error of the connection itself is given to the requests that were sent.
    isUnsent: (error) => error instanceof ClosedError,
    end() {
      for (const { client } of idle.splice(0)) client.close();
    },
  };
}

function toWire({ client, texts, cut }: Connection, deadlineMs: number, release: () => void): Wire {
  return {
    stream: client.openStream(),
    texts,
    mostTexts: STORED_MAX,
    store: (sql) => client.storeSql(sql),
    async inTime(answer) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(makeTimeout());
          cut();
        }, deadlineMs);
      });
      return Promise.race([answer, late]).finally(() => clearTimeout(timer));
    },
    release,
  };
}
