import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { openLog } from '../../schema/process/log.ts';
import { openMail, type SendMail } from '../../schema/process/mail.ts';
import { openCashier } from '../billing/cashier.ts';
import { findRetryAfter } from '../contract/errors.ts';
import type { Services } from '../contract/operation.ts';
import { URL_BYTES } from '../http/body.ts';
import type { ExchangeClasses } from '../http/serve.ts';
import { operations } from '../operations/index.ts';
import { type Context, makeContext } from '../process/context.ts';
import { makeAboutRoutes } from './about/routes.ts';
import { loadAssets } from './assets.ts';
import type { Auth } from './auth/open.ts';
import { makeCategoryRoutes } from './categories/routes.ts';
import { errorPage, notFoundPage } from './components/error-pages.tsx';
import { type Page, renderPage, type Surroundings } from './components/layout.tsx';
import type { Web } from './context.ts';
import { makeDashboardRoutes } from './dashboard/routes.ts';
import { makeDirectoryRoutes } from './directory/routes.ts';
import { makeDocsRoutes } from './docs/routes.ts';
import { makeFeedRoutes } from './feeds/routes.ts';
import { makeLegalRoutes } from './legal/routes.ts';
import { makeRecordRoutes } from './records/routes.ts';
import { makeEverythingRoutes } from './search/everything-routes.ts';
import { ASKED, cleanAddress, makeSearchRoutes } from './search/routes.ts';
import { makePublishers, makeSampleNote, makeSourceTitles } from './serving/cached-read.ts';
import { redirectToLowerCase, refuseMethods } from './serving/router.ts';
import { compressShared, limitPages, limitReading, secureHeaders, TooMany, writeRobots } from './serving/security.ts';
import { makeWatchRoutes } from './watches/stop.tsx';

const FORM_BYTES = 20 * 1024;
/** Pages that are the same for everybody stay a minute in any cache. */
const SHARED = 'public, max-age=60';
const PERSONAL = 'private, no-store';

/** Pages and feeds of data. They have a daily limit: otherwise they are a free bulk API. */
const DATA = [
  makeEverythingRoutes,
  makeSearchRoutes,
  makeFeedRoutes,
  makeRecordRoutes,
  makeDirectoryRoutes,
  makeCategoryRoutes,
];
const OTHERS = [makeAboutRoutes, makeDocsRoutes, makeLegalRoutes, makeWatchRoutes, makeDashboardRoutes];

/** The pages, the dashboard and their assets. @param context - the server's services; absent: the pages build and close their own */
export async function makeWebApp(
  services: Services,
  log = openLog(services.settings, 'web'),
  context?: Context,
): Promise<{ handler: RequestListener; classes: ExchangeClasses; close(): Promise<void> }> {
  const assets = await loadAssets();
  const auth = loadAuth(services, log, await openMail(services.settings));
  const readTitles = makeSourceTitles(services);
  const surroundings = makeSurroundings({ services, log, assets: assets.paths, readTitles });
  const rendered = new WeakMap<Page, string>();
  const ownContext = context ?? makeContext(services, operations, log);
  const web: Web = {
    services,
    context: ownContext,
    auth: auth.open,
    cashier: await openCashier(services.settings),
    log,
    assets: assets.paths,
    readTitles,
    async send(response, page, status = 200) {
      // A cached page is rendered once.
      const isOfFault = status >= 500;
      const html = rendered.get(page) ?? renderPage(page, isOfFault ? surroundings.known() : await surroundings.read());
      rendered.set(page, html);
      sendHtml(response, html, page, status);
    },
  };
  const app = makeApp(web, assets.serve);
  const close = async () => {
    if (!context) await closeContext(ownContext);
    await auth.close();
  };
  return { handler: app, classes: classesOf(app), close };
}

/**
 * What the layout of every page needs. A page about a fault reads nothing: a read might fail or wait like the one before. Any
 * other page shows what was last known while the catalogue cannot be read.
 */
function makeSurroundings({
  services,
  log,
  assets,
  readTitles,
}: Pick<Web, 'services' | 'log' | 'assets' | 'readTitles'>) {
  const readSample = makeSampleNote(services);
  const readPublishers = makePublishers(services);
  let known: Surroundings = { assets, sample: null, titles: new Map(), publishers: [] };
  return {
    known: () => known,
    async read(): Promise<Surroundings> {
      try {
        known = { assets, sample: await readSample(), titles: await readTitles(), publishers: await readPublishers() };
      } catch (error) {
        log.error({ err: error }, 'a page shows what was last known of the sources');
      }
      return known;
    },
  };
}

/**
 * The auth library, loaded by the first page that needs it. It takes a third of the start of an API process and 30 MB of
 * memory, and many processes never sign anybody in. If it cannot be opened, the next page tries again. If one of its files could
 * not be read, Node keeps that error: nobody signs in until the process starts again.
 */
function loadAuth({ settings, secret, accounts, machine }: Services, log: Logger, mail: SendMail | null) {
  let opened: Promise<Auth> | undefined;
  const load = async () =>
    (await import('./auth/open.ts')).openAuth(settings, secret, { accounts, machine, mail, log });
  return {
    open(): Promise<Auth> {
      opened ??= load().catch((error) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async close(): Promise<void> {
      await (await opened)?.close();
    },
  };
}

async function closeContext({ callers, committer }: Context): Promise<void> {
  await callers.close();
  await committer.drain();
}

function makeApp(web: Web, serveAssets: RequestHandler): Express {
  const { settings } = web.services;
  const data = DATA.map((makeRoutes) => makeRoutes(web));
  const routers = [...data, ...OTHERS.map((makeRoutes) => makeRoutes(web))];
  const app = express();
  app.set('trust proxy', settings.TRUST_PROXY);
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.use(secureHeaders(settings));
  app.use(serveAssets);
  app.use(limitPages(web.services));
  app.use((request, _response, next) => next(request.url.length > URL_BYTES ? { status: 414 } : undefined));
  app.get(ASKED, cleanAddress);
  app.use(limitReading(web.services, data));
  app.use(compressShared);
  app.get('/robots.txt', (_request, response) => void response.type('text').send(writeRobots(settings)));
  app.use(refuseLarge, express.urlencoded({ extended: false, limit: FORM_BYTES }));
  app.use(...routers, refuseMethods(routers), redirectToLowerCase(routers));
  app.use((_request, response) => web.send(response, notFoundPage(), 404));
  app.use(makeErrorHandler(web));
  return app;
}

/**
 * Classes with the prototypes that Express gives requests and responses. It then has none to change: in V8 up to Node 22 each
 * object whose prototype was changed gets hidden classes of its own, one for every property added from then on.
 */
function classesOf(app: Express): ExchangeClasses {
  class PageRequest extends IncomingMessage {}
  class PageResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(PageRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(PageResponse.prototype, app.response);
  return { IncomingMessage: PageRequest, ServerResponse: PageResponse };
}

/** Refuses a large body at once: the parser would read it to its end first. */
const refuseLarge: RequestHandler = ({ headers }, _response, next) =>
  next(Number(headers['content-length'] ?? 0) > FORM_BYTES ? { status: 413 } : undefined);

function sendHtml(response: Response, html: string, page: Page, status: number): void {
  if (!response.hasHeader('Cache-Control'))
    response.set('Cache-Control', page.personal || status >= 400 ? PERSONAL : SHARED);
  response.status(status).type('html').send(html);
}

/** Logs an error with its path and shows a page without its message. */
function makeErrorHandler(web: Web): ErrorRequestHandler {
  return async (error: unknown, request, response, _next): Promise<void> => {
    if (hasLeft(error)) return;
    const status = statusOf(error);
    const requestId = String(response.getHeader('X-Request-Id') ?? '');
    if (status >= 500) web.log.error({ err: error, path: request.path, request_id: requestId }, 'a page failed');
    if (response.headersSent) return void response.destroy();
    const waitSeconds = error instanceof TooMany ? error.waitSeconds : findRetryAfter(error);
    if (waitSeconds !== null) response.set('Retry-After', String(waitSeconds));
    await web.send(
      response,
      errorPage(status, { requestId, waitSeconds, text: error instanceof TooMany ? error.text : undefined }),
      status,
    );
  };
}

/** Whether the person closed the connection while a file was sent. */
const hasLeft = (error: unknown) => (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE';

function statusOf(error: unknown): number {
  if (findRetryAfter(error) !== null) return 503;
  const status = (error as { status?: unknown }).status;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}
