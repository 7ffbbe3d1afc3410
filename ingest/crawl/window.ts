import { type HttpResponse, UpstreamRefused } from '../http/client.ts';
import { type ReadPage, readOcdsPage } from '../parse/page.ts';
import { UnreadablePage } from '../parse/repair.ts';
import type { Span } from '../runs/spans.ts';
import type { WindowReader } from './state.ts';

export interface ReadWindow {
  kind: 'read';
  pages: ReadPage[];
  /** Releases in the answers, also those that were quarantined. */
  rows: number;
  /** More may be published in it than came. */
  full: boolean;
  requests: number;
}

export interface UnreadableWindow {
  kind: 'unreadable';
  reason: string;
  url: string;
  bytes: Uint8Array;
  requests: number;
}

const REREAD_WAIT_MS = 5_000;
/** Pages of one request that are followed by their cursor. */
const MOST_PAGES = 100;

/** Reads the answers for one span, one request after another. An answer that cannot be read is asked for once more before it is given up. */
export async function readWindow(reader: WindowReader, span: Span): Promise<ReadWindow | UnreadableWindow> {
  const { source, baseUrl } = reader;
  const pages: ReadPage[] = [];
  let requests = 0;
  for (const url of source.listRequests(baseUrl, span)) {
    const answer = await readPage(reader, url);
    requests += answer.requests;
    if (answer.kind === 'unreadable') return { ...answer, requests };
    pages.push(answer.page);
  }
  const full = pages.some((page) => countRows([page]) >= source.pageRows || page.next !== null);
  return { kind: 'read', pages, rows: countRows(pages), full, requests };
}

/** Follows the cursors of a full window that cannot be cut. Rows are lost on that way (measured), so it proves nothing. */
export async function followCursor(reader: WindowReader, window: ReadWindow): Promise<ReadWindow | UnreadableWindow> {
  const pages: ReadPage[] = [];
  let { requests } = window;
  for (const first of window.pages) {
    pages.push(first);
    let { next } = first;
    for (let followed = 1; next !== null && followed < MOST_PAGES; followed++) {
      const more = await readPage(reader, ontoBase(next, reader.baseUrl));
      requests += more.requests;
      if (more.kind === 'unreadable') return { ...more, requests };
      pages.push(more.page);
      next = more.page.next;
    }
  }
  return { ...window, pages, requests, rows: countRows(pages) };
}

function countRows(pages: readonly ReadPage[]): number {
  return pages.reduce((sum, { releases, quarantined }) => sum + releases.length + quarantined.length, 0);
}

/** The services name their public host in `links.next`; the host asked stays the one that was set. */
function ontoBase(next: string, baseUrl: string): string {
  const { pathname, search } = new URL(next, baseUrl);
  return `${baseUrl}${pathname}${search}`;
}

type PageAnswer = { kind: 'page'; page: ReadPage; requests: number } | UnreadableWindow;

async function readPage(reader: WindowReader, url: string): Promise<PageAnswer> {
  const first = await readOnce(reader, url);
  if (first.kind === 'page') return first;
  await reader.sleep(REREAD_WAIT_MS, reader.signal);
  const second = await readOnce(reader, url);
  return { ...second, requests: first.requests + second.requests };
}

async function readOnce({ client, source, signal }: WindowReader, url: string): Promise<PageAnswer> {
  const response: HttpResponse | null = await client.fetch({ url, signal });
  if (!response) throw new UpstreamRefused(`${url}: nothing is served at this address (404)`, 404);
  const { bytes, requests } = response;
  try {
    return { kind: 'page', page: readOcdsPage(bytes, { source: source.id, url }), requests };
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error;
    return { kind: 'unreadable', reason: error.message, url, bytes, requests };
  }
}
