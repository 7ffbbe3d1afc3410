import { constants } from 'node:zlib';
import compression from 'compression';
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

/** Beyond this a page takes much longer to compress and gets little smaller. */
const BROTLI_QUALITY = 4;

/**
 * Compresses what is the same for everybody. A page of one person holds secrets beside what others may choose, and its
 * compressed size would tell of them: such a page is sent as it is.
 */
export const compressShared: RequestHandler = compression({
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  filter: (request, response) =>
    !String(response.getHeader('Cache-Control')).includes('private') && compression.filter(request, response),
});

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
