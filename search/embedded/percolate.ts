import { openDatabase } from '../../schema/db/open.ts';
import type { Collection } from '../collections/shape.ts';
import type { AnyDocument, SearchQuery } from '../engine.ts';
import { parseQuery, saysNothing } from '../query/parse.ts';
import { finishStatements, resetStatements } from './layout/tables.ts';
import { levelExpression } from './match/expression.ts';
import { makeMatching } from './match/matching.ts';
import { plainTerms } from './match/vocabulary.ts';
import { readKeys, storeDocuments } from './store/statements.ts';

/** Some documents that saved searches are matched with: search in reverse. */
export interface Percolator {
  /**
   * The ids of all documents that a search finds, in no order. Every word must occur as written or in another wording.
   * Words are neither completed nor corrected, as a few documents are not enough to guess from. A text of signs alone finds
   * nothing, as in a search.
   */
  match(query: SearchQuery): Promise<ReadonlySet<string>>;
  /** Adds documents that are not among them. */
  add(documents: AnyDocument[]): Promise<void>;
  close(): Promise<void>;
}

const EVERYWHERE = { since: 0, before: Number.POSITIVE_INFINITY };
const CURSOR = { generation: '', version: '', seq: 0, id: '' };

/**
 * Indexes some documents of one collection in memory, so that saved searches read these few only. Words, filters and
 * comparisons are those of a search in the whole index. It is synchronous, so it is for jobs and never for the API's event
 * loop. @param url where the index is, for a test that looks into it
 */
export async function openPercolator(
  collection: Collection,
  documents: AnyDocument[],
  url = 'file::memory:',
): Promise<Percolator> {
  const index = await openDatabase({ url, durability: 'normal' });
  // Finished while it is empty, so that FTS5 merges what is added: a match reads every segment that is left.
  const finish = finishStatements(collection).map((sql) => ({ sql }));
  await index.write([...resetStatements(collection), ...finish]);
  const byKey = new Map<number, string>();
  const add = async (some: AnyDocument[]) => {
    await storeDocuments(index, { documents: some, gone: [], cursor: CURSOR }, collection);
    const ids = some.map(({ id }) => id);
    for (const [id, key] of await readKeys(index, ids)) byKey.set(key, id);
  };
  await add(documents);
  return {
    async match(query) {
      if (saysNothing(query.text)) return new Set();
      const parsed = parseQuery(query.text);
      const expression = levelExpression('all', plainTerms(parsed), parsed);
      const { from, where, args } = makeMatching('all', expression, query, parsed, EVERYWHERE);
      // As one text, because the driver returns rows more slowly than the index finds them.
      const sql = `SELECT group_concat(entry.rowid) AS keys ${from} WHERE ${where}`;
      const [found] = await index.read<{ keys: string | null }>({ sql, args });
      const keys = found?.keys ? found.keys.split(',') : [];
      return new Set(keys.flatMap((key) => byKey.get(Number(key)) ?? []));
    },
    add,
    close: () => index.close(),
  };
}
