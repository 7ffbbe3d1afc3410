import type { Database } from '../../../schema/db/interface.ts';
import { editDistance, lettersOf, mayBeNear, slipsOf } from '../../../schema/names/spelling.ts';
import { compareText, LAST_CHARACTER } from '../../../schema/text/ids.ts';
import type { ParsedQuery, Wanted } from '../../query/parse.ts';
import { COMMON_DOCUMENTS, exactly, quote, type Term } from './expression.ts';
import { countMatches, queryCacheOf, type Word } from './query-cache.ts';

const ENDINGS_MAX = 20;
/** At most this many words are read at once from the vocabulary, so that a short beginning stays cheap. */
const SCAN_MAX = 4_000;
const OPEN_ENDED_MIN = 4;
/** Shorter words have too many neighbours for a guess. Words of the second length may contain two mistakes. */
const CORRECT_MIN = 5;
const TWO_MISTAKES_MIN = 9;
/** A word in at most this many documents may be a typing error, if a similar word occurs this many times more often in titles. */
const SLIP = { documents: 100, times: 20 };
/** Anything longer is not a word, and has too many possible neighbours. */
const CORRECT_MAX = 40;

/** At most this many unknown words of a query are corrected, as each takes milliseconds. With more, something else was meant. */
const CORRECTED_MAX = 8;
/** At most this many words of a query are looked up among similar words of descriptions, as each takes some milliseconds. */
const GUESSES_MAX = 2;

const READ_ENDINGS = `SELECT term, documents FROM (SELECT term, documents FROM word WHERE term >= ? AND term < ? LIMIT ${SCAN_MAX})
  ORDER BY documents DESC, term LIMIT ${ENDINGS_MAX}`;
const READ_WORDS = 'SELECT term, documents FROM word WHERE term IN (SELECT value FROM json_each(?))';
/** As one text, because the driver returns rows more slowly than the index finds them. */
const READ_NEIGHBOURS = `SELECT group_concat(word, ' ') AS words FROM (SELECT term || ':' || documents AS word FROM word
  WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ${SCAN_MAX})`;

const BEGINS_ANY = 'SELECT 1 FROM entry WHERE entry MATCH ? LIMIT 1';

/** The words of a query with other wordings, endings of a partial last word and corrections, as far as the index has them. */
export async function readTerms(
  index: Database,
  query: ParsedQuery,
): Promise<{ terms: Term[]; corrections: Correction[] }> {
  const terms: Term[] = [];
  const corrections: Correction[] = [];
  let guesses = 0;
  let missing = 0;
  for (const { words, synonyms, choice } of [wordings(query), ...query.either.map(wordings)].flatMap(withChoice)) {
    const [word = ''] = words;
    const isPartial = words.length === 1 && word === query.partial;
    const read = await readTerm(index, words, synonyms, isPartial);
    const isKnown = words.length > 1 || read.documents > 0 || read.endings.length > 0 || !isCorrectable(word);
    const corrected = isKnown || missing++ >= CORRECTED_MAX ? read : await correct(index, read);
    const isMissing = words.length === 1 && corrected.documents + corrected.endings.length === 0 && isCorrectable(word);
    const term: typeof corrected = isMissing && guesses++ < GUESSES_MAX ? await guess(index, corrected) : corrected;
    const meant = term.meant ?? term.words[0] ?? word;
    if (words.length === 1 && meant !== word) corrections.push({ from: word, to: meant });
    terms.push({ ...term, choice });
  }
  return { terms: withRuns(terms, query.runs, corrections), corrections };
}

/** The words of a query as written, and their other wordings. */
export function plainTerms(query: ParsedQuery): Term[] {
  return [wordings(query), ...query.either.map(wordings)]
    .flatMap(withChoice)
    .map((one) => ({ ...one, endings: [], openEnded: false, runs: [], documents: 1 }));
}

interface Correction {
  from: string;
  to: string;
}

type Wording = Pick<Term, 'words' | 'synonyms'>;

/** The first wordings are all wanted. The others are choices, with their number. */
function withChoice(wanted: Wording[], at: number): (Wording & Pick<Term, 'choice'>)[] {
  return wanted.map((wording) => ({ ...wording, choice: at === 0 ? null : at - 1 }));
}

/** Words that form one wording together, and every other word on its own. */
function wordings({ words, synonyms }: Wanted): Wording[] {
  const distinct = new Set(words);
  const groups = synonyms.map((one) => ({
    words: one.words.filter((word) => distinct.has(word)),
    synonyms: one.others,
  }));
  const grouped = new Set(groups.flatMap((group) => group.words));
  const single = words.filter((word) => !grouped.has(word)).map((word) => ({ words: [word], synonyms: [] }));
  return [...groups.filter((group) => group.words.length > 0), ...single];
}

/** Terms with the runs of the query that can occur at all and contain a word that is rare enough to be worth it. */
function withRuns(terms: Term[], runs: string[][], corrections: Correction[]): Term[] {
  const corrected = new Map(corrections.map(({ from, to }) => [from, to]));
  const documents = new Map(terms.flatMap((term) => term.words.map((word) => [word, term.documents])));
  const useful = runs
    .map((run) => run.map((word) => corrected.get(word) ?? word))
    .filter((run) => {
      const ends = [run[0], run.at(-1)].map((word) => documents.get(word ?? '') ?? 0);
      return Math.min(...ends) > 0 && Math.min(...ends) <= COMMON_DOCUMENTS;
    });
  return terms.map((term) => ({ ...term, runs: useful.filter(([first = '']) => term.words.includes(first)) }));
}

async function readTerm(
  index: Database,
  words: string[],
  synonyms: string[][],
  partial: boolean,
): Promise<Term & { meant?: string }> {
  const [word = ''] = words;
  const documents = await countTexts(index, words, synonyms);
  const endings = partial ? await readEndings(index, word) : [];
  const openEnded = partial && documents === 0 && endings.length === 0 && word.length >= OPEN_ENDED_MIN;
  const term: Term = {
    words,
    endings: endings.map((ending) => ending.term),
    openEnded,
    synonyms,
    runs: [],
    choice: null,
    documents: endings.reduce((sum, ending) => sum + ending.documents, documents),
  };
  const maySlip = words.length === 1 && documents > 0 && documents <= SLIP.documents;
  return maySlip ? withMeant(term, await readMeant(index, word, documents)) : term;
}

/** The intended word, for a word that no text has. */
async function correct(index: Database, term: Term): Promise<Term & { meant?: string }> {
  return withCorrection(index, term, await readCorrection(index, term.words[0] ?? ''));
}

async function withCorrection(index: Database, term: Term, better: string | null): Promise<Term> {
  if (better === null) return term;
  return { ...term, words: [better], openEnded: false, documents: await countTexts(index, [better], []) };
}

/** The intended word among descriptions, for a word without similar words in titles and names. */
async function guess(index: Database, term: Term): Promise<Term> {
  const [word = ''] = term.words;
  const isBeginning = term.openEnded && (await beginsAny(index, word));
  return isBeginning ? term : withCorrection(index, term, await readSlip(index, word));
}

/** Adds the word that was probably meant. Documents with it rank after those with the word as written. */
function withMeant(term: Term, meant: Word | null): Term & { meant?: string } {
  if (!meant) return term;
  const endings = [...new Set([...term.endings, meant.term])];
  return { ...term, endings, documents: term.documents + meant.documents, meant: meant.term };
}

async function countTexts(index: Database, words: string[], synonyms: string[][]): Promise<number> {
  return countMatches(index, exactly({ words, synonyms }) ?? '');
}

async function readEndings(index: Database, beginning: string): Promise<Word[]> {
  const words = await index.read<Word>({ sql: READ_ENDINGS, args: [beginning, beginning + LAST_CHARACTER] });
  return words.filter(({ term }) => term !== beginning);
}

/** The word that was probably meant by a rare one: it differs in one letter, not the first, and is far more common. */
async function readMeant(index: Database, word: string, documents: number): Promise<Word | null> {
  if (!isCorrectable(word)) return null;
  const { meant: known } = queryCacheOf(index);
  const name = `${documents} ${word}`;
  const found = known.get(name) ?? { word: await findMeant(index, word, documents) };
  known.set(name, found);
  return found.word;
}

async function findMeant(index: Database, word: string, documents: number): Promise<Word | null> {
  const slips = slipsOf(word).filter((slip) => slip[0] === word[0]);
  const common = (await readWords(index, slips)).filter((one) => one.documents >= SLIP.times * documents);
  const meant = await findNearest(index, word, common, 1);
  return common.find(({ term }) => term === meant && term !== word) ?? null;
}

function isCorrectable(word: string): boolean {
  return word.length >= CORRECT_MIN && word.length <= CORRECT_MAX && !/\p{N}/u.test(word);
}

/** The most similar word in titles and names; null if there is none. */
async function readCorrection(index: Database, word: string): Promise<string | null> {
  const [first = '', second = '', third = ''] = word;
  const slip = await findNearest(index, word, await readWords(index, slipsOf(word)), 1);
  if (slip || word.length < TWO_MISTAKES_MIN) return slip;
  // One of two mistakes may be in the second or third letter. Shorter beginnings, which read more words, come last.
  for (const beginning of [first + second + third, first + third + second, second + first, first + second]) {
    const near = await findNearest(index, word, await readNeighbours(index, word, beginning), 2);
    if (near) return near;
  }
  return null;
}

/** Of some words, those that occur in a title or name. */
function readWords(index: Database, words: string[]): Promise<Word[]> {
  return index.read<Word>({ sql: READ_WORDS, args: [JSON.stringify(words)] });
}

async function readNeighbours(index: Database, word: string, beginning: string): Promise<Word[]> {
  const lengths = [word.length - 2, word.length + 2];
  const [row] = await index.read<{ words: string | null }>({
    sql: READ_NEIGHBOURS,
    args: [beginning, beginning + LAST_CHARACTER, ...lengths],
  });
  return (row?.words?.split(' ') ?? []).map((entry) => {
    const [term = '', documents] = entry.split(':');
    return { term, documents: Number(documents) };
  });
}

/** The most similar word that a text still has, the most frequent of several. Words of documents that have changed or gone stay in the vocabulary. */
async function findNearest(index: Database, word: string, words: Word[], mistakes: number): Promise<string | null> {
  const letters = lettersOf(word);
  const alike = words
    .filter(({ term }) => mayBeNear(letters, lettersOf(term), mistakes))
    .map((one) => ({ ...one, distance: editDistance(word, one.term, mistakes), begins: one.term[0] === word[0] }))
    .filter(({ distance, term }) => distance <= mistakes && !/\p{N}/u.test(term))
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        Number(b.begins) - Number(a.begins) ||
        b.documents - a.documents ||
        compareText(a.term, b.term),
    );
  for (const { term } of alike) if ((await countTexts(index, [term], [])) > 0) return term;
  return null;
}

/** Counting stops here, as it only decides which of two words is more usual. */
const TEXTS_MAX = 50;
/** Each possible spelling is looked up in the index, which stems it. In one statement, as each takes microseconds. */
const COUNT_EACH = `SELECT slip, texts FROM (SELECT value AS slip,
    (SELECT count(*) FROM (SELECT 1 FROM entry WHERE entry MATCH value LIMIT ${TEXTS_MAX})) AS texts FROM json_each(?))
  WHERE texts > 0`;

/** Whether any text contains a word with this beginning. */
async function beginsAny(index: Database, word: string): Promise<boolean> {
  return (await index.read({ sql: BEGINS_ANY, args: [`${quote([word])} *`] })).length > 0;
}

/** Of the words that differ in one letter, not the first, the one that most texts contain; null if there is none. */
async function readSlip(index: Database, word: string): Promise<string | null> {
  const alike = slipsOf(word).filter((slip) => slip[0] === word[0] && !slip.includes(' '));
  const words = new Map(alike.map((slip) => [quote([slip]), slip]));
  const rows = await index.read<{ slip: string; texts: number }>({
    sql: COUNT_EACH,
    args: [JSON.stringify([...words.keys()])],
  });
  const [best] = rows.toSorted((a, b) => b.texts - a.texts || compareText(a.slip, b.slip));
  return best ? (words.get(best.slip) ?? null) : null;
}
