import type { Database } from '../../../schema/db/interface.ts';
import { rememberedOf } from './query-cache.ts';

/** A word in fewer documents is nothing that a slip was likely meant to be. */
export const FREQUENT_LEAST = 20;
const PIECE_WORDS = 1_000;
/** As one text: the driver takes longer over rows than the index over finding them. */
const READ_PIECE = `SELECT json_group_array(json_array(term, documents)) AS words FROM (SELECT term, documents FROM word
  WHERE term > ? AND documents >= ${FREQUENT_LEAST} ORDER BY term LIMIT ${PIECE_WORDS})`;

/** A word of titles and names, and in how many documents it was stored. */
export interface Word {
  term: string;
  documents: number;
}

/** Reads the frequent words of titles and names piece by piece; they are remembered once all are read. */
export async function* readFrequent(index: Database): AsyncGenerator<void> {
  const found: [string, number][] = [];
  for (let after = ''; ; ) {
    const [row] = await index.read<{ words: string }>({ sql: READ_PIECE, args: [after] });
    const words = JSON.parse(row?.words ?? '[]') as [string, number][];
    found.push(...words);
    const last = words.at(-1);
    if (!last || words.length < PIECE_WORDS) break;
    after = last[0];
    yield;
  }
  const { frequent } = rememberedOf(index);
  for (const [term, documents] of found) frequent.set(term, documents);
}

/** Those of some words that are frequent; null where it is not known yet which are. */
export function heldOften(index: Database, words: string[]): Word[] | null {
  const { frequent } = rememberedOf(index);
  if (frequent.size === 0) return null;
  return words.flatMap((term) => {
    const documents = frequent.get(term);
    return documents === undefined ? [] : [{ term, documents }];
  });
}

/** The most frequent words. */
export function mostFrequent(index: Database, most: number): string[] {
  const words = [...rememberedOf(index).frequent].sort(([, a], [, b]) => b - a);
  return words.slice(0, most).map(([term]) => term);
}
