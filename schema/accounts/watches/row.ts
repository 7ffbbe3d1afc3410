import type { watch } from '../tables/watches.ts';

export const WATCH_COLLECTIONS = ['tenders', 'notices', 'contracts'] as const;
export const WATCH_RHYTHMS = ['run', 'day', 'week'] as const;
export const WATCH_CHANGES = ['new', 'updated', 'gone'] as const;
export type WatchCollection = (typeof WATCH_COLLECTIONS)[number];
export type WatchRhythm = (typeof WATCH_RHYTHMS)[number];
export type WatchChange = (typeof WATCH_CHANGES)[number];

/** Why a watch waits: it continues without help once the reason has passed. */
export const WAITING_REASONS = {
  no_credits: 'The account has no credits for its next delivery; it continues once there are some.',
  key_cap: 'The key that made it has reached its monthly cap; it continues next month.',
  daily_maximum: 'Its credits_per_day_max is spent; it continues tomorrow (UTC).',
  hourly_limit: 'The watches of its account have made the deliveries that an hour allows; it continues in the next.',
  account_stopped: 'The account is frozen; it continues once it is opened again.',
  older_service:
    'It has a filter that is newer than the part of this service that delivers; it continues once that is updated.',
} as const;

/** Why a watch is paused: it continues once somebody resumes it. */
export const PAUSED_REASONS = {
  by_owner: 'Its owner paused it.',
  by_operator: 'The operator of this service paused it, and resumes it.',
  key_revoked: 'Its key was revoked, or has expired; resume it with another key, or on the dashboard.',
  receiver_failed: 'Its receiver took no delivery for three days, or answered that it is gone (410).',
  unsubscribed: 'Its mail was unsubscribed from.',
  mail_refused: 'The mail server refused mail to its address.',
  text_refused: 'The mail server refused the text of its mail: it is too long, or seems unwanted.',
  mail_bounced: 'Mail to its address came back.',
} as const;

type WaitingReason = keyof typeof WAITING_REASONS;
export type PausedReason = keyof typeof PAUSED_REASONS;
export const WATCH_REASONS: Readonly<Record<string, string>> = { ...WAITING_REASONS, ...PAUSED_REASONS };

/** A watch as its row has it; `filters` and `changes` are JSON, `secret` and `former_secret` are sealed. */
export type WatchRow = Omit<typeof watch.$inferSelect, 'collection' | 'every' | 'state' | 'reason'> & {
  collection: WatchCollection;
  every: WatchRhythm;
  state: 'active' | 'waiting' | 'paused';
  reason: WaitingReason | PausedReason | null;
};

/** The part of a watch that its owner sets. */
export interface WatchSpec {
  name: string;
  collection: WatchCollection;
  /** As the search reads them, sorted by name, so that equal filters have equal text. */
  filters: Record<string, unknown>;
  /** An address, or null where it is mailed. */
  webhook: string | null;
  every: WatchRhythm;
  changes: readonly WatchChange[];
  credits_per_day_max: number | null;
}
