import type { Router } from 'express';
import { makeOpenApi } from '../../openapi/document.ts';
import { readSources } from '../../reads/sources.ts';
import { madeOf } from '../../validation/known-sources.ts';
import { WORDS_CHARS } from '../components/repeat-in-part.ts';
import type { Web } from '../context.ts';
import { makeRouter } from '../serving/router.ts';
import { agentsPage } from './agents.tsx';
import { errorsPage } from './errors.tsx';
import { guidePage } from './guide.tsx';
import { makeLlmsText } from './llms.ts';
import { noticeTypesPage } from './notice-types.tsx';
import { pricingPage } from './pricing.tsx';
import { findReceiver } from './receivers.ts';
import { readReference } from './reference.ts';
import { referencePage } from './reference-page.tsx';
import { webhooksPage } from './webhooks.tsx';

const LLMS_KEPT = 'public, max-age=300';

/** The API reference and the price list, both read from the contract. */
export function makeDocsRoutes(web: Web): Router {
  const router = makeRouter();
  const { services, context } = web;
  const { settings } = services;
  const readEntries = madeOf((operations) => readReference(makeOpenApi(settings, operations), settings.BASE_URL));
  const findEntries = async () => readEntries(await context.describeOperations());

  router.get('/docs', async ({ query }, response) =>
    web.send(response, guidePage(await findEntries(), settings, readWords(query.query))),
  );
  router.get('/docs/agents', (_request, response) => web.send(response, agentsPage(context.operations, settings)));
  router.get('/docs/errors', (_request, response) => web.send(response, errorsPage(settings)));
  router.get('/docs/notice-types', (_request, response) => web.send(response, noticeTypesPage()));
  router.get('/docs/webhooks', (_request, response) => web.send(response, webhooksPage(settings)));
  router.get('/docs/webhooks/:language', ({ params }, response, next) => {
    const receiver = findReceiver(params.language);
    return receiver ? web.send(response, webhooksPage(settings, receiver)) : next();
  });
  // Older links to the viewer name an endpoint in their fragment, which is the id of its row.
  router.get('/docs/try', (_request, response) => response.redirect(301, '/docs'));
  router.get('/docs/:id', async (request, response, next) => {
    const entry = (await findEntries()).find(({ id }) => id === request.params.id);
    return entry ? web.send(response, referencePage(entry, settings)) : next();
  });
  router.get('/llms.txt', async (_request, response) => {
    const text = makeLlmsText(await findEntries(), await readSources(services.catalogue), settings);
    response.set('Cache-Control', LLMS_KEPT).type('text').send(text);
  });
  router.get('/pricing', async (request, response) =>
    web.send(response, pricingPage(await findEntries(), settings, request.query)),
  );
  return router;
}

function readWords(sent: unknown): string {
  return typeof sent === 'string' ? sent.trim().slice(0, WORDS_CHARS) : '';
}
