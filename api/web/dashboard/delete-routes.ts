import { type Request, type Response, Router } from 'express';
import { isoInstant } from '../../../schema/clocks.ts';
import { closeAccount } from '../../../schema/close-account.ts';
import { readPayments } from '../../../schema/payments.ts';
import type { Web } from '../web.ts';
import { deletePage, WORD } from './delete.tsx';
import { leave, readPerson } from './enter.ts';
import { type MakeSigned, readField, type Signed, type SignedHandler } from './signed.ts';
import type { Throttle } from './throttle.ts';

const PLACE = '/dashboard/settings/delete';
/** Newest payments among which one may be on its way: an older one has come or failed long ago. */
const PAYMENTS = 100;

/** Deleting one's own account. */
export function makeDeleteRoutes(web: Web, signed: MakeSigned, throttle: Throttle): Router {
  const router = Router();
  router.get(
    PLACE,
    signed((who, _request, response) => show(web, who, response), 'settings'),
  );
  router.post(PLACE, signed(deleteAccount(web, throttle)));
  return router;
}

async function show(web: Web, { account, person }: Signed, response: Response, fault?: string): Promise<void> {
  const isPaymentPending = await hasPendingPayment(web, account.id);
  const page = deletePage(person, { balance: account.balance, isPaymentPending, fault });
  await web.send(response, page, fault ? 422 : 200);
}

async function hasPendingPayment({ house }: Web, accountId: string): Promise<boolean> {
  const payments = await readPayments(house.accounts, accountId, PAYMENTS);
  return payments.some(({ state }) => state === 'pending');
}

function deleteAccount(web: Web, throttle: Throttle): SignedHandler {
  const { house, auth, log } = web;
  return async (who, request: Request, response) => {
    const { account, visitor } = who;
    const { cookie } = request.headers;
    if (await hasPendingPayment(web, account.id)) return show(web, who, response, 'A payment is on its way.');
    if (readField(request, 'word') !== WORD) return show(web, who, response, `Type ${WORD} in capital letters.`);
    await throttle.tries(request, visitor.email);
    if (!(await auth.isPassword(cookie, readPerson(request).password)))
      return show(web, who, response, 'The password is not right.');
    await closeAccount(house.accounts, account, { at: isoInstant(house.clocks.wallNow()), secret: house.secret });
    log.info({ account: account.id }, 'an account was deleted by its holder');
    return leave(response, await auth.signOut(cookie), '/sign-in?said=deleted');
  };
}
