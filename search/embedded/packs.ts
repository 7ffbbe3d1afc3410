import type { Database, Statement } from '../../schema/database.ts';
import type { SearchDocument } from '../engine.ts';
import { keyOf, PACK_SIZE, packLine, packLines, unpackLines } from './packing.ts';

const READ_LAST = 'SELECT max(id) AS id FROM pack';
const READ_OF = `SELECT id, body FROM pack WHERE id IN
  (SELECT pack FROM document WHERE key IN (SELECT value FROM json_each(?)))`;
const STORE = 'INSERT OR REPLACE INTO pack (id, body) VALUES (?, ?)';
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
  return Promise.all(
    groups.map(async (group, place) => {
      const id = (last?.id ?? 0) + 1 + place;
      for (const one of group) one.pack = id;
      return { sql: STORE, args: [id, await packLines(group.map(({ key, document }) => packLine(key, document)))] };
    }),
  );
}

/** Takes documents out of the packs that hold them, so that nothing of what is gone stays in the file. */
export async function takeFromPacks(index: Database, keys: number[]): Promise<Statement[]> {
  if (keys.length === 0) return [];
  const leaving = new Set(keys);
  const packs = await index.read<{ id: number; body: Uint8Array }>({ sql: READ_OF, args: [JSON.stringify(keys)] });
  return Promise.all(
    packs.map(async ({ id, body }) => {
      const staying = unpackLines(body).filter((line) => !leaving.has(keyOf(line)));
      return staying.length === 0 ? { sql: REMOVE, args: [id] } : { sql: STORE, args: [id, await packLines(staying)] };
    }),
  );
}
