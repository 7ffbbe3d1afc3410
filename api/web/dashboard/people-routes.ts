import type { Router } from 'express';
import type { Web } from '../context.ts';
import { makeRouter } from '../serving/router.ts';
import { makeDeleteRoutes } from './settings/delete-routes.ts';
import { makeSettingsRoutes } from './settings/routes.ts';
import { makeConfirmRoutes } from './sign-in/confirm-routes.ts';
import { makeResetRoutes } from './sign-in/reset-routes.ts';
import { makeEntryRoutes } from './sign-in/routes.ts';
import { makeThrottle } from './sign-in/throttle.ts';
import { makeSigned } from './signed-in.ts';

/** How people get in, what they change about themselves, and how they go. */
export function makePeopleRoutes(web: Web): Router {
  const router = makeRouter();
  const signed = makeSigned(web);
  const throttle = makeThrottle(web.services.settings, web.services.secret);
  router.use(makeEntryRoutes(web, signed, throttle));
  router.use(makeConfirmRoutes(web, throttle));
  router.use(makeResetRoutes(web, throttle));
  router.use(makeSettingsRoutes(web, signed, throttle));
  router.use(makeDeleteRoutes(web, signed, throttle));
  return router;
}
