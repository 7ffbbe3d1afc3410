import { createServer, type RequestListener, type Server } from 'node:http';

/** Far more than monitors and probes need at the same time. */
const CONNECTIONS_MAX = 100;
/** How long a client may take to ask, in milliseconds. A connection on which nothing comes is closed then, too. */
const PATIENCE = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/**
 * A server for monitors and probes. It answers one request a connection, so nobody who can reach it can hold up the process with
 * a flood: 3,000 requests in one piece (72 kB) kept a public API from answering for 6 s.
 */
export function createPrivateServer(answer: RequestListener): Server {
  const server = createServer(PATIENCE, answer);
  server.maxRequestsPerSocket = 1;
  server.maxConnections = CONNECTIONS_MAX;
  // Node would answer each that came before the first was answered. No monitor sends any.
  server.on('dropRequest', (_request, socket) => socket.destroy());
  return server;
}

/** Returns the work as a function whose callers share one run: those that come while it runs receive its result. */
export function shareRun<R>(work: () => Promise<R>): () => Promise<R> {
  let running: Promise<R> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
