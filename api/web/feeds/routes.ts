import type { Request, Response, Router } from 'express';
import { Feed } from 'feed';
import { joinAttributions } from '../../../schema/reference/licence.ts';
import { readAttributions } from '../../reads/sources.ts';
import { toWritable } from '../components/format.ts';
import { labelTenders } from '../components/labels.ts';
import { joinTitle, SITE_NAME } from '../components/layout.tsx';
import { withQuery } from '../components/links.ts';
import type { Web } from '../context.ts';
import { nameFilters } from '../filters/active.tsx';
import { readPartyNames } from '../filters/party-names.ts';
import { type Query, readSearchQuery, refuseNames, shortestQuery } from '../queries/hits.ts';
import { makeRouter } from '../serving/router.ts';
import { type FeedEntry, type FeedScope, findEntries } from './entries.ts';

const ENTRIES = 50;
/** Feed readers poll often. */
const SHARED = 'public, max-age=300';
const TITLES: Readonly<Record<FeedScope, (query: Query) => string>> = {
  notices: () => 'Notices',
  tenders: ({ status }) => labelTenders(status),
  contracts: () => 'Contracts',
};

/** Every search as an Atom feed: the parameters of its page, newest first, matching all words. */
export function makeFeedRoutes(web: Web): Router {
  const router = makeRouter();
  router.get('/notices.atom', (request, response) => sendFeed(web, 'notices', request, response));
  router.get('/tenders.atom', (request, response) => sendFeed(web, 'tenders', request, response));
  router.get('/contracts.atom', (request, response) => sendFeed(web, 'contracts', request, response));
  return router;
}

async function sendFeed(web: Web, scope: FeedScope, request: Request, response: Response): Promise<void> {
  const { services } = web;
  const unknown = refuseNames(scope, request.query);
  if (unknown.length > 0) return void response.status(422).type('text/plain').send(unknown.join('\n'));
  const { sort: _, cursor: __, match: ___, ...query } = shortestQuery(scope, readSearchQuery(scope, request.query));
  const titles = await web.readTitles();
  const { results, faults } = await findEntries(services, scope, query, { limit: ENTRIES, titles });
  if (!results) return void response.status(422).type('text/plain').send(faults.join('\n'));
  const { APP_URL: appUrl } = services.settings;
  const parties = await readPartyNames(services.catalogue, {}, query, results.items[0]?.buyer);
  const xml = makeFeed({
    title: joinTitle(query.query, TITLES[scope](query), nameFilters(scope, query, { titles, parties }), SITE_NAME),
    selfUrl: appUrl + withQuery(`/${scope}.atom`, query),
    pageUrl: appUrl + withQuery(`/${scope}`, query),
    appUrl,
    entries: results.items,
    asOf: newestOf(Object.values(results.asOf)),
    rights: joinAttributions(await readAttributions(services.catalogue)),
  });
  // Express answers 304 if the ETag is unchanged. The date of the newest entry does not show a change in the others.
  response.set('Cache-Control', SHARED);
  response.type('application/atom+xml').send(xml);
}

function newestOf(instants: readonly (string | null)[]): Date {
  return new Date(Math.max(0, ...instants.flatMap((instant) => (instant ? Date.parse(instant) : []))));
}

interface FeedOf {
  title: string;
  /** URLs of the feed, of the page with the same search, and of the web app. */
  selfUrl: string;
  pageUrl: string;
  appUrl: string;
  entries: readonly FeedEntry[];
  /** The date of an empty feed. */
  asOf: Date;
  /** What the publishers of the entries ask for. */
  rights: string;
}

/** The Atom feed (RFC 4287) of a search. The same entries give the same bytes. */
function makeFeed({ title, selfUrl, pageUrl, appUrl, entries, asOf, rights }: FeedOf): string {
  const updated = entries.length > 0 ? new Date(Math.max(...entries.map(({ date }) => date.getTime()))) : asOf;
  const feed = new Feed({
    id: pageUrl,
    title: toWritable(title),
    link: pageUrl,
    feed: selfUrl,
    updated,
    author: { name: SITE_NAME, link: appUrl },
    copyright: rights,
    generator: false,
  });
  for (const { path, part, title: name, summary, date, buyer } of entries) {
    const url = appUrl + path;
    feed.addItem({
      id: part ? `${url}#${encodeURIComponent(part)}` : url,
      link: url,
      title: asHtml(name),
      description: asHtml(summary),
      date,
      published: date,
      ...(buyer && { author: [{ name: toWritable(buyer) }] }),
    });
  }
  return feed.atom1();
}

/** The library marks texts as HTML, so plain text is escaped. */
function asHtml(text: string): string {
  return toWritable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
