import type { Request, Response, Router } from 'express';
import { closeAccount } from '../../../../schema/accounts/customer/erase.ts';
import { hasPendingPayment } from '../../../../schema/accounts/payments.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import { formatNumbered } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { leave, type Refusal, readPerson, refusal } from '../form-answers.ts';
import { dashboardPage, Fault, type Person, Token } from '../frame.tsx';
import { PresentPassword } from '../sign-in/forms.tsx';
import type { Throttle } from '../sign-in/throttle.ts';
import { type MakeSigned, readField, type Signed, type SignedHandler } from '../signed-in.ts';

const PLACE = '/dashboard/settings/delete';

/** Deleting an account. */
export function makeDeleteRoutes(web: Web, signed: MakeSigned, throttle: Throttle): Router {
  const router = makeRouter();
  router.get(
    PLACE,
    signed((who, _request, response) => show(web, who, response), 'delete'),
  );
  router.post(
    PLACE,
    signed(deleteAccount(web, throttle), 'delete', (who, _request, response, refused) =>
      show(web, who, response, refused),
    ),
  );
  return router;
}

async function show(web: Web, { account, person }: Signed, response: Response, refused?: Refusal): Promise<void> {
  const isPaymentPending = await hasPendingPayment(web.services.accounts, account.id);
  const page = deletePage(person, { balance: account.balance, isPaymentPending, fault: refused?.fault });
  await web.send(response, page, refused?.status ?? 200);
}

function deleteAccount(web: Web, throttle: Throttle): SignedHandler {
  const { services, context, log } = web;
  return async (who, request: Request, response) => {
    const { account, visitor } = who;
    const { cookie } = request.headers;
    const auth = await web.auth();
    const refuse = (fault: string) => show(web, who, response, refusal(fault));
    if (await hasPendingPayment(services.accounts, account.id)) return refuse('A payment is on its way.');
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

/** The word to type before an account is deleted. */
const WORD = 'DELETE';

interface DeleteView {
  balance: number;
  /** A payment is pending: the account stays until it arrives or fails. */
  isPaymentPending: boolean;
  fault?: string | undefined;
}

/** The page that deletes an account: what goes, what stays, and the form. */
function deletePage(person: Person, { balance, isPaymentPending, fault }: DeleteView): Page {
  return dashboardPage(
    person,
    { title: 'Delete this account', tab: 'settings' },
    <>
      <Fault text={fault} />
      <h2>What is deleted, at once and permanently</h2>
      <ul>
        <li>your name and e-mail address, the password and every session</li>
        <li>every API key: it stops working at once, everywhere within 2 seconds</li>
        <li>your exports, with their filters and files</li>
        <li>your watches, and what they delivered</li>
        <li>
          {balance > 0
            ? `the ${formatNumbered(balance, 'credit')} you have left: they are lost and not paid back`
            : 'no credits: none are left'}
        </li>
      </ul>
      <h2>What stays</h2>
      <ul>
        <li>the ledger and the list of payments, as accounting law requires, under a number and without your name</li>
        <li>
          a fingerprint of your e-mail address, from which the address cannot be read. An address gets free credits
          once: if you sign up with it again, there are none
        </li>
      </ul>
      <p>
        You may want to <a href="/dashboard/settings/data">download your data</a> first.
      </p>
      {isPaymentPending ? <Pending /> : <DeleteForm token={person.token} />}
    </>,
  );
}

function Pending() {
  return (
    <div class="note warn">
      <p>
        A payment of yours is on its way. The account can be deleted once it is in your{' '}
        <a href="/dashboard/ledger">ledger</a>, or has failed.
      </p>
    </div>
  );
}

function DeleteForm({ token }: { token: string }) {
  return (
    <form method="post" action="/dashboard/settings/delete" class="narrow">
      <Token token={token} />
      <PresentPassword />
      <div class="field">
        <label for="word">
          Type <strong>{WORD}</strong>
        </label>
        <input id="word" name="word" required autoComplete="off" maxLength={20} />
      </div>
      <button type="submit" class="grave">
        Delete for good
      </button>
    </form>
  );
}
