/** The two clocks of the house. Nothing else reads the time of day. */
export interface Clocks {
  /** The catalogue's now: decides what is live and which windows to ask. `AS_OF` may hold it. */
  catalogueNow(): Date;
  /** The wall clock: ledger, leases, sessions, keys. */
  wallNow(): Date;
}

/** Real clocks, with the catalogue's held at `asOf` where one is given. */
export function makeClocks(asOf?: Date): Clocks {
  return {
    catalogueNow: () => (asOf ? new Date(asOf) : new Date()),
    wallNow: () => new Date(),
  };
}

const LONDON_PARTS = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** UK local wall-clock time `YYYY-MM-DDTHH:MM:SS` of an instant: what Find a Tender's windows are read in. */
export function londonTime(instant: Date): string {
  const parts = Object.fromEntries(LONDON_PARTS.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}

/** London calendar date `YYYY-MM-DD` of an instant. */
export function londonDate(instant: Date): string {
  return londonTime(instant).slice(0, 10);
}

/** The instant at which London's clocks show `local` (`YYYY-MM-DDTHH:MM:SS`); of two (autumn), the first. */
export function londonInstant(local: string): Date {
  const asUtc = Date.parse(`${local}Z`);
  const summer = new Date(asUtc - 3_600_000);
  return londonTime(summer) === local ? summer : new Date(asUtc);
}

/** ISO 8601 in UTC with `Z` and without fractions: how instants are stored, so that text order is time order. */
export function isoInstant(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}
