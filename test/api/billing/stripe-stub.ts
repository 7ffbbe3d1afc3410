import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

const WEBHOOK_SECRET = 'whsec_of_this_test_only';

/** A checkout session as the service asked for it. */
interface Asked {
  id: string;
  form: URLSearchParams;
  idempotencyKey: string;
}

/** The part of Stripe's API that the service uses, on loopback, and events signed as Stripe signs them. */
export interface StandIn {
  settings: Record<string, string>;
  sessions: Asked[];
  /** Makes every request fail, until it is called with false. */
  fail(on: boolean): void;
  close(): Promise<void>;
}

export async function startStripe(): Promise<StandIn> {
  const sessions: Asked[] = [];
  let failing = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.setHeader('content-type', 'application/json');
    if (failing || request.url !== '/v1/checkout/sessions') {
      response.statusCode = failing ? 402 : 404;
      return void response.end(JSON.stringify({ error: { type: 'card_error', message: 'no' } }));
    }
    const idempotencyKey = String(request.headers['idempotency-key']);
    const known = sessions.find((session) => session.idempotencyKey === idempotencyKey);
    const id = known?.id ?? `cs_test_${sessions.length + 1}`;
    if (!known) sessions.push({ id, form: new URLSearchParams(Buffer.concat(chunks).toString()), idempotencyKey });
    response.end(JSON.stringify({ id, object: 'checkout.session', url: `https://checkout.stripe.com/c/pay/${id}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      STRIPE_SECRET_KEY: 'sk_test_of_this_test_only',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_URL: `http://127.0.0.1:${port}`,
    },
    sessions,
    fail(on) {
      failing = on;
    },
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

const library = new Stripe('sk_test_for_signing_only');

/** An event as Stripe delivers it: the bytes and their signature. */
export function sign(event: object, { timestamp, secret }: { timestamp?: number; secret?: string } = {}) {
  const payload = JSON.stringify(event);
  const signature = library.webhooks.generateTestHeaderString({
    payload,
    secret: secret ?? WEBHOOK_SECRET,
    ...(timestamp ? { timestamp } : {}),
  });
  return { payload, signature };
}

let events = 0;

/** An event of a type about an object. `created`, in seconds, is Stripe's own word for when it happened. */
export function makeEvent(type: string, object: object, more: { created?: number; livemode?: boolean } = {}) {
  events += 1;
  return {
    id: `evt_${events}`,
    object: 'event',
    type,
    created: 1_780_000_000,
    livemode: false,
    data: { object },
    ...more,
  };
}
