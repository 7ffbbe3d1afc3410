import type { Router } from 'express';
import { makeRouter } from './router.ts';
import type { Web } from './web.ts';
import { deprecationPage } from './words/deprecation.tsx';
import { privacyPage } from './words/privacy.tsx';
import { removalPage } from './words/removal.tsx';
import { termsPage } from './words/terms.tsx';

/** What people may rely on, said from the settings in force. */
export function makeWordsRoutes(web: Web): Router {
  const router = makeRouter();
  const { settings } = web.house;
  router.get('/privacy', (_request, response) => web.send(response, privacyPage(settings)));
  router.get('/removal', (_request, response) => web.send(response, removalPage(settings)));
  router.get('/terms', (_request, response) => web.send(response, termsPage(settings)));
  router.get('/deprecation', (_request, response) => web.send(response, deprecationPage(settings)));
  return router;
}
