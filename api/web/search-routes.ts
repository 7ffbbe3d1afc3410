import type { Request, Response, Router } from 'express';
import type { z } from 'zod';
import { searchFrameworks } from '../operations/search-frameworks.ts';
import { readBuyerNames } from '../reads/buyers.ts';
import { ask, readQuery } from './ask.ts';
import { countsAtOnce, facetBuyers, groupFacets, PAGE_FACETS } from './facets.ts';
import { findHitsOrSome, type Query, readSearchQuery, type Scope } from './find-hits.ts';
import { frameworksPage } from './pages/frameworks.tsx';
import { searchPage } from './pages/results.tsx';
import { makeRouter } from './router.ts';
import type { Web } from './web.ts';

/** The searches. An address holds the whole search, under the API's own names. */
export function makeSearchRoutes(web: Web): Router {
  const router = makeRouter();
  router.get('/notices', (request, response) => showResults(web, 'notices', request, response));
  router.get('/tenders', (request, response) => showResults(web, 'tenders', request, response));
  router.get('/frameworks', (request, response) => showFrameworks(web, request, response));
  return router;
}

async function showResults(web: Web, scope: Scope, request: Request, response: Response): Promise<void> {
  const { catalogue, clocks, settings } = web.house;
  const query = readSearchQuery(scope, request.query);
  const presented = countsAtOnce(scope, query) ? { facets: PAGE_FACETS[scope] } : {};
  const { results, faults } = await findHitsOrSome(web.house, scope, query, presented);
  const groups = results
    ? groupFacets(scope, query, results, await readBuyerNames(catalogue, facetBuyers(results)))
    : [];
  const { APP_URL: appUrl, BASE_URL: baseUrl } = settings;
  const page = { scope, query, results, groups, faults, now: clocks.catalogueNow(), appUrl, baseUrl };
  await web.send(response, searchPage(page), results ? 200 : 422);
}

async function showFrameworks(web: Web, request: Request, response: Response): Promise<void> {
  const asked = readQuery(searchFrameworks, request.query);
  const query: Query = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)]));
  const found = await ask(searchFrameworks, asked, web.house);
  if (found.kind !== 'answer') {
    const faults = found.kind === 'refused' ? found.faults : [found.message];
    return web.send(response, frameworksPage({ query, results: null, faults }), 422);
  }
  const more = found.body.meta.any ? await ask(searchFrameworks, { ...asked, match: 'any' }, web.house) : null;
  const some = more?.kind === 'answer' ? { some: toFrameworks(more.body) } : {};
  await web.send(response, frameworksPage({ query, results: { ...toFrameworks(found.body), ...some }, faults: [] }));
}

function toFrameworks({ items, total = 0, total_is, meta }: z.input<typeof searchFrameworks.output>) {
  return { items, total, exact: total_is === 'exact', next: meta.next_cursor };
}
