import type { Statement } from '../../../schema/db/interface.ts';
import { tokenRows } from '../../collections/index.ts';
import type { Collection } from '../../collections/shape.ts';
import { indexVersion } from '../../documents/from-row.ts';

/** Weights of bm25 by column of `entry`, the title highest. Filter tokens never score. */
export const WEIGHTS = '10.0, 5.0, 3.0, 2.0, 1.0, 0.0';

/** About this many of the newest matches are ranked. The answer states if there are more. */
export const RANKED_MAX = 5_000;

/** Up to this many matches are scored by the weight of their words; more are ranked by where the words are. */
export const WEIGHED_MAX = 1_000;

/** A document's key is its day times this, plus a number within the day (`store/keys`). So in order of keys, the newest is last. */
export const DAY_SPAN = 2 ** 20;

/** `foldText` leaves only letters and digits outside ASCII, so the quicker tokenizer finds the same words. */
const PORTER = "tokenize='porter ascii'";

/**
 * The tables of the index. `entry` finds matches. `facet` has the values that are compared or counted, the latter as codes
 * of `facet_value`. `document` has the id of a document's row in the catalogue, where its texts are read from. `word` is the
 * unstemmed vocabulary of titles and names, for partial words and typing errors, and how often each word was stored.
 */
const TABLES = {
  document: 'CREATE TABLE document (key INTEGER PRIMARY KEY, print TEXT NOT NULL, id TEXT NOT NULL)',
  facet_value: 'CREATE TABLE facet_value (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)',
  // Contentless, because the text itself is in the catalogue.
  entry: `CREATE VIRTUAL TABLE entry USING fts5(title, buyer, supplier, subject, description, tokens,
    content='', contentless_delete=1, ${PORTER})`,
  word: 'CREATE TABLE word (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID',
  // What each batch of a new index adds to `word`, as JSON. `indexStatements` adds it up.
  word_part: 'CREATE TABLE word_part (counts TEXT NOT NULL)',
} as const;

/** The compared and counted values of a document. The type stores any number exactly, whole or not. */
function facetTable({ compared }: Collection): string {
  const columns = compared.map(({ name }) => `${name} NUMERIC`).join(', ');
  return `CREATE TABLE facet (key INTEGER PRIMARY KEY, ${columns}, facets TEXT NOT NULL)`;
}

function sortIndexes({ compared }: Collection): string[] {
  const sorting = compared.filter(({ sorts }) => sorts);
  return sorting.map(
    ({ name }) => `CREATE INDEX IF NOT EXISTS facet_by_${name} ON facet (${name}, key) WHERE ${name} IS NOT NULL`,
  );
}

/** Statements that index all rows at once after an index is filled, in a fraction of the time. Atomic, and harmless to repeat. */
export const indexStatements = (collection: Collection): string[] => [
  'CREATE UNIQUE INDEX IF NOT EXISTS document_by_print ON document (print)',
  ...sortIndexes(collection),
  `INSERT INTO word (term, documents)
    SELECT one.key, sum(one.value) FROM word_part, json_each(word_part.counts) one WHERE true GROUP BY one.key ORDER BY one.key
    ON CONFLICT (term) DO UPDATE SET documents = documents + excluded.documents`,
  'DELETE FROM word_part',
];

/**
 * While an index is filled, FTS5 merges its segments only a thousand at a time. It allows 2,000, and refuses the next as if
 * the disk were full. `finishStatements` merges all of them once, and restores the defaults, so that later changes stay
 * quick to find.
 */
const MERGE_LATER = [
  "INSERT INTO entry (entry, rank) VALUES ('automerge', 0)",
  "INSERT INTO entry (entry, rank) VALUES ('crisismerge', 1000)",
  "INSERT INTO entry (entry, rank) VALUES ('hashsize', 33554432)",
];

/** The statements that end the filling of an index: its SQL indexes, one merge, and FTS5's defaults. */
export const finishStatements = (collection: Collection): string[] => [
  ...indexStatements(collection),
  "INSERT INTO entry (entry) VALUES ('optimize')",
  "INSERT INTO entry (entry, rank) VALUES ('automerge', 4)",
  "INSERT INTO entry (entry, rank) VALUES ('crisismerge', 16)",
];

/** The table with the position of the index. It survives a reset, so that it can always be read. */
export const CREATE_STATE = 'CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL)';
export const READ_CURSOR = "SELECT value FROM state WHERE name = 'cursor'";

/** Statements that leave an empty index without a cursor, ready to be filled and finished. */
export function resetStatements(collection: Collection): Statement[] {
  const drops = ['word_part', 'word', 'entry', 'facet_value', 'facet', 'document'].map(
    (name) => `DROP TABLE IF EXISTS ${name}`,
  );
  const tables = [...Object.values(TABLES), facetTable(collection)];
  return [CREATE_STATE, "DELETE FROM state WHERE name = 'cursor'", ...drops, ...tables, ...MERGE_LATER].map((sql) => ({
    sql,
  }));
}

/** Raise it when the meaning of keys, codes, words or filter tokens changes. Changed tables change the version by themselves. */
const MEANING = 6;

/** A new filter adds tokens to every document. So it changes the version, and the index is rebuilt. */
function tokenNames(collection: Collection): string[] {
  return tokenRows(collection).flatMap(({ name, letter }) => [name, letter]);
}

/** `SearchEngine.version` of the embedded engine: the version of a collection's documents and of their layout in the index. */
export function versionOf(collection: Collection): string {
  const statements = resetStatements(collection);
  return indexVersion([MEANING, statements, sortIndexes(collection), tokenNames(collection)]);
}

/**
 * The part of the version that is the layout, for file names. Two releases of the program with different layouts have an index
 * each. Both can read an index that differs only in its documents.
 */
export function layoutOf(collection: Collection): string {
  const version = versionOf(collection);
  return version.slice(version.indexOf('-') + 1);
}
