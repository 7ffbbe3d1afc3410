import type Stripe from 'stripe';
import type { Reversal, SessionNews } from '../../schema/accounts/payments.ts';

/** What an event from Stripe means to us. */
export type News =
  | {
      kind: 'session';
      news: SessionNews;
      amount: number | null;
      currency: string | null;
      /** The data that our own checkout wrote into the session; null where some of it is missing. */
      order: OrderMetadata | null;
    }
  | { kind: 'reversal'; reversal: Reversal; currency: string }
  | { kind: 'nothing'; subject: string };

/** An order as its session describes it, for a service that has lost its own record. */
interface OrderMetadata {
  accountId: string;
  credits: number;
  vat: number;
  vatPercent: number;
}

/**
 * Reads an event. Pure; the caller checks whether its payment is known and its sums are right. The webhook has to be subscribed
 * to these types; any other changes nothing.
 */
export function readNews(event: Stripe.Event): News {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return readSession(event.type, event.data.object, event.created);
    case 'charge.refunded':
      return readCharge(event.data.object, event.created);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return readRefund(event.data.object, event.created);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return readDispute(event.data.object, event.created);
    default:
      return { kind: 'nothing', subject: idOf(event.data.object as { id?: string }) ?? '' };
  }
}

function readSession(type: string, session: Stripe.Checkout.Session, saidAt: number): News {
  const paymentId = session.client_reference_id;
  // Another product's checkout on the same Stripe account.
  if (!paymentId?.startsWith('pay_')) return { kind: 'nothing', subject: session.id };
  const news = {
    paymentId,
    sessionId: session.id,
    intent: idOf(session.payment_intent),
    state: stateOf(type, session),
    saidAt,
  };
  return {
    kind: 'session',
    news,
    amount: session.amount_total,
    currency: session.currency,
    order: readOrder(session.metadata),
  };
}

function readOrder(metadata: Stripe.Metadata | null | undefined): OrderMetadata | null {
  const { account = '', credits = '', vat = '', vat_percent: percent = '' } = metadata ?? {};
  const isWhole = /^acc_\w+$/.test(account) && /^[1-9]\d{0,8}$/.test(credits) && /^\d{1,9}$/.test(vat);
  if (!isWhole || !/^\d{1,2}(\.\d+)?$/.test(percent)) return null;
  return { accountId: account, credits: Number(credits), vat: Number(vat), vatPercent: Number(percent) };
}

function stateOf(type: string, session: Stripe.Checkout.Session): SessionNews['state'] {
  if (type === 'checkout.session.expired') return 'expired';
  if (type === 'checkout.session.async_payment_failed') return 'failed';
  // A delayed method (a bank debit) completes unpaid; a later event reports the money or its failure.
  return session.payment_status === 'paid' ? 'paid' : 'pending';
}

/** `amount_refunded` is the sum of all refunds so far. */
function readCharge(charge: Stripe.Charge, saidAt: number): News {
  return reversal(charge, 'charge', { amount: charge.amount_refunded, isEffective: true, status: 'refunded', saidAt });
}

const FAILED_REFUND = ['failed', 'canceled'];

function readRefund(refund: Stripe.Refund, saidAt: number): News {
  const status = refund.status ?? 'unknown';
  return reversal(refund, 'refund', {
    amount: refund.amount,
    isEffective: !FAILED_REFUND.includes(status),
    status,
    saidAt,
  });
}

/** A warning is an inquiry: no money has moved. */
const QUIET_DISPUTE = ['won', 'warning_needs_response', 'warning_under_review', 'warning_closed'];

function readDispute(dispute: Stripe.Dispute, saidAt: number): News {
  const { status } = dispute;
  // A prevented dispute was either refunded (`resolution`), or its bank dropped it (`block`) and no money has moved.
  const isBlocked = status === 'prevented' && dispute.payment_method_details?.card?.case_type === 'block';
  return reversal(dispute, 'dispute', {
    amount: dispute.amount,
    isEffective: !isBlocked && !QUIET_DISPUTE.includes(status),
    status,
    saidAt,
  });
}

function reversal(
  of: { id: string; payment_intent: string | { id: string } | null; currency: string },
  kind: Reversal['kind'],
  stated: Pick<Reversal, 'amount' | 'isEffective' | 'status' | 'saidAt'>,
): News {
  const intent = idOf(of.payment_intent);
  if (!intent) return { kind: 'nothing', subject: of.id };
  return { kind: 'reversal', reversal: { id: of.id, intent, kind, ...stated }, currency: of.currency };
}

/** Stripe sends a related object as its id, or in full if that was requested. */
function idOf(related: string | { id?: string } | null | undefined): string | null {
  return (typeof related === 'string' ? related : related?.id) ?? null;
}
