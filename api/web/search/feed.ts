import type { Request, Response, Router } from 'express';
import { Feed } from 'feed';
import { ATTRIBUTION } from '../../../schema/reference/licence.ts';
import { formatDay, formatMoney } from '../components/format.ts';
import { labelStage } from '../components/labels.ts';
import { joinTitle, SITE_NAME } from '../components/layout.tsx';
import { noticePath, withQuery } from '../components/links.ts';
import type { SourceTitles } from '../components/source-title.ts';
import type { Web } from '../context.ts';
import { chosenParties, nameFilters } from '../filters/active.tsx';
import { findHits, type Hit, readSearchQuery, type Scope, shortestQuery } from '../queries/hits.ts';
import { makeRouter } from '../serving/router.ts';

const ENTRIES = 50;
/** Feed readers poll often. */
const SHARED = 'public, max-age=300';
/** Notices have a day of publication that they are sorted and dated by. */
type FeedScope = Exclude<Scope, 'contracts'>;
const TITLES = { notices: 'Notices', tenders: 'Live tenders' } as const;

/** Every search as an Atom feed: the parameters of its page, newest first, matching all words. */
export function makeFeedRoutes(web: Web): Router {
  const router = makeRouter();
  router.get('/notices.atom', (request, response) => sendFeed(web, 'notices', request, response));
  router.get('/tenders.atom', (request, response) => sendFeed(web, 'tenders', request, response));
  return router;
}

async function sendFeed(web: Web, scope: FeedScope, request: Request, response: Response): Promise<void> {
  const { sort: _, cursor: __, match: ___, ...query } = shortestQuery(scope, readSearchQuery(scope, request.query));
  const { results, faults } = await findHits(web.services, scope, { ...query, sort: '-published' }, { limit: ENTRIES });
  if (!results) return void response.status(422).type('text/plain').send(faults.join('\n'));
  const { APP_URL: appUrl } = web.services.settings;
  const titles = await web.readTitles();
  const found = results.items[0]?.buyer;
  const parties = new Map(
    chosenParties('buyer', query).flatMap((one): [string, string][] => (found ? [[one, found]] : [])),
  );
  const { xml, updated } = makeFeed({
    title: joinTitle(query.query, TITLES[scope], nameFilters(scope, query, { titles, parties }), SITE_NAME),
    selfUrl: appUrl + withQuery(`/${scope}.atom`, query),
    pageUrl: appUrl + withQuery(`/${scope}`, query),
    appUrl,
    hits: results.items,
    titles,
    asOf: newestOf(Object.values(results.asOf)),
  });
  response.set({ 'Cache-Control': SHARED, 'Last-Modified': updated.toUTCString() });
  // Express answers 304 if the ETag or the date is unchanged.
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
  hits: readonly Hit[];
  titles: SourceTitles;
  /** The date of an empty feed. */
  asOf: Date;
}

/** The Atom feed (RFC 4287) of a search, and the instant of its newest entry. The same hits give the same bytes. */
function makeFeed({ title, selfUrl, pageUrl, appUrl, hits, titles, asOf }: FeedOf): {
  xml: string;
  updated: Date;
} {
  const dates = hits.map(dateOf);
  const updated = dates.length > 0 ? new Date(Math.max(...dates.map((date) => date.getTime()))) : asOf;
  const feed = new Feed({
    id: pageUrl,
    title: plain(title),
    link: pageUrl,
    feed: selfUrl,
    updated,
    author: { name: SITE_NAME, link: appUrl },
    copyright: ATTRIBUTION,
    generator: false,
  });
  for (const hit of hits) {
    const url = appUrl + noticePath(hit.notice_id);
    feed.addItem({
      // A notice can belong to several processes.
      id: hit.ocid ? `${url}#${encodeURIComponent(hit.ocid)}` : url,
      link: url,
      title: asHtml(hit.title),
      description: asHtml([factsOf(hit, titles), hit.extract].filter(Boolean).join(' - ')),
      date: dateOf(hit),
      published: dateOf(hit),
      ...(hit.buyer && { author: [{ name: plain(hit.buyer) }] }),
    });
  }
  return { xml: feed.atom1(), updated };
}

function factsOf({ stage, source, value, currency, region, deadline }: Hit, titles: SourceTitles): string {
  const facts = [
    stage && labelStage(stage),
    deadline && `closes ${formatDay(deadline)}`,
    formatMoney(value, currency),
    region,
    source && (titles.get(source) ?? source),
  ];
  return facts.filter(Boolean).join(', ');
}

function dateOf({ published_at, published }: Hit): Date {
  return new Date(published_at ?? `${published}T00:00:00Z`);
}

/** Characters that XML 1.0 cannot contain, and lone surrogates. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function plain(text: string): string {
  return text.replace(UNWRITABLE, ' ');
}

/** The library marks texts as HTML, so plain text is escaped. */
function asHtml(text: string): string {
  return plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
