import type { Statement } from '../../../schema/db/interface.ts';
import { tokenRows } from '../../collections/index.ts';
import type { Collection } from '../../collections/shape.ts';
import { indexVersion } from '../../documents/from-row.ts';

/** Weights of bm25 by column of `entry`: title over buyer over description; filter tokens never score. */
export const WEIGHTS = '10.0, 5.0, 3.0, 2.0, 1.0, 0.0';

/** Ranking looks at about this many of the newest matches; the answer says so where there are more. */
export const RANKED_MAX = 5_000;

/** The most matches whose words are weighed; more are ranked by where the words are. */
export const WEIGHED_MAX = 1_000;

/** A document's key is its day times this, plus a number within the day: key order is newest last. */
export const DAY_SPAN = 2 ** 20;

const PORTER = "tokenize='porter unicode61 remove_diacritics 2'";

/**
 * The tables of the index. `entry` answers what matches; `facet` holds what is compared and counted (as codes of `facet_value`);
 * `document` says which `pack` shows a document. `word` is the vocabulary of titles and names, unstemmed, for partial words and
 * typing mistakes, with how often each was stored.
 */
const TABLES = {
  document: 'CREATE TABLE document (key INTEGER PRIMARY KEY, print TEXT NOT NULL, pack INTEGER NOT NULL)',
  // What is shown comes first: the later texts are read only for highlighting.
  pack: 'CREATE TABLE pack (id INTEGER PRIMARY KEY, shown BLOB NOT NULL, texts BLOB NOT NULL)',
  facet_value: 'CREATE TABLE facet_value (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)',
  // Contentless: the text itself is stored once, packed, in `pack`.
  entry: `CREATE VIRTUAL TABLE entry USING fts5(title, buyer, supplier, subject, description, tokens,
    content='', contentless_delete=1, ${PORTER})`,
  word: 'CREATE TABLE word (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID',
  // What each batch of a new index adds to `word`, as JSON; `indexStatements` sums it up.
  word_part: 'CREATE TABLE word_part (counts TEXT NOT NULL)',
} as const;

/** The compared and counted values of a document; numbers are stored exactly, integers or not. */
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

/** Built from all rows at once after an index is filled, in a fraction of the time. Atomic, and harmless to repeat. */
export const indexStatements = (collection: Collection): string[] => [
  'CREATE UNIQUE INDEX IF NOT EXISTS document_by_print ON document (print)',
  ...sortIndexes(collection),
  `INSERT INTO word (term, documents)
    SELECT one.key, sum(one.value) FROM word_part, json_each(word_part.counts) one WHERE true GROUP BY one.key ORDER BY one.key
    ON CONFLICT (term) DO UPDATE SET documents = documents + excluded.documents`,
  'DELETE FROM word_part',
];

/**
 * FTS5's merging: while an index is filled, segments are merged only a thousand at a time (it holds 2,000 at most, and refuses
 * the next as if the disk were full); `finishStatements` merges all, once. After that it is set to its defaults, so that later
 * changes stay quick to find.
 */
const GATHER = [
  "INSERT INTO entry (entry, rank) VALUES ('automerge', 0)",
  "INSERT INTO entry (entry, rank) VALUES ('crisismerge', 1000)",
  "INSERT INTO entry (entry, rank) VALUES ('hashsize', 33554432)",
];
export const finishStatements = (collection: Collection): string[] => [
  ...indexStatements(collection),
  "INSERT INTO entry (entry) VALUES ('optimize')",
  "INSERT INTO entry (entry, rank) VALUES ('automerge', 4)",
  "INSERT INTO entry (entry, rank) VALUES ('crisismerge', 16)",
];

/** The position of the index; it survives a reset, so that there is always a row to read. */
export const CREATE_STATE = 'CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL)';
export const READ_CURSOR = "SELECT value FROM state WHERE name = 'cursor'";

/** Statements that leave an empty index without a cursor, ready to be filled and finished. */
export function resetStatements(collection: Collection): Statement[] {
  const drops = ['word_part', 'word', 'entry', 'facet_value', 'facet', 'document', 'pack'].map(
    (name) => `DROP TABLE IF EXISTS ${name}`,
  );
  const tables = [...Object.values(TABLES), facetTable(collection)];
  return [CREATE_STATE, "DELETE FROM state WHERE name = 'cursor'", ...drops, ...tables, ...GATHER].map((sql) => ({
    sql,
  }));
}

/** Version of what keys, packs, codes and filter tokens mean: raise it with any of them. Changed tables change the version by themselves. */
const MEANING = 4;

/** A new filter adds tokens to every document: it changes the version, so the index is rebuilt. */
function tokenNames(collection: Collection): string[] {
  return tokenRows(collection).flatMap(({ name, letter }) => [name, letter]);
}

/** `SearchEngine.version` of the embedded engine: of a collection's documents, and of the layout that holds them. */
export function versionOf(collection: Collection): string {
  const statements = resetStatements(collection);
  return indexVersion([MEANING, statements, sortIndexes(collection), collection.shown, tokenNames(collection)]);
}

/**
 * The layout alone, as it appears in file names: programs before and after an upgrade have an index each, while both read one
 * with other documents.
 */
export function layoutOf(collection: Collection): string {
  const version = versionOf(collection);
  return version.slice(version.indexOf('-') + 1);
}
