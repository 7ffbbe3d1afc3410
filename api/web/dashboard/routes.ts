import type { Request, Router } from 'express';
import type { Web } from '../context.ts';
import { makeRouter } from '../serving/router.ts';
import { makeBillingRoutes } from './billing/routes.ts';
import { makeExportRoutes } from './exports/list-routes.ts';
import { makeNewExportRoutes } from './exports/new-routes.ts';
import { showOverview } from './keys/overview.ts';
import { makeKeyRoutes } from './keys/routes.ts';
import { makeSigned } from './signed-in.ts';
import { makeLedgerRoutes } from './spending/ledger-routes.ts';
import { makeUsageRoutes } from './spending/usage-routes.ts';

const SEEN =
  'This form had been sent already, so nothing was done twice. A key is shown in full only once: roll it if you did not keep it.';

/** Balance, ledger, keys and top-ups of whoever is signed in. */
export function makeDashboardRoutes(web: Web): Router {
  const router = makeRouter();
  const signed = makeSigned(web);
  router.get(
    '/dashboard',
    signed((who, request, response) => showOverview(web, who, response, tellOf(request))),
  );
  router.use(makeUsageRoutes(web, signed));
  router.use(makeLedgerRoutes(web, signed));
  router.use(makeNewExportRoutes(web, signed));
  router.use(makeExportRoutes(web, signed));
  router.use(makeKeyRoutes(web, signed));
  router.use(makeBillingRoutes(web, signed));
  return router;
}

/** What the address says has come of a form. */
function tellOf({ query }: Request): { note?: string } {
  return query.seen === undefined ? {} : { note: SEEN };
}
