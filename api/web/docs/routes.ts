import type { Router } from 'express';
import { makeOpenApi } from '../../openapi/document.ts';
import { operations } from '../../operations/index.ts';
import { WORDS_CHARS } from '../components/repeat-in-part.ts';
import type { Web } from '../context.ts';
import { makeRouter } from '../serving/router.ts';
import { agentsPage } from './agents.tsx';
import { errorsPage } from './errors.tsx';
import { guidePage } from './guide.tsx';
import { makeLlmsText } from './llms.ts';
import { pricingPage } from './pricing.tsx';
import { readReference } from './reference.ts';
import { referencePage } from './reference-page.tsx';

const LLMS_KEPT = 'public, max-age=300';

/** The API reference and the price list, both read from the contract. */
export function makeDocsRoutes(web: Web): Router {
  const router = makeRouter();
  const { settings } = web.services;
  const entries = readReference(makeOpenApi(settings, operations), settings.BASE_URL);

  router.get('/docs', ({ query }, response) =>
    web.send(response, guidePage(entries, settings, readWords(query.query))),
  );
  router.get('/docs/agents', (_request, response) => web.send(response, agentsPage(operations, settings)));
  router.get('/docs/errors', (_request, response) => web.send(response, errorsPage(settings)));
  // Older links to the viewer name an endpoint in their fragment, which is the id of its row.
  router.get('/docs/try', (_request, response) => response.redirect(301, '/docs'));
  router.get('/docs/:id', (request, response, next) => {
    const entry = entries.find(({ id }) => id === request.params.id);
    return entry ? web.send(response, referencePage(entry, settings)) : next();
  });
  const llms = makeLlmsText(entries, settings);
  router.get(
    '/llms.txt',
    (_request, response) => void response.set('Cache-Control', LLMS_KEPT).type('text').send(llms),
  );
  router.get('/pricing', (request, response) => web.send(response, pricingPage(entries, settings, request.query)));
  return router;
}

function readWords(sent: unknown): string {
  return typeof sent === 'string' ? sent.trim().slice(0, WORDS_CHARS) : '';
}
