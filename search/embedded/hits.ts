import type { Database } from '../../schema/database.ts';
import { makeHit } from '../documents.ts';
import type { SearchDocument, SearchHit } from '../engine.ts';
import { CLOSE_MARK, OPEN_MARK, renderMarks } from '../marks.ts';
import type { Placed } from './order.ts';
import { keyOf, readLine, unpackLines } from './packing.ts';

const READ_PACKS = `SELECT body FROM pack
  WHERE id IN (SELECT pack FROM document WHERE key IN (SELECT value FROM json_each(?)))`;
const SNIPPET_WORDS = 32;
/** Descriptions are read this far for a hit: the rare longer one is not worth the time. */
const DESCRIPTION_READ = 20_000;

/** The same words as the index makes of a text, on the few texts of one page: how FTS5 finds where the hits are. */
export const CREATE_SCRATCH = `CREATE VIRTUAL TABLE IF NOT EXISTS page USING fts5(title, buyer, supplier, subject, description,
  tokens, tokenize='porter unicode61 remove_diacritics 2')`;
const READ_SNIPPETS = `SELECT rowid AS key, snippet(page, 4, ?, ?, '…', ${SNIPPET_WORDS}) AS description,
  highlight(page, 0, ?, ?) AS title FROM page WHERE page MATCH ?`;

/** Documents as hits, in the order of their places; with what `mark` matches marked. */
export async function readHits(
  index: Database,
  scratch: Database,
  placed: Placed[],
  mark: string | null,
): Promise<SearchHit[]> {
  const bodies = await readDocuments(index, new Set(placed.map(({ key }) => key)));
  const marked = mark === null ? new Map<number, string>() : await markHits(scratch, bodies, mark);
  return placed.flatMap(({ key }) => {
    const document = bodies.get(key);
    const highlight = marked.get(key);
    return document ? [{ ...makeHit(document), ...(highlight === undefined ? {} : { highlight }) }] : [];
  });
}

async function readDocuments(index: Database, keys: Set<number>): Promise<Map<number, SearchDocument>> {
  const packs = await index.read<{ body: Uint8Array }>({ sql: READ_PACKS, args: [JSON.stringify([...keys])] });
  const lines = packs.flatMap(({ body }) => unpackLines(body)).filter((line) => keys.has(keyOf(line)));
  return new Map(lines.map((line) => [keyOf(line), readLine(line)]));
}

async function markHits(
  scratch: Database,
  bodies: Map<number, SearchDocument>,
  expression: string,
): Promise<Map<number, string>> {
  const texts = [...bodies].map(([key, { title, description }]) => ({
    sql: 'INSERT INTO page (rowid, title, description) VALUES (?, ?, ?)',
    args: [key, title, description.slice(0, DESCRIPTION_READ)],
  }));
  await scratch.write([{ sql: 'DELETE FROM page' }, ...texts]);
  const marks = [OPEN_MARK, CLOSE_MARK];
  const rows = await scratch.read<{ key: number; title: string; description: string }>({
    sql: READ_SNIPPETS,
    args: [...marks, ...marks, expression],
  });
  return new Map(
    rows.map(({ key, title, description }) => [
      key,
      renderMarks(description.includes(OPEN_MARK) ? description : title),
    ]),
  );
}
