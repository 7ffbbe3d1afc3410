import type { Settings } from '../../schema/config/settings.ts';
import { type IngestContext, type Priority, sleepReally } from '../context.ts';
import { isLoopback, type LimiterName, type WindowsSource } from '../source.ts';
import { type Budget, type Limiter, makeLimiter } from './limiter.ts';

/**
 * What each budget allows, by its settings. The firewall before both procurement services counts 12 requests per 120 s
 * and address on their package, record and search paths, and 240 per 120 s on all of their paths together
 * (its Terraform, August 2026): so each request of the first kind counts in the second budget too.
 */
const BUDGETS: Readonly<Record<LimiterName, (settings: Settings) => Omit<Budget, 'name'>>> = {
  procurement: (settings) => ({
    gapMs: settings.PROCUREMENT_GAP_SECONDS * 1_000,
    slowGapMs: settings.PROCUREMENT_GAP_AFTER_429_SECONDS * 1_000,
    countedIn: { name: 'procurement_other', gapMs: settings.PROCUREMENT_OTHER_GAP_SECONDS * 1_000 },
  }),
  procurement_other: (settings) => ({
    gapMs: settings.PROCUREMENT_OTHER_GAP_SECONDS * 1_000,
    slowGapMs: settings.PROCUREMENT_OTHER_GAP_SECONDS * 2_000,
    alsoHolds: ['procurement'],
  }),
  companies_house: (settings) => ({
    gapMs: settings.COMPANIES_HOUSE_GAP_SECONDS * 1_000,
    slowGapMs: settings.COMPANIES_HOUSE_GAP_SECONDS * 2_000,
  }),
};

/** What a budget allows; for tests that keep a clock of their own. */
export function readBudget(settings: Settings, name: LimiterName): Budget {
  return { name, ...BUDGETS[name](settings) };
}

/** Milliseconds between the starts of two requests to a service asked window by window: none towards this machine. */
export function readGapMs(settings: Settings, { limiter, baseUrl }: WindowsSource): number {
  return isLoopback(baseUrl(settings)) ? 0 : readBudget(settings, limiter).gapMs;
}

/** The limiter of one budget for requests of one class; towards this machine none is needed. */
export function openLimiter(
  context: IngestContext,
  { limiter, url, priority }: { limiter: LimiterName; url: string; priority: Priority },
): Limiter {
  const budget = readBudget(context.settings, limiter);
  return makeLimiter({
    ...budget,
    gapMs: isLoopback(url) ? 0 : budget.gapMs,
    catalogue: context.catalogue,
    wallNow: context.clocks.wallNow,
    sleep: context.sleep ?? sleepReally,
    priority,
  });
}
