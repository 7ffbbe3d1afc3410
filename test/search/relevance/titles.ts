import type { Judged } from './documents.ts';
import { gradeBy, type JudgedQuery, PER_KIND } from './grades.ts';
import { choose, type Draw, misspell, numberOf, otherNumber, plain, tells, wordsOf } from './words.ts';

/** A way of asking for a title from memory, or null where the title has too few words for it. */
type Change = (words: string[], title: string) => string | null;

const CHANGES: Record<string, Change> = {
  'title, words left out': (words, title) => {
    const left = words.filter((_word, index) => (numberOf(title) + index) % 3 !== 0);
    return left.filter(tells).length >= 2 ? left.join(' ') : null;
  },
  'title, one word misspelt': (words, title) => replaceOne(words, title, (word) => word.length >= 6, misspell),
  'title, the last word begun': (words) => {
    const last = words.at(-1) ?? '';
    return tells(last) && last.length >= 6 ? `${words.slice(0, -1).join(' ')} ${last.slice(0, 4)}` : null;
  },
  'title, singular or plural': (words, title) => replaceOne(words, title, (word) => word.length >= 5, otherNumber),
  'title, in another order': (words) => [...words].sort().reverse().join(' '),
};

/** Titles as people remember them. What was asked for is the title; near it is what the same buyer buys under the same code. */
export function titleQueries(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  const titles = [...new Map(judged.map((one) => [one.title, one])).values()].filter(
    ({ title }) => title.split(' ').filter(tells).length >= 2,
  );
  const changed = Object.entries(CHANGES).flatMap(([kind, change]) =>
    choose(
      titles.flatMap((one) => asChanged(one, change)),
      PER_KIND,
      draw,
      ({ text }) => kind + text,
    ).map(({ one, text }) => ({ kind, text, grades: gradeTitle(judged, one) })),
  );
  return [...changed, ...withStrangers(judged, titles, draw), ...phrases(judged, titles, draw)];
}

function asChanged(one: Judged, change: Change): { one: Judged; text: string }[] {
  const text = change(one.title.split(' '), one.title);
  return text === null ? [] : [{ one, text }];
}

function replaceOne(
  words: string[],
  title: string,
  fits: (word: string) => boolean,
  change: (word: string) => string,
): string | null {
  const fitting = words.filter((word) => tells(word) && fits(word));
  if (fitting.length === 0 || words.length < 2) return null;
  const chosen = fitting[numberOf(title) % fitting.length];
  return words.map((word) => (word === chosen ? change(word) : word)).join(' ');
}

function gradeTitle(judged: readonly Judged[], asked: Judged) {
  const code = asked.document.cpvs[0];
  const sameCode = ({ document }: Judged) => code !== undefined && document.cpvs[0] === code;
  return gradeBy(judged, [
    [3, ({ title }) => title === asked.title],
    [2, (one) => sameCode(one) && one.buyer !== null && one.buyer === asked.buyer],
    [1, sameCode],
  ]);
}

/** A title with a word that it does not have: the other words still lead to it. */
function withStrangers(judged: readonly Judged[], titles: readonly Judged[], draw: Draw): JudgedQuery[] {
  const kind = 'title, one word too many';
  return choose(titles, PER_KIND, draw, ({ title }) => kind + title).map((one, index, chosen) => {
    const own = one.title.split(' ');
    const other = wordsOf(chosen[(index + 1) % chosen.length]?.title ?? '').find(
      (word) => tells(word) && !own.includes(word),
    );
    return { kind, text: [other ?? 'zebra', ...own].join(' '), grades: gradeTitle(judged, one) };
  });
}

/** Three words in quotation marks: titles that say exactly that come first. */
function phrases(judged: readonly Judged[], titles: readonly Judged[], draw: Draw): JudgedQuery[] {
  const kind = 'phrase';
  return choose(
    titles.filter(({ title }) => title.split(' ').length >= 4),
    PER_KIND,
    draw,
    ({ title }) => kind + title,
  ).map(({ title }) => {
    const words = title.split(' ');
    const phrase = words
      .slice(numberOf(title) % (words.length - 3))
      .slice(0, 3)
      .join(' ');
    const says = (text: string) => ` ${text} `.includes(` ${phrase} `);
    const grades = gradeBy(judged, [
      [3, (one) => says(one.title)],
      [1, (one) => says(one.description) || one.document.subjects.some((subject) => says(plain(subject)))],
    ]);
    return { kind, text: `"${phrase}"`, grades };
  });
}
