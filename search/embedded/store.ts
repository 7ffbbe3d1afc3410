import { deflateRawSync } from 'node:zlib';
import type { Database, Statement } from '../../schema/database.ts';
import { mayBeOpen, valueInPounds } from '../documents.ts';
import type { IndexBatch, IndexCursor, SearchDocument } from '../engine.ts';
import { FACETS, facetValues } from '../facets.ts';
import { foldText } from '../query.ts';
import { DAY_SPAN, READ_CURSOR, resetStatements } from './tables.ts';
import { documentTokens } from './tokens.ts';

const DAY_MS = 86_400_000;
const READ_KEYS = 'SELECT id, key FROM document WHERE id IN (SELECT value FROM json_each(?))';
const READ_LAST_KEY = 'SELECT max(key) AS key FROM document WHERE key >= ? AND key < ?';
const STORE = {
  document: 'INSERT OR REPLACE INTO document (key, id, body) VALUES (?, ?, ?)',
  facet: `INSERT OR REPLACE INTO facet (key, open_until, deadline, deadline_day, value, ceiling, facets)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  entry: `INSERT OR REPLACE INTO entry (rowid, title, buyer, supplier, subject, description, tokens)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  word: 'INSERT OR REPLACE INTO word (rowid, text) VALUES (?, ?)',
  cursor: "INSERT OR REPLACE INTO state (name, value) VALUES ('cursor', ?)",
} as const;
const REMOVE = [
  'DELETE FROM document WHERE key = ?',
  'DELETE FROM facet WHERE key = ?',
  'DELETE FROM entry WHERE rowid = ?',
  'DELETE FROM word WHERE rowid = ?',
];

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

/** One batch: documents in, gone ones out, the cursor last. */
export async function storeDocuments(index: Database, batch: IndexBatch): Promise<void> {
  const latest = new Map(batch.documents.map((document) => [document.id, document]));
  const held = await readKeys(index, [...latest.keys(), ...batch.gone]);
  const nextKey = makeKeys(index);
  const statements: Statement[] = batch.gone.flatMap((id) => removal(held.get(id)));
  for (const document of latest.values()) {
    const before = held.get(document.id);
    const day = dayNumber(document.published);
    const stays = before !== undefined && Math.floor(before / DAY_SPAN) === day;
    if (!stays) statements.push(...removal(before));
    statements.push(...additions(stays ? before : await nextKey(day), document));
  }
  await index.write([...statements, { sql: STORE.cursor, args: [JSON.stringify(batch.cursor)] }]);
}

async function readKeys(index: Database, ids: string[]): Promise<Map<string, number>> {
  const rows = await index.read<{ id: string; key: number }>({ sql: READ_KEYS, args: [JSON.stringify(ids)] });
  return new Map(rows.map(({ id, key }) => [id, key]));
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

function removal(key: number | undefined): Statement[] {
  return key === undefined ? [] : REMOVE.map((sql) => ({ sql, args: [key] }));
}

function additions(key: number, document: SearchDocument): Statement[] {
  const title = foldText(document.title);
  const buyer = foldText(document.buyer ?? '');
  const supplier = foldText(document.suppliers.join(' · '));
  const subject = foldText(document.subjects.join(' · '));
  const deadline = document.deadline_at ? Math.floor(Date.parse(document.deadline_at) / 1_000) : null;
  const deadlineDay = document.deadline ? dayNumber(document.deadline) : null;
  const values = facetValues(document);
  const facets = FACETS.map((name) => values[name].map(withoutSigns).join('|')).join('\t');
  const amounts = [valueInPounds(document), document.ceiling];
  return [
    { sql: STORE.document, args: [key, document.id, deflateRawSync(JSON.stringify(document), { level: 1 })] },
    {
      sql: STORE.facet,
      args: [key, mayBeOpen(document) ? deadline : null, deadline, deadlineDay, ...amounts, facets],
    },
    {
      sql: STORE.entry,
      args: [key, title, buyer, supplier, subject, foldText(document.description), documentTokens(document)],
    },
    { sql: STORE.word, args: [key, `${title} ${buyer} ${supplier} ${subject}`] },
  ];
}

/** The signs that part values and facets in the stored line may stand in a region's name. */
function withoutSigns(value: string): string {
  return value.replace(/[|\t]/g, ' ');
}

/** Days since 1970 of a calendar date; a date before then, or none, counts as the first day. */
export function dayNumber(date: string): number {
  const day = Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  return Number.isFinite(day) ? Math.max(0, day) : 0;
}
