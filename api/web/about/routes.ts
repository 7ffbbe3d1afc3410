import type { Router } from 'express';
import { getStatus } from '../../operations/status/get.ts';
import { readSources } from '../../reads/sources.ts';
import type { Web } from '../context.ts';
import { findHits, type Query, type Results, type Scope } from '../queries/hits.ts';
import { runForPage } from '../queries/run-operation.ts';
import { cacheFor } from '../serving/cached-read.ts';
import { makeRouter } from '../serving/router.ts';
import { type Fresh, homePage } from './home.tsx';
import type { Status } from './sources-table.tsx';
import { STATUS_DAYS, statusPage } from './status.tsx';

/** The front page is the most visited page, and a year of days is expensive to read. */
const FRESH_MS = 60_000;
const LINES = 5;

/** The pages about the service itself. */
export function makeAboutRoutes(web: Web): Router {
  const router = makeRouter();
  const { settings } = web.services;
  const readHome = cacheFor(FRESH_MS, async () =>
    homePage({
      status: await readStatus(web, 1),
      fresh: await readFresh(web),
      freeCredits: settings.SIGNUP_CREDITS,
    }),
  );
  router.get('/', async (_request, response) => web.send(response, await readHome()));
  const readYear = cacheFor(FRESH_MS / 2, async () =>
    statusPage(await readStatus(web, STATUS_DAYS), settings.AS_OF !== undefined),
  );
  router.get('/status', async (_request, response) => web.send(response, await readYear()));
  return router;
}

async function readStatus(web: Web, days: number): Promise<Status> {
  const found = await runForPage(getStatus, { days }, web.services);
  if (found.kind !== 'answer') throw new Error('the status cannot be read');
  const known = await readSources(web.services.catalogue);
  const registers = new Set(known.flatMap(({ id, kind }) => (kind === 'register' ? [id] : [])));
  const sources = found.body.sources.map((one) => ({ ...one, isRegister: registers.has(one.source) }));
  // The services that publish notices come first.
  return { ...found.body, sources: sources.sort((a, b) => Number(a.isRegister) - Number(b.isRegister)) };
}

/** New notices and tenders that close soon, each null if no search engine answers. */
async function readFresh(web: Web): Promise<Fresh> {
  const look = async (scope: Scope, query: Query): Promise<Results | null> => {
    try {
      return (await findHits(web.services, scope, query, { limit: LINES })).results;
    } catch (error) {
      web.log.error({ err: error, path: '/' }, 'the front page does without a search');
      return null;
    }
  };
  const [closing, newest] = await Promise.all([
    look('tenders', { query: '*', sort: 'deadline' }),
    look('notices', { sort: '-published' }),
  ]);
  return { now: web.services.clocks.catalogueNow(), closing, newest };
}
