import { formatNumbered } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { Fault, Frame, type Person, Token } from '../frame.tsx';
import { PresentPassword } from '../sign-in/forms.tsx';

/** What has to be typed before an account is deleted. */
export const WORD = 'DELETE';

interface DeleteView {
  balance: number;
  /** Money is on its way: the account has to stay until it is there. */
  isPaymentPending: boolean;
  fault?: string | undefined;
}

export function deletePage(person: Person, { balance, isPaymentPending, fault }: DeleteView): Page {
  return {
    title: 'Delete this account',
    section: 'dashboard',
    personal: true,
    body: (
      <Frame tab="settings" title="Delete this account" {...person}>
        <Fault text={fault} />
        <h2>What is deleted, at once and permanently</h2>
        <ul>
          <li>your name and e-mail address, the password and every session</li>
          <li>every API key: it stops working at once, everywhere within 2 seconds</li>
          <li>your exports, with their filters and files</li>
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
      </Frame>
    ),
  };
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
