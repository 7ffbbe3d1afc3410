import type { Database } from '../../schema/db/interface.ts';
import { type BuyersAsk, listBuyers, listNewestBuyers } from '../../search/directory/buyers.ts';
import { type IdPage, listNewestCompanies, prepareCompanies } from '../../search/directory/companies.ts';
import type { ListedBuyers, ListedIdsAsk } from '../contract/long-reads.ts';
import { countLiveTenders } from '../reads/buyers.ts';

/**
 * The ids of a page of companies or buyers, newest first; null while the data for filtering is still being read.
 * @param folder - where what was read of the register is kept between two starts of a process
 */
export async function listIds(catalogue: Database, asked: ListedIdsAsk, folder?: string): Promise<IdPage> {
  if (asked.list === 'companies') return listNewestCompanies(catalogue, asked, folder);
  const page = await listNewestBuyers(catalogue, asked);
  return page && { ...page, isWhole: true };
}

/** A page of buyers, each with its open tenders at an instant; null while contracts are being read. */
export async function listBuyersAt(
  catalogue: Database,
  { now, ...asked }: BuyersAsk & { now: string },
): Promise<ListedBuyers | null> {
  const page = await listBuyers(catalogue, asked);
  if (!page) return null;
  const ids = page.entries.map(({ id }) => id);
  const live = await countLiveTenders(catalogue, ids, new Date(now));
  return {
    ...page,
    entries: page.entries.map((buyer) => ({
      ...buyer,
      live_tender_count: live.get(buyer.id) ?? 0,
    })),
  };
}

/**
 * Reads the data of lists, so that the first list need not wait for it.
 * @param folder - the same
 */
export async function prepareLists(catalogue: Database, _asked: object, folder?: string): Promise<null> {
  await prepareCompanies(catalogue, folder);
  return null;
}
