import type { Router } from 'express';
import type { Web } from '../context.ts';
import { makeRouter } from '../serving/router.ts';
import { privacyPage, removalPage } from './privacy.tsx';
import { deprecationPage, termsPage } from './terms.tsx';

/** Terms, privacy, removal and versions, with the current settings. */
export function makeLegalRoutes(web: Web): Router {
  const router = makeRouter();
  const { settings } = web.services;
  router.get('/privacy', (_request, response) => web.send(response, privacyPage(settings)));
  router.get('/removal', (_request, response) => web.send(response, removalPage(settings)));
  router.get('/terms', (_request, response) => web.send(response, termsPage(settings)));
  router.get('/deprecation', (_request, response) => web.send(response, deprecationPage(settings)));
  return router;
}
