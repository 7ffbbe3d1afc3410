import { Feed } from 'feed';
import { ATTRIBUTION } from '../../../schema/reference/licence.ts';
import { formatDay, formatMoney } from '../components/format.ts';
import { labelSource, labelStage } from '../components/labels.ts';
import { SITE_NAME } from '../components/layout.tsx';
import { noticePath } from '../components/links.ts';
import type { Hit } from '../queries/hits.ts';

export interface FeedOf {
  title: string;
  /** Whole addresses: of the feed, of the page with the same search, of the web app. */
  selfUrl: string;
  pageUrl: string;
  appUrl: string;
  hits: readonly Hit[];
  /** What an empty feed is as new as. */
  asOf: Date;
}

/** The Atom feed (RFC 4287) of a search, and the instant of its newest entry. The same hits make the same bytes. */
export function makeFeed({ title, selfUrl, pageUrl, appUrl, hits, asOf }: FeedOf): { xml: string; updated: Date } {
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
      // One notice may speak of several processes.
      id: hit.ocid ? `${url}#${encodeURIComponent(hit.ocid)}` : url,
      link: url,
      title: asHtml(hit.title),
      description: asHtml([factsOf(hit), hit.extract].filter(Boolean).join(' - ')),
      date: dateOf(hit),
      published: dateOf(hit),
      ...(hit.buyer && { author: [{ name: plain(hit.buyer) }] }),
    });
  }
  return { xml: feed.atom1(), updated };
}

function factsOf({ stage, source, value, currency, region, deadline }: Hit): string {
  const facts = [
    stage && labelStage(stage),
    deadline && `closes ${formatDay(deadline)}`,
    formatMoney(value, currency),
    region,
    source && labelSource(source),
  ];
  return facts.filter(Boolean).join(', ');
}

function dateOf({ published_at, published }: Hit): Date {
  return new Date(published_at ?? `${published}T00:00:00Z`);
}

/** What XML 1.0 has no way to write, and halves of a character. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function plain(text: string): string {
  return text.replace(UNWRITABLE, ' ');
}

/** The library calls its texts HTML: what was published as plain text must be shown as it stands. */
function asHtml(text: string): string {
  return plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
