import type { Database } from '../../db/interface.ts';

/** What was asked for and spent; refunds are taken off on the day of their charge. */
export interface Usage {
  /** Charges. */
  calls: number;
  credits: number;
}

/** By what usage is summed up: a day (`YYYY-MM-DD`, UTC), an operation's name, or a key's id, blank where no key was used. */
export type UsagePart = 'day' | 'action' | 'key_id';

const sumBy = (part: UsagePart) => `
  SELECT ${part} AS part, sum(calls) AS calls, sum(credits) AS credits FROM usage_day
  WHERE account_id = ? AND day BETWEEN ? AND ? GROUP BY ${part} ORDER BY ${part === 'day' ? 'day' : 'credits DESC, part'}`;
const SUMS: Record<UsagePart, string> = { day: sumBy('day'), action: sumBy('action'), key_id: sumBy('key_id') };

/** What an account spent between two days (UTC), both included: days in their order, operations and keys the dearest first. */
export function readUsage(
  accounts: Database,
  { accountId, from, to, by }: { accountId: string; from: string; to: string; by: UsagePart },
): Promise<(Usage & { part: string })[]> {
  return accounts.read({ sql: SUMS[by], args: [accountId, from, to] });
}
