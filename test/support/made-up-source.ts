import type { Source, WindowsSource } from '../../ingest/source.ts';
import { findATender } from '../../ingest/sources/find-a-tender.ts';
import { sources } from '../../ingest/sources/index.ts';

/** A service that does not exist, in one row, which is all that a new source needs. It answers like Find a Tender. */
export const madeUpSource: WindowsSource = {
  ...findATender,
  id: 'sell_to_mercia',
  cliName: 'sell-to-mercia',
  title: 'Sell to Mercia',
  aliases: ['stm'],
  homepage: 'https://mercia.example',
  notices: {
    id: /^mer\d{6}$/,
    pageBase: 'https://mercia.example/notice/',
    ocid: /^ocds-merc01-/,
    recordBase: 'https://mercia.example/record/',
    naming: {
      address: String.raw`mercia\.example/notice/(mer\d{6})`,
      quote: String.raw`\b(ocds-merc01-[0-9a-f]{6})`,
    },
    rank: 0,
    nullDeletes: true,
  },
};

/** Adds a row to the sources table. Returns a function that removes it. */
export function addSource(row: Source): () => void {
  const table = sources as Source[];
  table.push(row);
  return () => void table.splice(table.indexOf(row), 1);
}
