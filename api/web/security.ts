import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../../schema/env.ts';
import { clientAddress } from '../exchange.ts';
import { addressKey } from '../limits.ts';

/** Headers of every page: nothing but our own stylesheet, pictures and forms; no frame, no inline anything. */
export function secureHeaders(settings: Settings): RequestHandler {
  const secure = settings.APP_URL.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'style-src': ["'self'"],
        'img-src': ["'self'"],
        'script-src': ["'self'"],
        'connect-src': ["'self'"],
        // A form's redirect counts as its target: buying ends on Stripe's page.
        'form-action': ["'self'", ...(settings.STRIPE_SECRET_KEY ? ['https://checkout.stripe.com'] : [])],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    // `no-referrer` would make browsers send `Origin: null` with our own forms, and they would be refused.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
  });
}

/** At most so many pages a minute from one address; assets do not count. */
export function limitPages(settings: Settings): RequestHandler {
  const limiter = new RateLimiterMemory({ points: settings.WEB_REQUESTS_PER_MINUTE, duration: 60 });
  return async (request, response, next) => {
    const refusal = await takeOne(limiter, addressKey(clientAddress(request, settings.TRUST_PROXY)));
    if (refusal === null) return next();
    response.set('Retry-After', String(refusal)).status(429);
    next(new TooMany(refusal));
  };
}

/** Somebody asks more often than the published limit. */
export class TooMany extends Error {
  override name = 'TooMany';
  readonly status = 429;
  readonly waitSeconds: number;
  constructor(waitSeconds: number) {
    super('too many requests');
    this.waitSeconds = waitSeconds;
  }
}

/** A form that none of our own pages sent, or one that is no longer good. */
export class StaleForm extends Error {
  override name = 'StaleForm';
  readonly status = 403;
  constructor() {
    super('a form from elsewhere, or a stale one');
  }
}

/** Takes one point; the seconds to wait where none is left, else null. */
export async function takeOne(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw refusal;
  }
}
