import { type Request, Router } from 'express';
import type { Operation } from '../operation.ts';
import { searchFrameworks } from '../operations/search-frameworks.ts';
import { searchNotices } from '../operations/search-notices.ts';
import { searchTenders } from '../operations/search-tenders.ts';
import { ask, readQuery } from './ask.ts';
import type { Query } from './pages/filters.tsx';
import { frameworksPage } from './pages/frameworks.tsx';
import { type Results, searchPage } from './pages/results.tsx';
import type { Web } from './web.ts';

/** The searches. An address holds the whole search, under the API's own names. */
export function makeSearchRoutes(web: Web): Router {
  const router = Router();
  const { house } = web;

  router.get('/notices', async (request, response) => {
    const query = queryOf(searchNotices, request);
    const found = await ask(searchNotices, markHits(readQuery(searchNotices, query)), house);
    const page = { scope: 'notices', query, now: house.clocks.catalogueNow() } as const;
    if (found.kind === 'answer') {
      return web.send(response, searchPage({ ...page, results: toResults(found.body), faults: [] }));
    }
    return web.send(response, searchPage({ ...page, results: null, faults: faultsOf(found) }), 422);
  });
  router.get('/tenders', async (request, response) => {
    const query = { query: '*', ...queryOf(searchTenders, request) };
    const found = await ask(searchTenders, markHits(readQuery(searchTenders, query)), house);
    const page = { scope: 'tenders', query, now: house.clocks.catalogueNow() } as const;
    if (found.kind === 'answer') {
      return web.send(response, searchPage({ ...page, results: toResults(found.body), faults: [] }));
    }
    return web.send(response, searchPage({ ...page, results: null, faults: faultsOf(found) }), 422);
  });
  router.get('/frameworks', async (request, response) => {
    const query = queryOf(searchFrameworks, request);
    const found = await ask(searchFrameworks, readQuery(searchFrameworks, query), house);
    if (found.kind === 'answer') {
      const { items, total, total_is, meta } = found.body;
      const results = { items, total, exact: total_is === 'exact', next: meta.next_cursor };
      return web.send(response, frameworksPage({ query, results, faults: [] }));
    }
    return web.send(response, frameworksPage({ query, results: null, faults: faultsOf(found) }), 422);
  });
  return router;
}

interface SearchBody {
  items: Results['items'];
  total: number;
  total_is: 'exact' | 'at_least';
  meta: { next_cursor: string | null; corrections: { from: string; to: string }[] };
}

function toResults({ items, total, total_is, meta }: SearchBody): Results {
  return { items, total, exact: total_is === 'exact', next: meta.next_cursor, corrections: meta.corrections };
}

/** What was asked in words is marked where it stands. */
function markHits(input: Record<string, unknown>): Record<string, unknown> {
  return input.query === undefined || input.query === '*' ? input : { ...input, highlight: true };
}

/** The fields of a search as they came: one text each, only those the operation knows, blank ones left out. */
function queryOf(operation: Operation, request: Request): Query {
  const known = Object.entries(readQuery(operation, request.query));
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}

function faultsOf(found: { kind: string; faults?: string[]; message?: string }): string[] {
  return found.faults ?? [found.message ?? 'Nothing was found.'];
}
