import type { Router } from 'express';
import { makeRouter } from '../router.ts';
import type { Web } from '../web.ts';
import { makeConfirmRoutes } from './confirm-routes.ts';
import { makeDeleteRoutes } from './delete-routes.ts';
import { makeEntryRoutes } from './entry-routes.ts';
import { makeResetRoutes } from './reset-routes.ts';
import { makeSettingsRoutes } from './settings-routes.ts';
import { makeSigned } from './signed.ts';
import { makeThrottle } from './throttle.ts';

/** How people get in, what they change about themselves, and how they go. */
export function makePeopleRoutes(web: Web): Router {
  const router = makeRouter();
  const signed = makeSigned(web);
  const throttle = makeThrottle(web.house.settings, web.house.secret);
  router.use(makeEntryRoutes(web, signed, throttle));
  router.use(makeConfirmRoutes(web, throttle));
  router.use(makeResetRoutes(web, throttle));
  router.use(makeSettingsRoutes(web, signed, throttle));
  router.use(makeDeleteRoutes(web, signed, throttle));
  return router;
}
