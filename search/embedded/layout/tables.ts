import type { Statement } from '../../../schema/db/interface.ts';
import { tokenRows } from '../../collections/index.ts';
import type { Collection } from '../../collections/shape.ts';
import { indexVersion } from '../../documents/from-row.ts';

/** Weights of bm25 by column of `entry`: title over buyer over description; filter tokens never score. */
export const WEIGHTS = '10.0, 5.0, 3.0, 2.0, 1.0, 0.0';

/** Ranking looks at about this many of the newest matches; the answer says so where there are more. */
export const RANKED_MAX = 5_000;

/** Words are weighed against each other in so many matches; more are ranked by where the words stand. */
export const WEIGHED_MAX = 1_000;

/** A document's key is its day times this, plus a number within the day: key order is newest last. */
export const DAY_SPAN = 2 ** 20;

const PORTER = "tokenize='porter unicode61 remove_diacritics 2'";

/**
 * The tables of the index. `entry` answers what matches, `facet` what is compared and counted (as codes of `facet_value`), `document` which `pack` shows it;
 * `word` is the vocabulary of titles and names, unstemmed, for beginnings of words and typing mistakes: how often each was stored.
 */
const TABLES = {
  document: 'CREATE TABLE document (key INTEGER PRIMARY KEY, print TEXT NOT NULL, pack INTEGER NOT NULL)',
  // What is shown comes first: the texts after it are read for marking hits alone.
  pack: 'CREATE TABLE pack (id INTEGER PRIMARY KEY, shown BLOB NOT NULL, texts BLOB NOT NULL)',
  facet_value: 'CREATE TABLE facet_value (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)',
  // Contentless: the text itself is kept once, packed, in `pack`.
  entry: `CREATE VIRTUAL TABLE entry USING fts5(title, buyer, supplier, subject, description, tokens,
    content='', contentless_delete=1, ${PORTER})`,
  word: 'CREATE TABLE word (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID',
  // What each batch of a new index adds to `word`, as JSON: `indexStatements` sums them up.
  word_part: 'CREATE TABLE word_part (counts TEXT NOT NULL)',
} as const;

/** What is compared and counted of a document; numbers are kept as they are, whole or not. */
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

/** What is made of all rows at once where an index is filled, in a fraction of the time: whole or not at all, and again without harm. */
export const indexStatements = (collection: Collection): string[] => [
  'CREATE UNIQUE INDEX IF NOT EXISTS document_by_print ON document (print)',
  ...sortIndexes(collection),
  `INSERT INTO word (term, documents)
    SELECT one.key, sum(one.value) FROM word_part, json_each(word_part.counts) one WHERE true GROUP BY one.key ORDER BY one.key
    ON CONFLICT (term) DO UPDATE SET documents = documents + excluded.documents`,
  'DELETE FROM word_part',
];

/**
 * How FTS5 gathers: while an index is filled nothing is joined but a thousand pieces at once (it holds 2,000 at most, and
 * refuses the next as if the disk were full); `finishStatements` joins all, once. From then on as is usual for it, so that what
 * changes later stays quick to find.
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

/** Where the index stands; outlives a reset so that there is always a row to read. */
export const CREATE_STATE = 'CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL)';
export const READ_CURSOR = "SELECT value FROM state WHERE name = 'cursor'";

/** Statements that leave an empty index without a cursor, to be filled and finished. */
export function resetStatements(collection: Collection): Statement[] {
  const drops = ['word_part', 'word', 'entry', 'facet_value', 'facet', 'document', 'pack'].map(
    (name) => `DROP TABLE IF EXISTS ${name}`,
  );
  const tables = [...Object.values(TABLES), facetTable(collection)];
  return [CREATE_STATE, "DELETE FROM state WHERE name = 'cursor'", ...drops, ...tables, ...GATHER].map((sql) => ({
    sql,
  }));
}

/** Version of what keys, packs, codes and filter tokens mean: raise it with any of them. The tables tell of themselves. */
const MEANING = 3;

/** A filter that is added puts new tokens into every document: it changes the version, so the index is rebuilt. */
function tokenNames(collection: Collection): string[] {
  return tokenRows(collection).flatMap(({ name, letter }) => [name, letter]);
}

/** `SearchEngine.version` of the embedded engine: of a collection's documents, and of the layout that holds them. */
export function versionOf(collection: Collection): string {
  const statements = resetStatements(collection);
  return indexVersion([MEANING, statements, sortIndexes(collection), collection.shown, tokenNames(collection)]);
}

/**
 * The layout alone, as file names tell it: programs of before and after an upgrade have an index each, while one of other
 * documents is read by both.
 */
export function layoutOf(collection: Collection): string {
  const version = versionOf(collection);
  return version.slice(version.indexOf('-') + 1);
}
