import type { Database, Statement } from '../../schema/database.ts';
import type { SearchDocument } from '../engine.ts';
import { linesWithout, PACK_SIZE, packLine, packLines, unpack } from './packing.ts';

const READ_LAST = 'SELECT max(id) AS id FROM pack';
const READ_OF = `SELECT id, shown, texts FROM pack WHERE id IN
  (SELECT pack FROM document WHERE key IN (SELECT value FROM json_each(?)))`;
const STORE = 'INSERT OR REPLACE INTO pack (id, shown, texts) VALUES (?, ?, ?)';
const REMOVE = 'DELETE FROM pack WHERE id = ?';

/** A document with its key, and once it is packed the number of its pack. */
export interface Keyed {
  key: number;
  document: SearchDocument;
  pack: number;
}

/** Packs documents that come, giving each the number of its pack. */
export async function addToPacks(index: Database, coming: Keyed[]): Promise<Statement[]> {
  const [last] = await index.read<{ id: number | null }>({ sql: READ_LAST });
  const groups: Keyed[][] = [];
  for (let at = 0; at < coming.length; at += PACK_SIZE) groups.push(coming.slice(at, at + PACK_SIZE));
  return groups.map((group, place) => {
    const id = (last?.id ?? 0) + 1 + place;
    for (const one of group) one.pack = id;
    const lines = group.map(({ key, document }) => packLine(key, document));
    return storePack(
      id,
      lines.map(({ shown }) => shown),
      lines.map(({ text }) => text),
    );
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
    return staying.length > 0 ? storePack(id, staying, stayingOf(texts)) : { sql: REMOVE, args: [id] };
  });
}

function storePack(id: number, shown: string[], texts: string[]): Statement {
  return { sql: STORE, args: [id, packLines(shown), packLines(texts)] };
}
