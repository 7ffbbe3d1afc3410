import type { Router } from 'express';
import { makeOpenApi } from '../openapi.ts';
import { operations } from '../operations/index.ts';
import { agentsPage } from './docs/agents.tsx';
import { errorsPage } from './docs/errors-page.tsx';
import { guidePage } from './docs/guide.tsx';
import { makeLlmsText } from './docs/llms.ts';
import { pricingPage } from './docs/pricing.tsx';
import { readReference } from './docs/reference.ts';
import { referencePage } from './docs/reference-page.tsx';
import { tryPage } from './docs/try.tsx';
import { makeRouter } from './router.ts';
import type { Web } from './web.ts';

const LLMS_KEPT = 'public, max-age=300';

/** The reference and the price list: both read out of the contract, so that neither can disagree with it. */
export function makeDocsRoutes(web: Web): Router {
  const router = makeRouter();
  const { settings } = web.house;
  const entries = readReference(makeOpenApi(settings, operations), settings.BASE_URL);

  router.get('/docs', (_request, response) => web.send(response, guidePage(entries, settings)));
  router.get('/docs/agents', (_request, response) => web.send(response, agentsPage(operations, settings)));
  router.get('/docs/errors', (_request, response) => web.send(response, errorsPage(settings)));
  router.get('/docs/try', (_request, response) => web.send(response, tryPage(entries, settings, web.assets)));
  router.get('/docs/:id', (request, response, next) => {
    const entry = entries.find(({ id }) => id === request.params.id);
    return entry ? web.send(response, referencePage(entry)) : next();
  });
  const llms = makeLlmsText(entries, settings);
  router.get(
    '/llms.txt',
    (_request, response) => void response.set('Cache-Control', LLMS_KEPT).type('text').send(llms),
  );
  router.get('/pricing', (request, response) => web.send(response, pricingPage(entries, settings, request.query)));
  return router;
}
