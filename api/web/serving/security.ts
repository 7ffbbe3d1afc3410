import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler, Router } from 'express';
import helmet from 'helmet';
import type { Settings } from '../../../schema/config/settings.ts';
import { type Limits, makeLimits } from '../../access/limits.ts';
import type { Services } from '../../contract/operation.ts';
import { clientAddress } from '../../http/exchange.ts';
import { findRoutes } from './router.ts';

/** Browser features that no page uses. */
const DENIED = ['accelerometer', 'camera', 'geolocation', 'gyroscope', 'magnetometer', 'microphone', 'payment', 'usb'];
const PERMISSIONS = DENIED.map((feature) => `${feature}=()`).join(', ');

/** Security headers of every page and asset: only our own scripts, styles, images and forms; no frames, nothing inline. */
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
        // Calls sent from the API reference go to the API, which can have another origin.
        'connect-src': ["'self'", ...otherOrigin(settings)],
        // A redirect counts as a form's target, and buying credits redirects to Stripe.
        'form-action': ["'self'", ...(settings.STRIPE_SECRET_KEY ? ['https://checkout.stripe.com'] : [])],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    // With `no-referrer`, browsers send `Origin: null` with our forms, which are then refused.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
  });
  return (request, response, next) => {
    response.setHeader('Permissions-Policy', PERMISSIONS);
    // Search engines index records, not lists in all their orders.
    if (request.originalUrl.includes('?')) response.setHeader('X-Robots-Tag', 'noindex');
    protect(request, response, next);
  };
}

function otherOrigin({ APP_URL, BASE_URL }: Settings): string[] {
  const { origin } = new URL(BASE_URL);
  return origin === new URL(APP_URL).origin ? [] : [origin];
}

/** Higher qualities take much longer and save little. */
const BROTLI_QUALITY = 4;

/**
 * Compresses pages that are the same for everybody. A personal page contains secrets next to text that others can choose, and
 * its compressed size could reveal them, so it is not compressed.
 */
export const compressShared: RequestHandler = (request, response, next) => {
  // A 304 says so too (RFC 9110, 15.4.5), and has no type by which the library could tell that it compresses the page.
  response.vary('Accept-Encoding');
  compress(request, response, next);
};

const compress = compression({
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  filter: (request, response) =>
    !String(response.getHeader('Cache-Control')).includes('private') && compression.filter(request, response),
});

/** A published rate limit was exceeded. */
export class TooMany extends Error {
  override name = 'TooMany';
  readonly status = 429;
  readonly waitSeconds: number;
  /** The text of the page; absent: the usual text. */
  readonly text: string | undefined;
  constructor(waitSeconds: number, text?: string) {
    super('too many requests');
    this.text = text;
    this.waitSeconds = waitSeconds;
  }
}

const DAY_SECONDS = 86_400;

/** Limits pages a minute from one IP address; assets do not count. */
export function limitPages({ settings, machine }: Services): RequestHandler {
  const requests = settings.WEB_REQUESTS_PER_MINUTE;
  return limitWith(makeLimits(machine, { name: 'pages', policy: 'address', requests }), settings);
}

/** Limits pages of data a day from one IP address: plenty to read, too few to copy the catalogue. */
export function limitReading({ settings, machine }: Services, data: readonly Router[]): RequestHandler {
  const find = findRoutes(data);
  const rule = { name: 'reading', requests: settings.WEB_PAGES_PER_DAY, windowSeconds: DAY_SECONDS };
  const take = limitWith(makeLimits(machine, { ...rule, policy: 'address-day' }), settings);
  return (request, response, next) => (find(request.path).length > 0 ? take(request, response, next) : next());
}

/** Counts a page and adds what is left to the rate-limit headers. */
function limitWith(limits: Limits, settings: Settings): RequestHandler {
  return async (request, response, next) => {
    const allowance = await limits.take(clientAddress(request, settings.TRUST_PROXY));
    for (const [name, value] of Object.entries(allowance.headers)) {
      const existing = response.getHeader(name);
      response.setHeader(name, existing ? `${existing}, ${value}` : value);
    }
    next(allowance.exceeded ? new TooMany(allowance.retryAfterSeconds) : undefined);
  };
}

/** The text of robots.txt: records, slowly; no lists, searches or personal pages. */
export function writeRobots({ APP_URL, WEB_REQUESTS_PER_MINUTE, WEB_PAGES_PER_DAY }: Settings): string {
  const closed = ['/*?', '/*.atom', '/dashboard', '/sign-in', '/sign-up', '/v1/', '/mcp'];
  return [
    `# One address gets ${WEB_REQUESTS_PER_MINUTE} pages a minute, and ${WEB_PAGES_PER_DAY} pages of data a day.`,
    `# All of the data, in bulk too, is served by the API: ${APP_URL}/docs`,
    'User-agent: *',
    'Crawl-delay: 10',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
  ].join('\n');
}
