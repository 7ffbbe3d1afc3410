import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { openLog } from '../../schema/log.ts';
import { openCashier } from '../billing/cashier.ts';
import { findRetryAfter } from '../errors.ts';
import type { House } from '../operation.ts';
import { makeAboutRoutes } from './about-routes.ts';
import { limitPages, limitReading, writeRobots } from './allowances.ts';
import { loadAssets } from './assets.ts';
import { openAuth } from './auth/auth.ts';
import { openMail, type SendMail } from './auth/mail.ts';
import { makeBrowseRoutes } from './browse-routes.ts';
import { compressShared } from './compress.ts';
import { makeEntryRoutes } from './dashboard/entry-routes.ts';
import { makeDashboardRoutes } from './dashboard/routes.ts';
import { makeDocsRoutes } from './docs-routes.ts';
import { makeFeedRoutes } from './feed-routes.ts';
import { type Page, renderPage } from './layout.tsx';
import { makeNameRoutes } from './name-routes.ts';
import { errorPage, notFoundPage } from './pages/errors.tsx';
import { makeSampleNote } from './sample-note.ts';
import { makeSearchRoutes } from './search-routes.ts';
import { secureHeaders, TooMany } from './security.ts';
import type { Web } from './web.ts';

const FORM_BYTES = '20kb';
/** The same page for everybody: a minute in any cache. */
const SHARED = 'public, max-age=60';
const PERSONAL = 'private, no-store';

/** The pages, the dashboard and their assets: everything that is not the API. */
export async function makeWebApp(house: House): Promise<{ handler: RequestListener; close(): Promise<void> }> {
  const log = openLog(house.settings, 'web');
  const assets = await loadAssets();
  const mail = await openMail(house.settings);
  const auth = await openAuth(house.settings, house.secret, mail && logged(mail, log));
  const readSample = makeSampleNote(house);
  const web: Web = {
    house,
    auth,
    cashier: await openCashier(house.settings),
    log,
    assets: assets.paths,
    async send(response, page, status = 200) {
      const html = renderPage(page, { assets: assets.paths, sample: await readSample() });
      sendHtml(response, html, page, status);
    },
  };
  const app = makeApp(web, assets.serve);
  return { handler: app, close: async () => auth.close() };
}

/** A mail that does not leave keeps nobody from signing up: it can be asked for again. The log names no address. */
function logged(mail: SendMail, log: Logger): SendMail {
  return async (message) => {
    try {
      await mail(message);
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log.error({ code, responseCode }, 'a mail was not sent');
    }
  };
}

function makeApp(web: Web, serveAssets: RequestHandler): Express {
  const { settings } = web.house;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', settings.TRUST_PROXY);
  app.set('query parser', 'simple');
  app.use(secureHeaders(settings));
  app.use(serveAssets);
  app.use(limitPages(settings));
  app.use(limitReading(settings));
  app.use(compressShared);
  app.get('/robots.txt', (_request, response) => void response.type('text').send(writeRobots(settings)));
  app.use(express.urlencoded({ extended: false, limit: FORM_BYTES }));
  app.use(makeSearchRoutes(web));
  app.use(makeFeedRoutes(web));
  app.use(makeBrowseRoutes(web));
  app.use(makeAboutRoutes(web));
  app.use(makeDocsRoutes(web));
  app.use(makeNameRoutes(web));
  app.use(makeEntryRoutes(web));
  app.use(makeDashboardRoutes(web));
  app.use((_request, response) => web.send(response, notFoundPage(), 404));
  app.use(makeErrorHandler(web));
  return app;
}

function sendHtml(response: Response, html: string, page: Page, status: number): void {
  if (!response.hasHeader('Cache-Control'))
    response.set('Cache-Control', page.personal || status >= 400 ? PERSONAL : SHARED);
  response.status(status).type('html').send(html);
}

/** Every fault ends here: noted with its path, shown without its words. */
function makeErrorHandler(web: Web): ErrorRequestHandler {
  return async (error: unknown, request, response, _next): Promise<void> => {
    const status = statusOf(error);
    const requestId = String(response.getHeader('X-Request-Id') ?? '');
    if (status >= 500) web.log.error({ err: error, path: request.path, request_id: requestId }, 'a page failed');
    if (response.headersSent) return void response.destroy();
    const waitSeconds = error instanceof TooMany ? error.waitSeconds : findRetryAfter(error);
    if (waitSeconds !== null) response.set('Retry-After', String(waitSeconds));
    await web.send(response, errorPage(status, { requestId, waitSeconds }), status);
  };
}

function statusOf(error: unknown): number {
  if (findRetryAfter(error) !== null) return 503;
  const status = (error as { status?: unknown }).status;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}
