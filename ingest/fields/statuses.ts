export const KNOWN_TENDER_STATUSES: ReadonlySet<string> = new Set([
  'planning',
  'planned',
  'active',
  'complete',
  'cancelled',
  'unsuccessful',
  'withdrawn',
]);
export const KNOWN_AWARD_STATUSES: ReadonlySet<string> = new Set([
  'pending',
  // Contracts Finder only, recorded in October 2022: an award still to be made.
  'planned',
  'active',
  'cancelled',
  'unsuccessful',
]);
export const KNOWN_CONTRACT_STATUSES: ReadonlySet<string> = new Set(['pending', 'active', 'terminated', 'cancelled']);
