import { type Request, type Response, Router } from 'express';
import { type Account, createKey, readKeys, revokeKey } from '../../../schema/accounts-store.ts';
import { isoInstant } from '../../../schema/clocks.ts';
import { readLedger } from '../../../schema/ledger.ts';
import type { Visitor } from '../auth/auth.ts';
import { makeForms } from '../auth/forms.ts';
import { StaleForm } from '../security.ts';
import type { Web } from '../web.ts';
import { openAccount } from './entry-routes.ts';
import { billingPage, createdKeyPage, ledgerPage, overviewPage, type Person } from './pages.tsx';

const RECENT_LINES = 8;
const PAGE_LINES = 50;
/** A person who needs more keys than this is keeping them somewhere they should not. */
const KEYS_MOST = 50;

interface Signed {
  visitor: Visitor;
  account: Account;
  person: Person;
}

type SignedHandler = (signed: Signed, request: Request, response: Response) => Promise<void>;

/** Balance, ledger and keys of whoever is signed in. */
export function makeDashboardRoutes(web: Web): Router {
  const router = Router();
  const { house } = web;
  const forms = makeForms(house.settings, house.secret);

  const signed =
    (handle: SignedHandler, next?: string) =>
    async (request: Request, response: Response): Promise<void> => {
      response.set('Cache-Control', 'private, no-store');
      const visitor = await web.auth.readVisitor(request.headers.cookie);
      if (!visitor) return response.redirect(303, next ? `/sign-in?next=${next}` : '/sign-in');
      if (request.method === 'POST' && !forms.accept(request, visitor.sessionId)) throw new StaleForm();
      const token = forms.issue(request, response, visitor.sessionId);
      const account = await openAccount(web, visitor);
      return handle({ visitor, account, person: { name: visitor.name, token } }, request, response);
    };

  router.get('/dashboard', signed(showOverview(web)));
  router.get('/dashboard/ledger', signed(showLedger(web), 'ledger'));
  router.get(
    '/dashboard/billing',
    signed(async ({ account, person }, _request, response) => {
      const page = billingPage(person, account.balance, house.settings.PENCE_PER_CREDIT, account.id);
      await web.send(response, page);
    }, 'billing'),
  );
  // Where the API's 402 sends people.
  router.get('/dashboard/top-up', (_request, response) => response.redirect(302, '/dashboard/billing'));
  router.post('/dashboard/keys', signed(makeNewKey(web)));
  // Where somebody lands who asks again for the page that showed a new key.
  router.get('/dashboard/keys', (_request, response) => response.redirect(303, '/dashboard#keys'));
  router.post(
    '/dashboard/keys/revoke',
    signed(async ({ account }, request, response) => {
      const id: unknown = request.body?.key;
      const at = isoInstant(house.clocks.wallNow());
      if (typeof id === 'string') await revokeKey(house.accounts, account.id, id, at);
      response.redirect(303, '/dashboard#keys');
    }),
  );
  return router;
}

function showOverview(web: Web): SignedHandler {
  return async ({ account, person }, _request, response) => {
    const { accounts } = web.house;
    const keys = await readKeys(accounts, account.id);
    const recent = await readLedger(accounts, account.id, { limit: RECENT_LINES });
    await web.send(response, overviewPage(person, account.balance, keys, recent));
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

function makeNewKey(web: Web): SignedHandler {
  return async ({ account, person }, request, response) => {
    const { accounts, settings, clocks } = web.house;
    const came: unknown = request.body?.name;
    const name = typeof came === 'string' ? came.trim().slice(0, 80) : '';
    const keys = await readKeys(accounts, account.id);
    if (!name || keys.filter((key) => !key.revoked_at).length >= KEYS_MOST) return response.redirect(303, '/dashboard');
    const at = isoInstant(clocks.wallNow());
    const made = await createKey(accounts, { accountId: account.id, name, prefix: settings.KEY_PREFIX, at });
    await web.send(response, createdKeyPage(person, { name, key: made.key }, settings.BASE_URL));
  };
}
