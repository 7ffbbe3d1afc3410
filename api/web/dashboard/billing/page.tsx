import type { PaymentLine } from '../../../../schema/accounts/payments.ts';
import type { Quote } from '../../../billing/price.ts';
import { formatCount, formatInstant, formatNumbered, formatPounds } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { withQuery } from '../../components/links.ts';
import { Facts, Figures, Older, Table } from '../../components/parts.tsx';
import { dashboardPage, type Person, Token, When } from '../frame.tsx';
import { Needed, Notes } from './notes.tsx';

interface Billing {
  accountId: string;
  balance: number;
  pencePerCredit: number;
  vatPercent: number;
  /** What can be bought by card; null if card payments are off. */
  shop: { packs: Quote[]; least: number; most: number } | null;
  /** Whom to ask for credits if card payments are off. */
  contact?: string | undefined;
  payments: PaymentLine[];
  /** The last of them, where there are older ones. */
  next?: string | undefined;
  /** Credits that were taken back beyond the balance, of all payments. */
  owed: number;
  /** Keys that have reached their monthly cap. */
  cappedKeys: readonly string[];
  /** The person cancelled on Stripe's page. */
  isCancelled: boolean;
  /** The payment that the person returns from. */
  justPaid?: PaymentLine | undefined;
  fault?: string | undefined;
  /** The number of credits in a refused form. */
  wanted?: string | undefined;
}

/** The page to buy credits, with past payments. */
export function billingPage(person: Person, billing: Billing): Page {
  const { balance, pencePerCredit, payments, next, shop } = billing;
  return dashboardPage(
    person,
    { title: 'Billing', tab: 'billing' },
    <>
      <Figures
        figures={[
          { value: formatCount(balance), label: 'credits left' },
          { value: formatPounds(pencePerCredit), label: 'net price of one credit' },
        ]}
      />
      <Notes {...billing} />
      <Needed {...billing} />
      <h2>Top up</h2>
      {shop ? <Shop {...billing} token={person.token} shop={shop} /> : <Ask {...billing} />}
      <p>
        What a call costs is in the <a href="/pricing">price list</a>. Credits do not expire.
      </p>
      <h2>Payments</h2>
      <Payments payments={payments} />
      {next && <Older href={withQuery('/dashboard/billing', { before: next })} what="payments" />}
    </>,
  );
}

type ShopProps = Pick<Billing, 'vatPercent' | 'wanted'> & { token: string; shop: NonNullable<Billing['shop']> };

function Shop({ token, shop, vatPercent, wanted }: ShopProps) {
  return (
    <>
      <p>
        Pay by card on Stripe's page; credits are added at once.
        {vatPercent > 0 && ` Prices include ${vatPercent}% VAT.`}
      </p>
      <form method="post" action="/dashboard/billing/checkout" class="row">
        <Token token={token} />
        {shop.packs.map(({ credits, total }) => (
          <button key={credits} type="submit" name="credits" value={String(credits)}>
            {formatNumbered(credits, 'credit')} for {formatPounds(total)}
          </button>
        ))}
      </form>
      <form method="post" action="/dashboard/billing/checkout" class="row">
        <Token token={token} />
        <div class="field narrow">
          <label for="credits">
            Another number of credits
            <span class="hint">
              From {formatCount(shop.least)} to {formatCount(shop.most)}.
            </span>
          </label>
          <input id="credits" name="credits" inputMode="numeric" pattern="[0-9, ]{1,12}" required value={wanted} />
        </div>
        <button type="submit">Buy</button>
      </form>
    </>
  );
}

function Ask({ contact, accountId, pencePerCredit }: Billing) {
  return (
    <p>
      Card payments are not available here. Ask{' '}
      {contact ? (
        <a href={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</a>
      ) : (
        'the operator of this service'
      )}{' '}
      for credits, by invoice, and quote your account: <code>{accountId}</code>. {formatNumbered(1000, 'credit')} cost{' '}
      {formatPounds(pencePerCredit * 1000)} net. They appear in your <a href="/dashboard/ledger">ledger</a> as soon as
      they are granted.
    </p>
  );
}

function Payments({ payments }: { payments: PaymentLine[] }) {
  if (payments.length === 0) return <p>None yet.</p>;
  return (
    <Table label="Payments, newest first" columns={['When', 'Credits', 'Paid', 'State']} numbers={['Credits', 'Paid']}>
      {payments.map((payment) => (
        <tr key={payment.id}>
          <td>
            <When at={payment.paid_at ?? payment.created_at} />
          </td>
          <td class="number">{formatCount(payment.credits)}</td>
          <td class="number">
            {formatPounds(payment.amount)}
            {payment.vat > 0 && <span class="hint">{formatPounds(payment.vat)} VAT</span>}
          </td>
          <td>
            {payment.state === 'paid' ? <a href={receiptPath(payment)}>Receipt</a> : 'payment on its way'}
            <TakenBack {...payment} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function TakenBack({ taken_back, shortfall }: PaymentLine) {
  return (
    <>
      {taken_back > 0 && <span class="hint">{formatNumbered(taken_back, 'credit')} taken back</span>}
      {shortfall > 0 && <span class="hint">{formatNumbered(shortfall, 'credit')} still owed</span>}
    </>
  );
}

const receiptPath = ({ id }: PaymentLine) => `/dashboard/billing/receipts/${id}`;

/** A receipt for one payment. */
export function receiptPage(person: Person, payment: PaymentLine, seller: string | undefined): Page {
  const { id, credits, amount, vat, vat_percent, paid_at, taken_back } = payment;
  return dashboardPage(
    person,
    { title: 'Receipt', tab: 'billing' },
    <>
      {seller && (
        <p>
          {seller.split(';').map((part) => (
            <span class="hint" key={part}>
              {part.trim()}
            </span>
          ))}
        </p>
      )}
      <Facts
        facts={[
          ['Receipt', <code>{id}</code>],
          ['Paid', formatInstant(paid_at)],
          ['By', person.name],
          ['For', formatNumbered(credits, 'credit')],
          ['Net', vat > 0 && formatPounds(amount - vat)],
          [`VAT ${vat_percent}%`, vat > 0 && formatPounds(vat)],
          ['Total', formatPounds(amount)],
          ['Taken back since', taken_back > 0 && formatNumbered(taken_back, 'credit')],
        ]}
      />
      <p>
        <a href="/dashboard/billing">Billing</a>
      </p>
    </>,
  );
}
