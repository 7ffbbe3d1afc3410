import type { Database } from '../../schema/database.ts';
import type { ParsedQuery } from '../query.ts';
import { editDistance } from '../similarity.ts';
import { COMMON_DOCUMENTS, quote, type Term } from './expression.ts';

const ENDINGS_MAX = 20;
/** Words read per look at the vocabulary, so that a short beginning stays cheap. */
const SCAN_MAX = 4_000;
const PARTIAL_LEAST = 2;
const OPEN_ENDED_LEAST = 4;
/** Shorter words have too many neighbours to guess between; longer ones may hold two mistakes. */
const CORRECT_LEAST = 5;
const TWO_MISTAKES_LEAST = 9;

const COUNT_WORD = `SELECT count(*) AS count FROM (SELECT 1 FROM entry WHERE entry MATCH ? LIMIT ${COMMON_DOCUMENTS + 1})`;
const READ_ENDINGS = `SELECT term, doc FROM (SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? LIMIT ${SCAN_MAX})
  ORDER BY doc DESC, term LIMIT ${ENDINGS_MAX}`;
const READ_NEIGHBOURS = `SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ${SCAN_MAX}`;
const AFTER_ALL = '\u{10ffff}';

interface Word {
  term: string;
  doc: number;
}

/** The words of a query as the index knows them: endings of a partial last word, and mistakes corrected. */
export async function readTerms(
  index: Database,
  query: ParsedQuery,
): Promise<{ terms: Term[]; corrections: { from: string; to: string }[] }> {
  const terms: Term[] = [];
  const corrections: { from: string; to: string }[] = [];
  for (const [position, word] of query.words.entries()) {
    const partial = query.partial && position === query.words.length - 1;
    const term = await readTerm(index, word, partial);
    terms.push(term);
    if (term.word !== word) corrections.push({ from: word, to: term.word });
  }
  return { terms, corrections };
}

async function readTerm(index: Database, word: string, partial: boolean): Promise<Term> {
  const documents = await countWord(index, word);
  const endings = partial && word.length >= PARTIAL_LEAST ? await readEndings(index, word) : [];
  const openEnded = partial && documents === 0 && endings.length === 0 && word.length >= OPEN_ENDED_LEAST;
  const term: Term = { word, endings, openEnded, documents };
  if (documents > 0 || endings.length > 0) return term;
  const better = await readCorrection(index, word);
  if (!better) return term;
  return { word: better, endings: [], openEnded: false, documents: await countWord(index, better) };
}

async function countWord(index: Database, word: string): Promise<number> {
  const [row] = await index.read<{ count: number }>({ sql: COUNT_WORD, args: [quote([word])] });
  return row?.count ?? 0;
}

async function readEndings(index: Database, beginning: string): Promise<string[]> {
  const words = await index.read<Word>({ sql: READ_ENDINGS, args: [beginning, beginning + AFTER_ALL] });
  return words.map(({ term }) => term).filter((term) => term !== beginning);
}

/** The nearest word of titles and names, of equally near ones the most frequent; never for anything with a digit. */
async function readCorrection(index: Database, word: string): Promise<string | null> {
  if (word.length < CORRECT_LEAST || /\p{N}/u.test(word)) return null;
  const mistakes = word.length >= TWO_MISTAKES_LEAST ? 2 : 1;
  const [first = '', second = ''] = word;
  // The second letter may be the mistake: its neighbour swapped, then any, which reads more of the vocabulary.
  for (const beginning of [first + second, second + first, first]) {
    const near = await readNear(index, word, beginning, mistakes);
    if (near) return near;
  }
  return null;
}

async function readNear(index: Database, word: string, beginning: string, mistakes: number): Promise<string | null> {
  const words = await index.read<Word>({
    sql: READ_NEIGHBOURS,
    args: [beginning, beginning + AFTER_ALL, word.length - mistakes, word.length + mistakes],
  });
  const near = words
    .map(({ term, doc }) => ({ term, doc, distance: editDistance(word, term, mistakes) }))
    .filter(({ distance, term }) => distance <= mistakes && !/\p{N}/u.test(term))
    .sort((a, b) => a.distance - b.distance || b.doc - a.doc || (a.term < b.term ? -1 : 1));
  return near[0]?.term ?? null;
}
