import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UpstreamData } from './data.ts';
import { type Faults, makeFaultFinder, spoil } from './faults.ts';
import { makeGate } from './limits.ts';
import { type Asked, html, type Reply } from './reply.ts';
import { answerByMonth, type Health, makeGrids } from './services/by-month.ts';
import { answerCompaniesHouse, makeRegister } from './services/companies-house.ts';
import { answerContractsFinder } from './services/contracts-finder.ts';
import { answerFindATender } from './services/find-a-tender.ts';
import { makeShelf, type Unlisted } from './services/sorted-releases.ts';

export interface UpstreamOptions {
  data: UpstreamData;
  /** 0 (default): any free port. */
  port?: number;
  /** Whether the services' own limits and blocks are in force; without them every request is answered. */
  enforceLimits?: boolean;
  faults?: Faults;
  /** Releases that no window and no search lists, though they are served by id and in the daily file. */
  unlisted?: Unlisted;
  /** The time in ms that limits are counted by (default: the wall clock). Open-ended windows end at the data's `asOf`. */
  now?: () => number;
  /** How many zips the bulk file is cut into (default 2). */
  bulkParts?: number;
}

/** One request as it came, and how it was answered (0: the connection was cut). */
export interface RequestRecord {
  atMs: number;
  method: string;
  path: string;
  query: Record<string, string>;
  userAgent: string | undefined;
  status: number;
}

export interface Upstream {
  /** One address for all services: their paths do not collide. */
  url: string;
  requests: RequestRecord[];
  setFaults(faults: Faults): void;
  /** How the services asked by month and type answer from now on. */
  setHealth(health: Health): void;
  close(): Promise<void>;
}

/** Starts the services on loopback over the data. */
export async function startUpstream(options: UpstreamOptions): Promise<Upstream> {
  const { data } = options;
  const services = {
    findATender: makeShelf(data.findATender, options.unlisted),
    contractsFinder: makeShelf(data.contractsFinder, options.unlisted),
    register: makeRegister(data, options.bulkParts ?? 2),
    grids: makeGrids(data.byMonth),
  };
  const gate = options.enforceLimits ? makeGate() : null;
  const requests: RequestRecord[] = [];
  let findFault = makeFaultFinder(options.faults ?? []);

  const answer = async (asked: Asked): Promise<Reply> => {
    const refused = gate?.(asked.url.pathname, asked.headers['user-agent'], options.now?.() ?? Date.now());
    if (refused) return refused;
    return (
      answerByMonth(services.grids, asked) ??
      answerFindATender(services.findATender, asked) ??
      answerContractsFinder(services.contractsFinder, asked) ??
      (await answerCompaniesHouse(services.register, asked)) ??
      html('<h1>404 Not Found</h1>', 404)
    );
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = readRequest(request, data.asOf.getTime());
    const record = recordOf(request, asked.url);
    requests.push(record);
    const reply = await answer(asked);
    const fault = findFault(asked.url.pathname + asked.url.search);
    const spoiled = fault ? await spoil(reply, fault) : { reply };
    if (spoiled === 'reset') return void request.socket.resetAndDestroy();
    record.status = spoiled.reply.status;
    send(response, spoiled.reply, spoiled.cut ?? false);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  // An ingest in this process may block it for seconds: a connection closed in between would be cut under the next request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setFaults: (faults) => {
      findFault = makeFaultFinder(faults);
    },
    setHealth: (health) => {
      services.grids.health = health;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readRequest(request: IncomingMessage, nowMs: number): Asked {
  const origin = `http://${request.headers.host ?? '127.0.0.1'}`;
  const url = new URL(request.url ?? '/', origin);
  return { origin, url, headers: request.headers as Record<string, string | undefined>, nowMs };
}

function recordOf(request: IncomingMessage, url: URL): RequestRecord {
  return {
    atMs: Date.now(),
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    userAgent: request.headers['user-agent'],
    status: 0,
  };
}

/** A cut answer promises its whole length and ends before it. */
function send(response: ServerResponse, reply: Reply, cut: boolean): void {
  const length = cut ? reply.body.length * 2 : reply.body.length;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': length });
  if (!cut) return void response.end(reply.body);
  response.write(reply.body, () => response.destroy());
}
