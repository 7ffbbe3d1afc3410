import type { Database, Statement } from '../../../schema/db/interface.ts';
import { linesWithout, packLines, unpack } from '../layout/packing.ts';
import type { Prepared } from './prepare.ts';

const READ_LAST = 'SELECT max(id) AS id FROM pack';
const READ_OF = `SELECT id, shown, texts FROM pack WHERE id IN
  (SELECT pack FROM document WHERE key IN (SELECT value FROM json_each(?)))`;
const STORE = 'INSERT OR REPLACE INTO pack (id, shown, texts) VALUES (?, ?, ?)';
const REMOVE = 'DELETE FROM pack WHERE id = ?';

/** The number of the next pack. */
export async function readNextPack(index: Database): Promise<number> {
  const [last] = await index.read<{ id: number | null }>({ sql: READ_LAST });
  return (last?.id ?? 0) + 1;
}

/** Stores packs, numbered from the first. */
export function packStatements(firstPack: number, { bytes, ends }: Prepared['packs']): Statement[] {
  let from = 0;
  return ends.map(([shownEnd, textsEnd], place) => {
    const args = [firstPack + place, bytes.subarray(from, shownEnd), bytes.subarray(shownEnd, textsEnd)];
    from = textsEnd;
    return { sql: STORE, args };
  });
}

/** Takes documents out of the packs that hold them, so that nothing of what is gone stays in the file. */
export async function takeFromPacks(index: Database, keys: number[]): Promise<Statement[]> {
  if (keys.length === 0) return [];
  const leaving = new Set(keys);
  const packs = await index.read<{ id: number; shown: Uint8Array; texts: Uint8Array }>({
    sql: READ_OF,
    args: [JSON.stringify(keys)],
  });
  const stayingOf = (bytes: Uint8Array) => linesWithout(unpack(bytes), leaving);
  return packs.map(({ id, shown, texts }) => {
    const staying = stayingOf(shown);
    return staying.length > 0
      ? { sql: STORE, args: [id, packLines(staying), packLines(stayingOf(texts))] }
      : { sql: REMOVE, args: [id] };
  });
}
