import type { Database } from '../../../schema/db/interface.ts';
import type { SearchQuery } from '../../engine.ts';
import type { Seen } from '../../results/served-hits.ts';
import type { Matching } from '../match/matching.ts';
import type { Placed } from './field-tiers.ts';
import { type Place, readPage } from './order.ts';

const CHUNK_ROWS = 250;
const READ_PRINTS = 'SELECT key, print FROM document WHERE key IN (SELECT value FROM json_each(?))';

/** One page of matches without those that the other engine served already. */
export async function readUnseen(
  index: Database,
  matching: Matching,
  query: SearchQuery,
  after: Place | undefined,
  seen: Seen | undefined,
): Promise<Placed[]> {
  if (!seen) return readPage(index, matching, query, after);
  const limit = Math.max(query.limit, CHUNK_ROWS);
  const page: Placed[] = [];
  for (let from: Place | undefined = after; ; ) {
    const chunk = await readPage(index, matching, { ...query, limit }, from);
    const prints = await readPrints(index, chunk);
    page.push(...chunk.filter(({ key }) => !seen.hasPrinted(prints.get(key) ?? '')));
    const last: Placed | undefined = chunk.at(-1);
    from = last && { ...last, passed: after?.passed ?? [], bound: after?.bound };
    if (page.length >= query.limit || chunk.length < limit) return page.slice(0, query.limit);
  }
}

async function readPrints(index: Database, placed: Placed[]): Promise<Map<number, string>> {
  const args = [JSON.stringify(placed.map(({ key }) => key))];
  const rows = await index.read<{ key: number; print: string }>({ sql: READ_PRINTS, args });
  return new Map(rows.map(({ key, print }) => [key, print]));
}
