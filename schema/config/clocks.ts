import { setTimeout as pause } from 'node:timers/promises';

/** The two clocks of the service. Nothing else reads the time of day. */
export interface Clocks {
  /** The catalogue's now: decides what is live and which windows to request. `AS_OF` can fix it. */
  catalogueNow(): Date;
  /** The wall clock: ledger, leases, sessions, keys. */
  wallNow(): Date;
}

/** Real clocks, with the catalogue's fixed at `asOf` where one is given. */
export function makeClocks(asOf?: Date): Clocks {
  return {
    catalogueNow: () => (asOf ? new Date(asOf) : new Date()),
    wallNow: () => new Date(),
  };
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/**
 * UK local wall-clock time `YYYY-MM-DDTHH:MM:SS` of an instant, which Find a Tender uses for its windows. Summer time is
 * calculated by the rule in force since 1996 (Summer Time Order 2002 and its predecessors). The time zone tables give the
 * same, a hundred times slower.
 */
export function londonTime(instant: Date): string {
  const ms = instant.getTime();
  const year = instant.getUTCFullYear();
  if (year < 1996) return localByTables(instant);
  const isSummer = ms >= lastSundayMs(year, 2) && ms < lastSundayMs(year, 9);
  return new Date(isSummer ? ms + HOUR_MS : ms).toISOString().slice(0, 19);
}

/** 01:00 UTC on the last Sunday of a month of 31 days (`month` from 0): when the clocks change. */
function lastSundayMs(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31, 1));
  return last.getTime() - last.getUTCDay() * DAY_MS;
}

const LONDON = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London', dateStyle: 'short', timeStyle: 'medium' });

function localByTables(instant: Date): string {
  return LONDON.format(instant).replace(' ', 'T');
}

/** London calendar date `YYYY-MM-DD` of an instant. */
export function londonDate(instant: Date): string {
  return londonTime(instant).slice(0, 10);
}

/** The instant at which London's clocks show `local` (`YYYY-MM-DDTHH:MM:SS`); of two (autumn), the first. */
export function londonInstant(local: string): Date {
  const asUtc = Date.parse(`${local}Z`);
  const summer = new Date(asUtc - HOUR_MS);
  return londonTime(summer) === local ? summer : new Date(asUtc);
}

/** Every call of a second asks for it several times. */
let lastWritten = { second: Number.NaN, text: '' };

/** ISO 8601 in UTC with `Z` and without fractions: how instants are stored, so that text order is time order. */
export function isoInstant(instant: Date): string {
  const second = Math.floor(instant.getTime() / 1_000);
  if (second !== lastWritten.second) lastWritten = { second, text: `${instant.toISOString().slice(0, 19)}Z` };
  return lastWritten.text;
}

/** `hours` (fractions too) after an instant. */
export function addHours(instant: Date, hours: number): Date {
  return new Date(instant.getTime() + hours * HOUR_MS);
}

/** The calendar day (`YYYY-MM-DD`) some days after another. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one calendar day (`YYYY-MM-DD`) to another; negative where that is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** Whether the calendar has a day (`YYYY-MM-DD`): JavaScript reads 30 February as 2 March. */
export function isOnCalendar(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, 10) === day;
}

/** Waits in real time, in milliseconds; ends early with the signal's reason when it is aborted. */
export const sleepReally = (waitMs: number, signal?: AbortSignal): Promise<void> =>
  pause(waitMs, undefined, signal && { signal }).catch(() => {
    throw signal?.reason;
  });

/**
 * Aborts a controller when a signal is aborted, until the returned function is called. `AbortSignal.any` leaves 50 bytes behind
 * for each use of a signal that lives as long as the process.
 */
export function abortWith(controller: AbortController, signal: AbortSignal | undefined): () => void {
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return () => signal?.removeEventListener('abort', abort);
}
