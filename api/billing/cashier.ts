import type Stripe from 'stripe';
import type { Settings } from '../../schema/config/settings.ts';
import { CURRENCY, type Quote } from './price.ts';

/** An order of credits to send to Stripe. */
interface Order {
  /** `pay_…`: also the key by which Stripe opens the session once, even if it is asked again. */
  paymentId: string;
  accountId: string;
  quote: Quote;
  email: string;
}

/** The only module that uses Stripe's library. */
export interface Cashier {
  /** Whether it takes real money. */
  live: boolean;
  /** Opens a page at Stripe where the order is paid. @throws Error where Stripe cannot be reached or refuses. */
  openCheckout(order: Order): Promise<{ sessionId: string; url: string }>;
  /** Verifies and parses an event of Stripe's webhook from its raw bytes. @throws BadSignature where Stripe did not sign it just now. */
  readEvent(body: Buffer, signature: string): Stripe.Event;
}

export class BadSignature extends Error {
  override name = 'BadSignature';
}

const TIMEOUT_MS = 20_000;
const RETRIES = 2;
/** Seconds for which a signature is valid, so that an old delivery cannot be sent again. */
const TOLERANCE_SECONDS = 300;

/**
 * The card payments of this service, or null without STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET. The library (23 MB) is loaded
 * only where it is used. `openCheckout` throws what the library throws, `readEvent` throws BadSignature.
 */
export async function openCashier(settings: Settings): Promise<Cashier | null> {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret } = settings;
  if (!key || !secret) return null;
  const { default: Library } = await import('stripe');
  const stripe = new Library(key, {
    ...placeOf(settings.STRIPE_URL),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
  return {
    live: key.includes('_live_'),
    async openCheckout(order) {
      const session = await stripe.checkout.sessions.create(toSession(order, settings), {
        idempotencyKey: order.paymentId,
      });
      if (!session.url) throw new Error(`Stripe opened ${session.id} without a page`);
      return { sessionId: session.id, url: session.url };
    },
    readEvent(body, signature) {
      try {
        return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
      } catch (error) {
        throw new BadSignature(firstLineOf(error), { cause: error });
      }
    },
  };
}

/** Stripe's library adds advice for programmers below. */
function firstLineOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}

function placeOf(address: string): { host: string; port: number; protocol: 'http' | 'https' } {
  const { protocol, hostname, port } = new URL(address);
  const isPlain = protocol === 'http:';
  return { host: hostname, port: Number(port) || (isPlain ? 80 : 443), protocol: isPlain ? 'http' : 'https' };
}

function toSession(
  { paymentId, accountId, quote, email }: Order,
  settings: Settings,
): Stripe.Checkout.SessionCreateParams {
  const billing = `${settings.APP_URL}/dashboard/billing`;
  const name = `${quote.credits.toLocaleString('en-GB')} credits`;
  const vat = quote.vat > 0 ? [lineOf(`VAT ${quote.vatPercent}%`, quote.vat)] : [];
  return {
    mode: 'payment',
    client_reference_id: paymentId,
    customer_email: email,
    line_items: [lineOf(name, quote.net), ...vat],
    // Stripe's dashboard may let people abroad pay in their currency: a payment or dispute in it would not fit the order.
    adaptive_pricing: { enabled: false },
    // What a service restored from a backup needs to recognise the payment.
    metadata: {
      payment: paymentId,
      account: accountId,
      credits: quote.credits,
      vat: quote.vat,
      vat_percent: quote.vatPercent,
    },
    payment_intent_data: {
      description: name,
      metadata: { payment: paymentId },
      ...(settings.STRIPE_RECEIPTS ? { receipt_email: email } : {}),
    },
    success_url: `${billing}?payment=${paymentId}`,
    cancel_url: `${billing}?cancelled`,
  };
}

function lineOf(name: string, pence: number): Stripe.Checkout.SessionCreateParams.LineItem {
  return { quantity: 1, price_data: { currency: CURRENCY, unit_amount: pence, product_data: { name } } };
}
