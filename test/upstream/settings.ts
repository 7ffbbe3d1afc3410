/**
 * Settings that send every source to one stand-in: its procurement services and the register have paths of their own, each
 * service that is asked by month and type a folder.
 */
export function upstreamSettings(url: string): Record<string, string> {
  return {
    FIND_A_TENDER_URL: url,
    CONTRACTS_FINDER_URL: url,
    PUBLIC_CONTRACTS_SCOTLAND_URL: `${url}/public-contracts-scotland`,
    SELL2WALES_URL: `${url}/sell2wales`,
    COMPANIES_HOUSE_URL: url,
    COMPANIES_HOUSE_BULK_URL: url,
  };
}
