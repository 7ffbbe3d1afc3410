import { isoInstant } from '../../schema/config/clocks.ts';
import { type Answer, Refusal } from '../contract/errors.ts';
import { readBytes } from '../http/body.ts';
import { admitAnyone, type Exchange, respond } from '../http/exchange.ts';
import type { Context } from '../process/context.ts';
import { BadSignature, type Cashier, openCashier } from './cashier.ts';
import { settleEvent } from './settle.ts';

export const WEBHOOK_PATH = '/webhooks/stripe';
/** Stripe's events stay far below it. */
const EVENT_BYTES = 256 * 1024;

/** Receives Stripe's events on payments. There is no session or form token: only the signature over the bytes is trusted. */
export async function makeWebhook(context: Context): Promise<(exchange: Exchange) => void> {
  const cashier = await openCashier(context.services.settings);
  return (exchange) => void respond(context, exchange, () => hear(context, cashier, exchange));
}

async function hear(context: Context, cashier: Cashier | null, exchange: Exchange): Promise<Answer> {
  const { request, requestId } = exchange;
  await admitAnyone(context.webhookLimits, exchange);
  if (!cashier) throw new Refusal(404, 'no_such_route', 'Credits are not sold by card here.');
  if (request.method !== 'POST') {
    throw new Refusal(405, 'method_not_allowed', 'This address answers POST only.', { headers: { Allow: 'POST' } });
  }
  const body = await readBytes(request, EVENT_BYTES);
  const event = readSigned(cashier, body, request.headers['stripe-signature']);
  const { accounts, clocks, settings: prices } = context.services;
  const at = isoInstant(clocks.wallNow());
  const settled = await settleEvent(accounts, event, { live: cashier.live, at, prices });
  const facts = {
    request_id: requestId,
    event: event.id,
    type: event.type,
    subject: settled.subject,
    outcome: settled.outcome,
  };
  if (settled.worry) context.log.warn(facts, 'a payment needs a look');
  else context.log.info(facts, 'an event of a payment');
  return { status: 200, body: JSON.stringify({ received: true, outcome: settled.outcome }) };
}

function readSigned(cashier: Cashier, body: Buffer, signature: string | string[] | undefined) {
  try {
    return cashier.readEvent(body, String(signature ?? ''));
  } catch (error) {
    if (!(error instanceof BadSignature)) throw error;
    throw new Refusal(400, 'invalid_signature', 'This is not an event that Stripe signed just now. Nothing was done.');
  }
}
