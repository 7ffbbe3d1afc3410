/**
 * Accounts categories that only a micro, small or medium company may file under (Companies Act 2006, parts 15 and 16):
 * micro-entity, small, medium, total exemption, partial exemption and both kinds of abridged accounts. What is left (full, group,
 * dormant, subsidiaries' exemptions) large and small companies file alike: it says nothing.
 */
const FILED_BY_SMES =
  /^(?:micro entity|small|medium|total exemption (?:full|small)|partial exemption|(?:un)?audited abridged)$/i;

/**
 * Whether a company is small or medium-sized by the accounts it files: true, or null where they do not tell.
 * @param category - as the bulk file (`TOTAL EXEMPTION FULL`) or the API (`total-exemption-full`) writes it.
 */
export function isSmeByAccounts(category: string | null | undefined): true | null {
  return FILED_BY_SMES.test((category ?? '').replaceAll('-', ' ')) ? true : null;
}

/** Accounts categories by how large a company is that files under them, the largest first. */
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

/** How large a company is by the accounts it files: 0 for a group, higher the smaller; the last where they do not say. */
export function sizeRankOf(category: string | null | undefined): number {
  const rank = BY_SIZE.findIndex((pattern) => pattern.test((category ?? '').replaceAll('-', ' ')));
  return rank < 0 ? BY_SIZE.length : rank;
}
