import { getEventListeners } from 'node:events';

/** How much a signal remembers of those who used it: its listeners, and what Node keeps in sets of its own. */
export function keptBySignal(signal: AbortSignal): number {
  const own = Object.getOwnPropertySymbols(signal).map((name) => Reflect.get(signal, name) as { size?: number } | null);
  return own.reduce((sum, one) => sum + (one?.size ?? 0), getEventListeners(signal, 'abort').length);
}
