import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openPage } from './chromium.ts';
import { noteMoves } from './look.ts';

/** Where a page is cut: behind each part of its content that a browser may show before the next has come. */
const CUTS = /(?<=<\/(?:p|h1|h2|form|nav|ul|table|dl|details|section)>)(?=.*<\/main>)/s;
const PATH = '/page';

/** Serves a page, the next part of it whenever `sendNext` is called, and everything else as the site does. */
async function startSlowServer(siteUrl: string, html: string) {
  const [head = '', ...content] = html.split(/(?=<main)/);
  const [first, ...parts] = content.join('').split(CUTS);
  let page: ServerResponse | undefined;
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === PATH) {
      page = response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.write(`${head}${first}`);
      return;
    }
    const asset = await fetch(siteUrl + url);
    response.setHeader('Content-Type', asset.headers.get('content-type') ?? '');
    response.end(Buffer.from(await asset.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    /** False where there is no further part: the page is whole. */
    sendNext(): boolean {
      const next = parts.shift();
      if (next === undefined) page?.end();
      else page?.write(next);
      return next !== undefined;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** When something moved in a page that a slow browser shows part by part, in milliseconds since it was asked for. @param html - as the site of that address serves it */
export async function listMovesInPieces(siteUrl: string, html: string): Promise<number[]> {
  const server = await startSlowServer(siteUrl, html);
  const page = await openPage({ viewport: { width: 1200, height: 800 } });
  try {
    await noteMoves(page);
    await page.goto(server.url, { waitUntil: 'commit' });
    do {
      await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
    } while (server.sendNext());
    await page.waitForLoadState();
    return await page.evaluate(() => (window as unknown as { moves: number[] }).moves);
  } finally {
    await page.close();
    server.close();
  }
}
