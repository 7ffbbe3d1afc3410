import { Router } from 'express';
import { readKeys } from '../../../schema/accounts-store.ts';
import { isoInstant } from '../../../schema/clocks.ts';
import { readLedger } from '../../../schema/ledger.ts';
import type { Web } from '../web.ts';
import { makeBillingRoutes } from './billing-routes.ts';
import { makeKeyRoutes } from './key-routes.ts';
import { ledgerPage, overviewPage } from './pages.tsx';
import { makeSigned, type SignedHandler } from './signed.ts';

const RECENT_LINES = 8;
const PAGE_LINES = 50;

/** Balance, ledger, keys and top-ups of whoever is signed in. */
export function makeDashboardRoutes(web: Web): Router {
  const router = Router();
  const signed = makeSigned(web);
  router.get('/dashboard', signed(showOverview(web)));
  router.get('/dashboard/ledger', signed(showLedger(web), 'ledger'));
  router.use(makeKeyRoutes(web, signed));
  router.use(makeBillingRoutes(web, signed));
  return router;
}

function showOverview(web: Web): SignedHandler {
  return async ({ account, person }, _request, response) => {
    const { accounts, clocks } = web.house;
    const now = isoInstant(clocks.wallNow());
    const keys = await readKeys(accounts, account.id, now);
    const recent = await readLedger(accounts, account.id, { limit: RECENT_LINES });
    await web.send(response, overviewPage(person, { balance: account.balance, keys, recent, now }));
  };
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
