import { Router } from 'express';
import type { Web } from '../web.ts';
import { makeConfirmRoutes } from './confirm-routes.ts';
import { makeEntryRoutes } from './entry-routes.ts';
import { makeResetRoutes } from './reset-routes.ts';
import { makeThrottle } from './throttle.ts';

/** How people get in. */
export function makePeopleRoutes(web: Web): Router {
  const router = Router();
  const throttle = makeThrottle(web.house.settings);
  router.use(makeEntryRoutes(web, throttle));
  router.use(makeConfirmRoutes(web));
  router.use(makeResetRoutes(web, throttle));
  return router;
}
