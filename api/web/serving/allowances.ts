import type { RequestHandler, Router } from 'express';
import type { Settings } from '../../../schema/config/settings.ts';
import { type Limits, makeLimits } from '../../access/limits.ts';
import { clientAddress } from '../../http/exchange.ts';
import { findRoutes } from './router.ts';
import { TooMany } from './security.ts';

const DAY_SECONDS = 86_400;

/** At most so many pages a minute from one address; assets do not count. */
export function limitPages(settings: Settings): RequestHandler {
  return takeFrom(makeLimits('address', settings.WEB_REQUESTS_PER_MINUTE), settings);
}

/** At most so many pages of data a day, those of some routers, from one address: plenty to read, too few to copy the catalogue. */
export function limitReading(settings: Settings, data: readonly Router[]): RequestHandler {
  const find = findRoutes(data);
  const take = takeFrom(makeLimits('address-day', settings.WEB_PAGES_PER_DAY, DAY_SECONDS), settings);
  return (request, response, next) => (find(request.path).length > 0 ? take(request, response, next) : next());
}

/** Takes one page from an allowance and tells, beside any other, what is left of it. */
function takeFrom(limits: Limits, settings: Settings): RequestHandler {
  return (request, response, next) => {
    const allowance = limits.take(clientAddress(request, settings.TRUST_PROXY));
    for (const [name, value] of Object.entries(allowance.headers)) {
      const told = response.getHeader(name);
      response.setHeader(name, told ? `${told}, ${value}` : value);
    }
    next(allowance.exceeded ? new TooMany(allowance.retryAfterSeconds) : undefined);
  };
}

/** What robots may ask for: things, slowly; no lists, no searches, nothing of one person. */
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
