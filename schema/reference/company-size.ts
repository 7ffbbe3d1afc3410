/**
 * Accounts categories that only a micro, small or medium company may file under (Companies Act 2006, parts 15 and 16).
 * These are micro-entity, small, medium, total and partial exemption, and both kinds of abridged accounts. The others
 * (full, group, dormant, subsidiaries' exemptions) are open to companies of any size, so they say nothing.
 */
const FILED_BY_SMES: ReadonlySet<string> = new Set([
  'micro entity',
  'small',
  'medium',
  'total exemption full',
  'total exemption small',
  'partial exemption',
  'audited abridged',
  'unaudited abridged',
]);

/**
 * Whether the accounts that a company files show it to be small or medium-sized: true, or null where they do not say. @param
 * category - as in the bulk file (`TOTAL EXEMPTION FULL`) or the API (`total-exemption-full`).
 */
export function isSmeByAccounts(category: string | null | undefined): true | null {
  return FILED_BY_SMES.has((category ?? '').replaceAll('-', ' ').toLowerCase()) ? true : null;
}

/** The same as SQL, of the SQL of a category: 1 or null. */
export function smeByAccountsSql(category: string): string {
  const known = [...FILED_BY_SMES].map((one) => `'${one}'`).join(', ');
  return `iif(lower(replace(${category}, '-', ' ')) IN (${known}), 1, NULL)`;
}

/** Whether a company is small or medium-sized: as its row says, otherwise by its accounts; null where neither tells. */
export function isSme({ is_sme, accounts }: { is_sme: number | null; accounts: string | null }): boolean | null {
  return is_sme === null ? isSmeByAccounts(accounts) : is_sme === 1;
}

/** Accounts categories by the size of company that files under them, largest first. */
const BY_SIZE: readonly RegExp[] = [
  /^group$/i,
  /^(?:full|audit exemption subsidiary|filing exemption subsidiary|initial|interim)$/i,
  /^medium$/i,
  /^(?:small|total exemption (?:full|small)|partial exemption|(?:un)?audited abridged)$/i,
  /^micro entity$/i,
  /^dormant$/i,
];

/** How many ranks `sizeRankOf` has. */
export const SIZE_RANKS = BY_SIZE.length + 1;

/** A company's size by the accounts that it files: 0 for a group, higher for smaller ones; the last rank where they do not say. */
export function sizeRankOf(category: string | null | undefined): number {
  const rank = BY_SIZE.findIndex((pattern) => pattern.test((category ?? '').replaceAll('-', ' ')));
  return rank < 0 ? BY_SIZE.length : rank;
}
