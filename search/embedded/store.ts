import type { Database, SqlValue, Statement } from '../../schema/database.ts';
import { mayBeOpen, valueInPounds } from '../documents.ts';
import type { IndexBatch, IndexCursor, SearchDocument } from '../engine.ts';
import { foldText, wordsOf } from '../query.ts';
import { encodeFacets } from './facet-codes.ts';
import { printOf } from './packing.ts';
import { addToPacks, type Keyed, takeFromPacks } from './packs.ts';
import { DAY_SPAN, READ_CURSOR, resetStatements } from './tables.ts';
import { documentTokens } from './tokens.ts';

const DAY_MS = 86_400_000;
const READ_KEYS = 'SELECT print, key FROM document WHERE print IN (SELECT value FROM json_each(?))';
const READ_LAST_KEY = 'SELECT max(key) AS key FROM document WHERE key >= ? AND key < ?';
const STORE = {
  document: 'INSERT OR REPLACE INTO document (key, print, pack) VALUES (?, ?, ?)',
  facet: `INSERT OR REPLACE INTO facet (key, open_until, deadline, deadline_day, value, ceiling, facets)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  entry: `INSERT OR REPLACE INTO entry (rowid, title, buyer, supplier, subject, description, tokens)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
} as const;
const STORE_WORD = `INSERT INTO word (term, documents) VALUES (?, ?)
  ON CONFLICT (term) DO UPDATE SET documents = documents + excluded.documents`;
const STORE_CURSOR = "INSERT OR REPLACE INTO state (name, value) VALUES ('cursor', ?)";
const REMOVE: Record<Table, string> = {
  document: 'DELETE FROM document WHERE key = ?',
  facet: 'DELETE FROM facet WHERE key = ?',
  entry: 'DELETE FROM entry WHERE rowid = ?',
};
/**
 * Plain tables before FTS5's: a statement on an index that may have to be undone makes FTS5 write all that it has gathered,
 * which after every document costs six times the rest (measured).
 */
const TABLES = ['document', 'facet', 'entry'] as const;
type Table = (typeof TABLES)[number];

/** Empties the index, creating its tables. */
export async function resetIndex(index: Database): Promise<void> {
  await index.write(resetStatements());
}

/** Where the index stands, or null where it holds nothing yet. */
export async function readIndexCursor(index: Database): Promise<IndexCursor | null> {
  const [table] = await index.read({ sql: "SELECT 1 FROM sqlite_master WHERE name = 'state'" });
  if (!table) return null;
  const [row] = await index.read<{ value: string }>({ sql: READ_CURSOR });
  return row ? (JSON.parse(row.value) as IndexCursor) : null;
}

export async function countDocuments(index: Database): Promise<number> {
  const [row] = await index.read<{ count: number }>({ sql: 'SELECT count(*) AS count FROM document' });
  return row?.count ?? 0;
}

/** One batch: documents in, gone ones out, the cursor with them. */
export async function storeDocuments(index: Database, batch: IndexBatch): Promise<void> {
  const latest = new Map(batch.documents.map((document) => [document.id, document]));
  const held = await readKeys(index, [...latest.keys(), ...batch.gone]);
  const nextKey = makeKeys(index);
  const leaving = new Set(batch.gone.flatMap((id) => held.get(id) ?? []));
  const documents = [...latest.values()];
  const facets = await encodeFacets(index, documents);
  const coming: Coming[] = [];
  for (const [place, document] of documents.entries()) {
    const before = held.get(document.id);
    const day = dayNumber(document.published);
    const stays = before !== undefined && Math.floor(before / DAY_SPAN) === day;
    if (before !== undefined && !stays) leaving.add(before);
    const key = stays ? before : await nextKey(day);
    coming.push({ key, document, pack: 0, facets: facets.codes[place] ?? '', names: namesOf(document) });
  }
  await index.write([
    { sql: STORE_CURSOR, args: [JSON.stringify(batch.cursor)] },
    ...(await takeFromPacks(index, [...held.values()])),
    ...(await addToPacks(index, coming)),
    ...facets.statements,
    ...wordStatements(coming),
    ...TABLES.flatMap((table) => [
      ...Array.from(leaving, (key): Statement => ({ sql: REMOVE[table], args: [key] })),
      ...coming.map((one): Statement => ({ sql: STORE[table], args: [one.key, ...ROW[table](one)] })),
    ]),
  ]);
}

async function readKeys(index: Database, ids: string[]): Promise<Map<string, number>> {
  const idOf = new Map(ids.map((id) => [printOf(id), id]));
  const rows = await index.read<{ print: string; key: number }>({
    sql: READ_KEYS,
    args: [JSON.stringify([...idOf.keys()])],
  });
  return new Map(rows.map(({ print, key }) => [idOf.get(print) ?? '', key]));
}

/** Free keys within a day, each once. */
function makeKeys(index: Database): (day: number) => Promise<number> {
  const next = new Map<number, number>();
  return async (day) => {
    const first = day * DAY_SPAN;
    const known = next.get(day);
    const [row] =
      known === undefined
        ? await index.read<{ key: number | null }>({ sql: READ_LAST_KEY, args: [first, first + DAY_SPAN] })
        : [];
    const key = known ?? (row?.key ?? first - 1) + 1;
    next.set(day, key + 1);
    return key;
  };
}

/** A document that comes, with its names as they are indexed and the codes it is counted by. */
interface Coming extends Keyed {
  names: string[];
  facets: string;
}

/** What each table holds of a document, after its key. */
const ROW: Record<Table, (row: Coming) => SqlValue[]> = {
  document: ({ document, pack }) => [printOf(document.id), pack],
  facet({ document, facets }) {
    const deadline = document.deadline_at ? Math.floor(Date.parse(document.deadline_at) / 1_000) : null;
    const deadlineDay = document.deadline ? dayNumber(document.deadline) : null;
    const openUntil = mayBeOpen(document) ? deadline : null;
    return [openUntil, deadline, deadlineDay, valueInPounds(document), document.ceiling, facets];
  },
  entry: ({ document, names }) => [...names, foldText(document.description), documentTokens(document)],
};

/** The words of titles and names, and in how many documents. Those of a document that goes stay: no answer rests on them. */
function wordStatements(coming: Coming[]): Statement[] {
  const counts = new Map<string, number>();
  for (const { names } of coming) {
    for (const word of new Set(wordsOf(names.join(' ')))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Array.from(counts, (counted): Statement => ({ sql: STORE_WORD, args: counted }));
}

/** Title, buyer, suppliers and subjects, as they are indexed. */
function namesOf({ title, buyer, suppliers, subjects }: SearchDocument): string[] {
  return [title, buyer ?? '', suppliers.join(' · '), subjects.join(' · ')].map(foldText);
}

/** Days since 1970 of a calendar date; a date before then, or none, counts as the first day. */
export function dayNumber(date: string): number {
  const day = Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  return Number.isFinite(day) ? Math.max(0, day) : 0;
}
