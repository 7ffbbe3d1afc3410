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
