import { readLedger } from '../../../schema/accounts/ledger/lines.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { type PaymentLine, readPayment } from '../../../schema/accounts/payments.ts';
import { type BuildOptions, type BuiltServer, buildServer } from '../../support/services.ts';
import { makeOperator, type Operator } from '../web/operator.ts';
import { makeVisitor, signUp, type Visitor } from '../web/visitor.ts';
import { makeEvent, type StandIn, sign, startStripe } from './stripe-stub.ts';

/** A server that sells credits, with its stand-in of Stripe. */
export interface Till {
  built: BuiltServer;
  stripe: StandIn;
  operator: Operator;
  /** Somebody new, signed in, with the free credits. */
  signUp(): Promise<{ visitor: Visitor; accountId: string }>;
  /** Begins to buy on the billing page. */
  order(visitor: Visitor, credits: number): Promise<Order>;
  /** What was begun last, by whomever. */
  lastOrder(): Promise<Order>;
  /** Sends an event as Stripe does; answers the status and what came of it. */
  tell(event: object, how?: Parameters<typeof sign>[1]): Promise<{ status: number; outcome: string }>;
  /** Spends credits as the ledger knows it. */
  spend(accountId: string, credits: number): Promise<void>;
  balance(accountId: string): Promise<number>;
  faults(): Promise<unknown[]>;
  close(): Promise<void>;
}

export interface Order {
  paymentId: string;
  sessionId: string;
  intent: string;
  amount: number;
  payment(): Promise<PaymentLine>;
}

export async function openTill(
  settings: Record<string, string> = {},
  build: (options: BuildOptions) => Promise<BuiltServer> = buildServer,
): Promise<Till> {
  const stripe = await startStripe();
  const operator = makeOperator();
  const built = await build({ web: operator.web, settings: { ...stripe.settings, ...settings } });
  let people = 0;
  let spent = 0;
  const lastOrder = () => readLastOrder(stripe, built);
  return {
    built,
    stripe,
    operator,
    async signUp() {
      people += 1;
      const visitor = makeVisitor(built.url);
      const email = `buyer${people}@example.org`;
      await signUp(visitor, operator, { name: `Buyer ${people}`, email });
      await visitor.get('/dashboard/billing');
      const [row] = await built.accounts.read<{ id: string }>({
        sql: 'SELECT a.id FROM account a JOIN auth_user u ON u.id = a.user_id WHERE u.email = ?',
        args: [email],
      });
      return { visitor, accountId: row?.id ?? '' };
    },
    async order(visitor, credits) {
      const { status } = await visitor.post('/dashboard/billing/checkout', { credits: String(credits) });
      if (status !== 303) throw new Error(`the checkout answered ${status}`);
      return lastOrder();
    },
    lastOrder,
    async tell(event, how) {
      const { payload, signature } = sign(event, how);
      const response = await fetch(`${built.url}/webhooks/stripe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body: payload,
      });
      const body = (await response.json()) as { outcome?: string; error?: string };
      return { status: response.status, outcome: body.outcome ?? body.error ?? '' };
    },
    async spend(accountId, credits) {
      spent += 1;
      await built.accounts.write([
        {
          sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, created_at)
                VALUES (?, 'charge', ?, '@revenue', ?, 'lookup_thing', '2026-11-21T12:00:00Z')`,
          args: [`charge:spent${spent}`, accountId, credits],
        },
      ]);
    },
    async balance(accountId) {
      const lines = await readLedger(built.accounts, accountId, { limit: 1_000 });
      return lines.reduce((sum, { credits }) => sum + credits, 0);
    },
    faults: async () => (await verifyLedger(built.accounts)).faults,
    async close() {
      await built.close();
      await stripe.close();
    },
  };
}

async function readLastOrder({ sessions }: StandIn, { accounts }: BuiltServer): Promise<Order> {
  const asked = sessions.at(-1);
  const paymentId = asked?.idempotencyKey ?? '';
  const payment = async () => {
    const line = await readPayment(accounts, paymentId);
    if (!line) throw new Error(`no payment ${paymentId}`);
    return line;
  };
  const { amount } = await payment();
  return { paymentId, sessionId: asked?.id ?? '', intent: `pi_${paymentId}`, amount, payment };
}

/** The session of an order as Stripe tells of it. */
export const sessionOf = (order: Order, more: object = {}) => ({
  id: order.sessionId,
  object: 'checkout.session',
  client_reference_id: order.paymentId,
  payment_intent: order.intent,
  payment_status: 'paid',
  amount_total: order.amount,
  currency: 'gbp',
  ...more,
});

export const paidEvent = (order: Order, more: object = {}) =>
  makeEvent('checkout.session.completed', sessionOf(order, more));

/** A refund as Stripe tells of it. */
export const refundOf = (order: Order, id: string, amount: number, status = 'succeeded') => ({
  id,
  object: 'refund',
  payment_intent: order.intent,
  amount,
  currency: 'gbp',
  status,
});

/** A dispute as Stripe tells of it. */
export const disputeOf = (order: Order, id: string, status: string) => ({
  id,
  object: 'dispute',
  payment_intent: order.intent,
  amount: order.amount,
  currency: 'gbp',
  status,
});

/** Somebody new buys 1,000 credits. */
export async function buy(till: Till): Promise<{ visitor: Visitor; accountId: string; order: Order }> {
  const buyer = await till.signUp();
  const order = await till.order(buyer.visitor, 1_000);
  await till.tell(paidEvent(order));
  return { ...buyer, order };
}

/** When Stripe said it, in seconds since the epoch, unless a test says otherwise. */
export const SAID_AT = 1_780_000_000;

export const refund = (order: Order, id: string, amount: number, status?: string, created = SAID_AT) =>
  makeEvent(status === 'failed' ? 'refund.failed' : 'refund.created', refundOf(order, id, amount, status), { created });
export const charge = (order: Order, amount: number, created = SAID_AT) =>
  makeEvent(
    'charge.refunded',
    { id: `ch_${order.intent}`, payment_intent: order.intent, amount_refunded: amount, currency: 'gbp' },
    { created },
  );
export const dispute = (order: Order, status: string, created = SAID_AT) =>
  makeEvent(
    `charge.dispute.${status === 'needs_response' ? 'created' : 'closed'}`,
    disputeOf(order, `du_${order.intent}`, status),
    { created },
  );
