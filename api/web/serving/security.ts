import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../../../schema/config/settings.ts';

/** No page of ours has a use for these. */
const DENIED = ['accelerometer', 'camera', 'geolocation', 'gyroscope', 'magnetometer', 'microphone', 'payment', 'usb'];
const PERMISSIONS = DENIED.map((feature) => `${feature}=()`).join(', ');

/** Headers of every page and asset: nothing but our own stylesheet, pictures and forms; no frame, no inline anything. */
export function secureHeaders(settings: Settings): RequestHandler {
  const secure = settings.APP_URL.startsWith('https:');
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'style-src': ["'self'"],
        'img-src': ["'self'"],
        'script-src': ["'self'"],
        // A call that is tried from the reference goes to the API, which may live elsewhere.
        'connect-src': ["'self'", ...otherOrigin(settings)],
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
  return (request, response, next) => {
    response.setHeader('Permissions-Policy', PERMISSIONS);
    // Things are for search machines to find; lists of them, in their endless orders, are not.
    if (request.originalUrl.includes('?')) response.setHeader('X-Robots-Tag', 'noindex');
    protect(request, response, next);
  };
}

function otherOrigin({ APP_URL, BASE_URL }: Settings): string[] {
  const { origin } = new URL(BASE_URL);
  return origin === new URL(APP_URL).origin ? [] : [origin];
}

/** Somebody asks more often than a published limit. */
export class TooMany extends Error {
  override name = 'TooMany';
  readonly status = 429;
  readonly waitSeconds: number;
  /** What was used up and until when, for the page; without it the usual words. */
  readonly text: string | undefined;
  constructor(waitSeconds: number, text?: string) {
    super('too many requests');
    this.text = text;
    this.waitSeconds = waitSeconds;
  }
}
