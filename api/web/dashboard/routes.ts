import type { Request, Router } from 'express';
import { beginningOf } from '../components/repeat-in-part.ts';
import type { Web } from '../context.ts';
import { makeRouter } from '../serving/router.ts';
import { makeBillingRoutes } from './billing/routes.ts';
import { makeExportRoutes } from './exports/list.tsx';
import { makeNewExportRoutes } from './exports/new-routes.ts';
import { readWanted } from './keys/list.tsx';
import { showOverview } from './keys/overview-page.tsx';
import { makeKeyRoutes } from './keys/pages.tsx';
import { makeDeleteRoutes } from './settings/delete.tsx';
import { makeSettingsRoutes } from './settings/page.tsx';
import { makeConfirmRoutes } from './sign-in/confirm.tsx';
import { makeResetRoutes } from './sign-in/reset.tsx';
import { makeEntryRoutes } from './sign-in/routes.ts';
import { makeThrottle } from './sign-in/throttle.ts';
import { makeSigned, type ShowAgain } from './signed-in.ts';
import { makeLedgerRoutes } from './spending/ledger-routes.ts';
import { makeUsageRoutes } from './spending/usage.tsx';
import { makeWatchFormRoutes } from './watches/form-routes.ts';
import { makeWatchPageRoutes } from './watches/routes.ts';

const SEEN =
  'This form had been sent already, so nothing was done twice. A key is shown in full only once: roll it if you did not keep it.';

/** The account's pages: signing in, settings, balance, keys, usage, ledger, exports, watches and billing. */
export function makeDashboardRoutes(web: Web): Router {
  const router = makeRouter();
  const showAgain: ShowAgain = (who, _request, response, refusal) => showOverview(web, who, response, { refusal });
  const signed = makeSigned(web, showAgain);
  const throttle = makeThrottle(web.services);
  router.get(
    '/dashboard',
    signed((who, request, response) =>
      showOverview(web, who, response, { ...readNote(request), wanted: beginningOf({ ...readWanted(request.query) }) }),
    ),
  );
  router.use(
    makeEntryRoutes(web, signed, throttle),
    makeConfirmRoutes(web, throttle),
    makeResetRoutes(web, throttle),
    makeSettingsRoutes(web, signed, throttle),
    makeDeleteRoutes(web, signed, throttle),
    makeUsageRoutes(web, signed),
    makeLedgerRoutes(web, signed),
    makeNewExportRoutes(web, signed),
    makeExportRoutes(web, signed),
    makeKeyRoutes(web, signed),
    makeBillingRoutes(web, signed),
    makeWatchFormRoutes(web, signed),
    makeWatchPageRoutes(web, signed),
  );
  return router;
}

/** `?seen` in the address: the form had already been sent. */
function readNote({ query }: Request): { note?: string } {
  return query.seen === undefined ? {} : { note: SEEN };
}
