import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the stand-in behaves from now on. `hangs half-way`: it sends the head of an answer and no more. */
export type Manner =
  | 'answers'
  | 'hangs'
  | 'hangs half-way'
  | 'answers 500'
  | 'has no index'
  | 'has an old index'
  | 'resets'
  | 'is no JSON'
  | 'is other JSON';

/**
 * A server on loopback that is asked as Meilisearch is: one notice is all it knows, unless it is told to know `documents`. It says
 * that it found `total`: with fewer than ten another engine is asked too.
 */
export async function startStandIn() {
  const state: { manner: Manner; searches: number; cursor: object; documents: number; total: number } = {
    manner: 'answers',
    searches: 0,
    cursor: {},
    documents: 1,
    total: 1,
  };
  const server = createServer(async (request, response) => {
    const search = request.url === '/multi-search';
    if (search) state.searches++;
    const asked = await readBody(request);
    const answer = search ? answerSearch(JSON.parse(asked), state) : state.cursor;
    behave(state.manner, answer, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** The words that were searched, marked as the server is told to mark them. */
const HITS = [{ id: 'n-stand-in', _formatted: { title: '\u0002Stand\u0003-in', description: 'none' } }];

interface Asked {
  filter?: string[];
  limit?: number;
  hitsPerPage?: number;
}

/** Several queries are answered one by one, or merged into one answer. */
function answerSearch(
  { queries, federation }: { queries: Asked[]; federation?: object },
  { documents, total }: { documents: number; total: number },
): object {
  const found = { hits: HITS, totalHits: total };
  if (federation) return found;
  return { results: queries.map((query) => (documents === 1 ? found : findMany(query, documents))) };
}

/** The latest of many documents, which are placed from 0 on: those before a place, where the filter names one. */
function findMany({ filter = [], limit, hitsPerPage = 20 }: Asked, documents: number): object {
  const before = filter.flatMap((condition) => /^place < (\d+)$/.exec(condition)?.[1] ?? [])[0];
  const end = before === undefined ? documents : Number(before);
  const places = Array.from({ length: Math.min(end, limit ?? hitsPerPage) }, (_, index) => end - 1 - index);
  return { hits: places.map((place) => ({ id: `n-${place}`, place })), totalHits: end };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function behave(manner: Manner, answer: object, response: ServerResponse): void {
  const send = (status: number, body: string) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  };
  if (manner === 'answers') send(200, JSON.stringify(answer));
  if (manner === 'answers 500') send(500, '{"message":"no","code":"internal"}');
  if (manner === 'has no index') send(400, '{"message":"Index `notices` not found.","code":"index_not_found"}');
  if (manner === 'has an old index') {
    const isSearch = 'results' in answer || 'hits' in answer;
    send(
      isSearch ? 400 : 200,
      isSearch ? '{"message":"not filterable","code":"invalid_search_filter"}' : JSON.stringify(answer),
    );
  }
  if (manner === 'is no JSON') send(200, '<html>Sign in to the hotel</html>');
  if (manner === 'is other JSON') send(200, '{"ok":true}');
  if (manner === 'resets') response.destroy();
  if (manner === 'hangs half-way') response.writeHead(200, { 'content-type': 'application/json' }).write('{"results":');
}
