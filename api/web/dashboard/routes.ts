import { type Request, Router } from 'express';
import { readLedger } from '../../../schema/ledger.ts';
import type { Web } from '../web.ts';
import { makeBillingRoutes } from './billing-routes.ts';
import { makeConfirmRoutes } from './confirm-routes.ts';
import { makeKeyRoutes } from './key-routes.ts';
import { showOverview } from './overview.ts';
import { ledgerPage } from './pages.tsx';
import { makeSigned, type Signed, type SignedHandler } from './signed.ts';

const PAGE_LINES = 50;
const STALE = 'This confirmation is no longer good. Ask for another mail below.';

/** Balance, ledger, keys and top-ups of whoever is signed in. */
export function makeDashboardRoutes(web: Web): Router {
  const router = Router();
  const signed = makeSigned(web);
  router.get(
    '/dashboard',
    signed((who, request, response) => showOverview(web, who, response, isStale(request, who) ? { fault: STALE } : {})),
  );
  router.get('/dashboard/ledger', signed(showLedger(web), 'ledger'));
  router.use(makeConfirmRoutes(web, signed));
  router.use(makeKeyRoutes(web, signed));
  router.use(makeBillingRoutes(web, signed));
  return router;
}

function showLedger(web: Web): SignedHandler {
  return async ({ account, person }, request, response) => {
    const came = request.query.before;
    const before = typeof came === 'string' && /^\d{1,15}$/.test(came) ? Number(came) : undefined;
    const lines = await readLedger(web.house.accounts, account.id, { limit: PAGE_LINES + 1, before });
    const shown = lines.slice(0, PAGE_LINES);
    const next = lines.length > PAGE_LINES ? (shown.at(-1)?.id ?? null) : null;
    await web.send(response, ledgerPage(person, shown, next));
  };
}

/** Whether somebody has just come by a confirmation that is no longer good, and still needs one. */
function isStale({ query }: Request, { visitor }: Signed): boolean {
  return query.confirm === 'stale' && !visitor.verified;
}
