import type { Database } from '../../../schema/db/interface.ts';
import type { Collection } from '../../collections/shape.ts';
import type { AnyHit } from '../../engine.ts';
import { markPossessives, markPronouns, unmarkPronouns } from '../../query/pronouns.ts';
import { CLOSE_MARK, OPEN_MARK, renderHighlight } from '../../results/highlight.ts';
import { lineOf, readShown, readText, unpack } from '../layout/packing.ts';
import { queryCacheOf } from '../match/query-cache.ts';
import type { RankedKey } from './field-tiers.ts';

/** As one text, because the driver returns rows more slowly than the index finds them. */
const READ_PLACES = `SELECT json_group_array(json_array(key, pack)) AS places FROM document
  WHERE key IN (SELECT value FROM json_each(?))`;
const READ_PACKS = {
  shown: 'SELECT id, shown AS lines FROM pack WHERE id IN (SELECT value FROM json_each(?))',
  texts: 'SELECT id, texts AS lines FROM pack WHERE id IN (SELECT value FROM json_each(?))',
} as const;
type PackColumn = keyof typeof READ_PACKS;
const SNIPPET_WORDS = 32;

/** A table for the few texts of one page, with the tokens of the index, so that FTS5 finds what to highlight. */
export const CREATE_SCRATCH = `CREATE VIRTUAL TABLE IF NOT EXISTS page USING fts5(title, buyer, supplier, subject, description,
  tokens, tokenize='porter unicode61 remove_diacritics 2')`;
const READ_SNIPPETS = `SELECT rowid AS key, snippet(page, 4, ?, ?, '…', ${SNIPPET_WORDS}) AS description,
  highlight(page, 0, ?, ?) AS title FROM page WHERE page MATCH ?`;

/** Hits in the given order, with the matches of `mark` highlighted. */
export async function readHits(
  { index, scratch, collection }: { index: Database; scratch: Database; collection: Collection },
  ranked: RankedKey[],
  mark: string | null,
): Promise<AnyHit[]> {
  const keys = new Set(ranked.map(({ key }) => key));
  const hits = await readLines(index, 'shown', keys, (line) => readShown(line, collection.shown));
  const marked = mark === null ? new Map<number, string>() : await markHits(index, scratch, hits, mark);
  return ranked.flatMap(({ key }) => {
    const hit = hits.get(key);
    const highlight = marked.get(key);
    // Added to the hit itself, which no other query has: V8 (Node 20) would give each copy its own hidden class.
    return hit ? [highlight === undefined ? hit : Object.assign(hit, { highlight })] : [];
  });
}

async function readLines<T>(
  index: Database,
  column: PackColumn,
  keys: Set<number>,
  read: (line: string, key: number) => T,
): Promise<Map<number, T>> {
  const [row] = await index.read<{ places: string }>({ sql: READ_PLACES, args: [JSON.stringify([...keys])] });
  const places = JSON.parse(row?.places ?? '[]') as [key: number, pack: number][];
  const packs = await readPacks(index, column, new Set(places.map(([, pack]) => pack)));
  return new Map(
    places.flatMap(([key, pack]) => {
      const lines = packs.get(pack);
      const line = lines && lineOf(lines, key);
      return line === undefined ? [] : [[key, read(line, key)]];
    }),
  );
}

/** Unpacked packs. They are cached, as the newest documents are found again and again. */
async function readPacks(index: Database, column: PackColumn, ids: Set<number>): Promise<Map<number, Buffer>> {
  const cached = column === 'shown' ? queryCacheOf(index).packs : new Map<number, Buffer>();
  const found = new Map<number, Buffer>();
  for (const id of ids) {
    const lines = cached.get(id);
    if (lines) found.set(id, lines);
  }
  const missing = [...ids].filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  const args = [JSON.stringify(missing)];
  for (const { id, lines } of await index.read<{ id: number; lines: Uint8Array }>({ sql: READ_PACKS[column], args })) {
    const unpacked = unpack(lines);
    found.set(id, unpacked);
    // A copy, because the unpacked bytes are part of a chunk two to four times their size, which would stay allocated.
    cached.set(id, Buffer.from(new Uint8Array(unpacked).buffer));
  }
  return found;
}

async function markHits(
  index: Database,
  scratch: Database,
  hits: Map<number, AnyHit>,
  expression: string,
): Promise<Map<number, string>> {
  const keys = new Set(hits.keys());
  const descriptions = await readLines(index, 'texts', keys, (line, key) =>
    readText(line, hits.get(key)?.extract ?? ''),
  );
  const texts = [...hits].map(([key, { title, extract }]) => ({
    sql: 'INSERT INTO page (rowid, title, description) VALUES (?, ?, ?)',
    args: [key, markPossessives(title), markPronouns(descriptions.get(key) ?? extract)],
  }));
  await scratch.write([{ sql: 'DELETE FROM page' }, ...texts]);
  const tags = [OPEN_MARK, CLOSE_MARK];
  const rows = await scratch.read<{ key: number; title: string; description: string }>({
    sql: READ_SNIPPETS,
    args: [...tags, ...tags, expression],
  });
  return new Map(
    rows.map(({ key, title, description }) => [
      key,
      renderHighlight(unmarkPronouns(description.includes(OPEN_MARK) ? description : title)),
    ]),
  );
}
