import type { RequestHandler, Router } from 'express';
import type { Settings } from '../../../schema/config/settings.ts';
import { type Limits, makeLimits } from '../../access/limits.ts';
import { clientAddress } from '../../http/exchange.ts';
import { findRoutes } from './router.ts';
import { TooMany } from './security.ts';

const DAY_SECONDS = 86_400;

/** Limits pages a minute from one IP address; assets do not count. */
export function limitPages(settings: Settings): RequestHandler {
  return limitWith(makeLimits('address', settings.WEB_REQUESTS_PER_MINUTE), settings);
}

/** Limits pages of data a day from one IP address: plenty to read, too few to copy the catalogue. */
export function limitReading(settings: Settings, data: readonly Router[]): RequestHandler {
  const find = findRoutes(data);
  const take = limitWith(makeLimits('address-day', settings.WEB_PAGES_PER_DAY, DAY_SECONDS), settings);
  return (request, response, next) => (find(request.path).length > 0 ? take(request, response, next) : next());
}

/** Counts a page and adds what is left to the rate-limit headers. */
function limitWith(limits: Limits, settings: Settings): RequestHandler {
  return (request, response, next) => {
    const allowance = limits.take(clientAddress(request, settings.TRUST_PROXY));
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
