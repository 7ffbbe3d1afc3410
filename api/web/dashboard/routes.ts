import { type Request, Router } from 'express';
import type { Web } from '../web.ts';
import { makeBillingRoutes } from './billing-routes.ts';
import { makeConfirmRoutes } from './confirm-routes.ts';
import { makeExportRoutes } from './export-routes.ts';
import { makeKeyRoutes } from './key-routes.ts';
import { makeLedgerRoutes } from './ledger-routes.ts';
import { showOverview } from './overview.ts';
import { makeSigned, type Signed } from './signed.ts';
import { makeUsageRoutes } from './usage-routes.ts';

const STALE = 'This confirmation is no longer good. Ask for another mail below.';

/** Balance, ledger, keys and top-ups of whoever is signed in. */
export function makeDashboardRoutes(web: Web): Router {
  const router = Router();
  const signed = makeSigned(web);
  router.get(
    '/dashboard',
    signed((who, request, response) => showOverview(web, who, response, isStale(request, who) ? { fault: STALE } : {})),
  );
  router.use(makeUsageRoutes(web, signed));
  router.use(makeLedgerRoutes(web, signed));
  router.use(makeExportRoutes(web, signed));
  router.use(makeConfirmRoutes(web, signed));
  router.use(makeKeyRoutes(web, signed));
  router.use(makeBillingRoutes(web, signed));
  return router;
}

/** Whether somebody has just come by a confirmation that is no longer good, and still needs one. */
function isStale({ query }: Request, { visitor }: Signed): boolean {
  return query.confirm === 'stale' && !visitor.verified;
}
