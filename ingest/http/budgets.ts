import type { Settings } from '../../schema/config/settings.ts';
import { type IngestContext, type Priority, sleepReally } from '../context.ts';
import { type BudgetOf, isLoopback, type WindowsSource } from '../source.ts';
import { type Limiter, makeLimiter } from './limiter.ts';

/** Milliseconds between the starts of two requests to a service asked window by window: none towards this machine. */
export function readGapMs(settings: Settings, { budget, baseUrl }: WindowsSource): number {
  return isLoopback(baseUrl(settings)) ? 0 : budget(settings).gapMs;
}

/** The limiter of one budget for requests of one class; towards this machine none is needed. */
export function openLimiter(
  context: IngestContext,
  { budget: budgetOf, url, priority }: { budget: BudgetOf; url: string; priority: Priority },
): Limiter {
  const budget = budgetOf(context.settings);
  return makeLimiter({
    ...budget,
    gapMs: isLoopback(url) ? 0 : budget.gapMs,
    catalogue: context.catalogue,
    wallNow: context.clocks.wallNow,
    sleep: context.sleep ?? sleepReally,
    priority,
  });
}
