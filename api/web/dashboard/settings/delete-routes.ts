import type { Request, Response, Router } from 'express';
import { closeAccount } from '../../../../schema/accounts/customer/erase.ts';
import { readPayments } from '../../../../schema/accounts/payments.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { leave, type Refusal, readPerson, refusal } from '../form-answers.ts';
import type { Throttle } from '../sign-in/throttle.ts';
import { type MakeSigned, readField, type Signed, type SignedHandler } from '../signed-in.ts';
import { deletePage, WORD } from './delete.tsx';

const PLACE = '/dashboard/settings/delete';
/** Newest payments among which one may be on its way: an older one has come or failed long ago. */
const PAYMENTS = 100;

/** Deleting one's own account. */
export function makeDeleteRoutes(web: Web, signed: MakeSigned, throttle: Throttle): Router {
  const router = makeRouter();
  router.get(
    PLACE,
    signed((who, _request, response) => show(web, who, response), 'settings'),
  );
  router.post(
    PLACE,
    signed(deleteAccount(web, throttle), 'settings', (who, _request, response, refused) =>
      show(web, who, response, refused),
    ),
  );
  return router;
}

async function show(web: Web, { account, person }: Signed, response: Response, refused?: Refusal): Promise<void> {
  const isPaymentPending = await hasPendingPayment(web, account.id);
  const page = deletePage(person, { balance: account.balance, isPaymentPending, fault: refused?.fault });
  await web.send(response, page, refused?.status ?? 200);
}

async function hasPendingPayment({ services }: Web, accountId: string): Promise<boolean> {
  const payments = await readPayments(services.accounts, accountId, PAYMENTS);
  return payments.some(({ state }) => state === 'pending');
}

function deleteAccount(web: Web, throttle: Throttle): SignedHandler {
  const { services, context, auth, log } = web;
  return async (who, request: Request, response) => {
    const { account, visitor } = who;
    const { cookie } = request.headers;
    const refuse = (fault: string) => show(web, who, response, refusal(fault));
    if (await hasPendingPayment(web, account.id)) return refuse('A payment is on its way.');
    if (readField(request, 'word') !== WORD) return refuse(`Type ${WORD} in capital letters.`);
    await throttle.tries(request, visitor.email);
    if (!(await auth.isPassword(cookie, readPerson(request).password))) return refuse('The password is not right.');
    await closeAccount(services.accounts, account, {
      at: isoInstant(services.clocks.wallNow()),
      secret: services.secret,
    });
    context.callers.forget(account.id);
    log.info({ account: account.id }, 'an account was deleted by its holder');
    return leave(response, await auth.signOut(cookie), '/sign-in?said=deleted');
  };
}
