import type { Request, Response, Router } from 'express';
import { joinTitle, SITE_NAME } from '../components/layout.tsx';
import { withQuery } from '../components/links.ts';
import type { Web } from '../context.ts';
import { nameFilters } from '../filters/active.tsx';
import { findHits, readSearchQuery, type Scope, shortestQuery } from '../queries/hits.ts';
import { makeRouter } from '../serving/router.ts';
import { makeFeed } from './feed.ts';

const ENTRIES = 50;
/** Readers of feeds ask again and again. */
const SHARED = 'public, max-age=300';
const TITLES = { notices: 'Notices', tenders: 'Live tenders' } as const;

/** Every search as an Atom feed: the same parameters as its page, always the newest first and with all of the words. */
export function makeFeedRoutes(web: Web): Router {
  const router = makeRouter();
  router.get('/notices.atom', (request, response) => sendFeed(web, 'notices', request, response));
  router.get('/tenders.atom', (request, response) => sendFeed(web, 'tenders', request, response));
  return router;
}

async function sendFeed(web: Web, scope: Scope, request: Request, response: Response): Promise<void> {
  const { sort: _, cursor: __, match: ___, ...query } = shortestQuery(readSearchQuery(scope, request.query));
  const { results, faults } = await findHits(web.services, scope, { ...query, sort: '-published' }, { limit: ENTRIES });
  if (!results) return void response.status(422).type('text/plain').send(faults.join('\n'));
  const { APP_URL: appUrl } = web.services.settings;
  const buyer = results.items[0]?.buyer ?? undefined;
  const { xml, updated } = makeFeed({
    title: joinTitle(query.query, TITLES[scope], nameFilters(query, buyer), SITE_NAME),
    selfUrl: appUrl + withQuery(`/${scope}.atom`, query),
    pageUrl: appUrl + withQuery(`/${scope}`, query),
    appUrl,
    hits: results.items,
    asOf: newestOf(Object.values(results.asOf)),
  });
  response.set({ 'Cache-Control': SHARED, 'Last-Modified': updated.toUTCString() });
  // Whoever sends back the tag or the date of what it holds is answered 304.
  response.type('application/atom+xml').send(xml);
}

function newestOf(instants: readonly (string | null)[]): Date {
  return new Date(Math.max(0, ...instants.flatMap((instant) => (instant ? Date.parse(instant) : []))));
}
