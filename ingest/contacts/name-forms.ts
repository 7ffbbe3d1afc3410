import type { Folded } from '../fields/text/fold.ts';

export const TITLES = 'mr mrs miss ms mx dr prof professor sir dame rev cllr'.split(' ');

/** A person as texts may name them: folded words. */
export interface Person {
  given: string[];
  surname: string[];
  /** Whether every word of the name is also an ordinary word: `Will Grant`. */
  isOrdinary: boolean;
}

/** How a text may write a person's name: `Ann Clerk`, `Clerk Ann`, `A. Clerk`, `Clerk, A.`, `Mrs Clerk`. Also a phrase with its words in order. */
type Form = 'full' | 'swapped' | 'initials' | 'swapped_initials' | 'title' | 'phrase';

interface Node {
  next: Map<string, Node>;
  ends: Map<Form, Named[]>;
}

/** A person to look for. */
export interface Named {
  /** Whether every word of the name is also an ordinary word. */
  isOrdinary: boolean;
  /** Which forms stay in the text: all, or those where an initial or a title may mean somebody else. */
  stays?: 'whole' | 'short';
}

/** Forms by their words, so that a text is read once, however many people are looked for. */
export interface NameForms {
  root: Node;
}

export interface FoundName {
  start: number;
  end: number;
  form: Form;
  named: readonly Named[];
}

/** Stands for one letter: the initial of a middle name. */
const ANY_INITIAL = '*';
const ANY_TITLE = 'title';

/** An empty tree of name forms, to which the forms of each person are added. */
export function makeForms(): NameForms {
  return { root: makeNode() };
}

function makeNode(): Node {
  return { next: new Map(), ends: new Map() };
}

/** The possible last words of a surname: a text that names the person contains one of them. */
export function keysOfPerson({ surname }: Person): string[] {
  return waysToWrite(surname).map((last) => last.at(-1) ?? '');
}

/** The longest word of a phrase. */
export function keyOfPhrase(words: readonly string[]): string {
  return words.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

function waysToWrite(surname: readonly string[]): (readonly string[])[] {
  return surname.length > 1 ? [surname, [surname.join('')]] : [surname];
}

/** Adds every way in which a person may be named. */
export function addPerson(forms: NameForms, { given, surname, isOrdinary }: Person): Named {
  const named: Named = { isOrdinary };
  const [first = '', ...middle] = given;
  const initial = first.slice(0, 1);
  const main = surname.at(-1) ?? '';
  const add = (form: Form, words: readonly string[]) => addWords(forms, words, form, named);
  for (const last of waysToWrite(surname)) {
    if (first.length > 1) {
      add('full', [...given, ...last]);
      add('swapped', [...last, ...given]);
      for (const between of [[], [ANY_INITIAL], [ANY_INITIAL, ANY_INITIAL]]) {
        add('full', [first, ...between, ...last]);
        add('swapped', [...last, first, ...between]);
      }
      // `Jean-Paul` as one word, and people who use their second name.
      if (middle.length > 0) add('full', [first + (middle[0] ?? ''), ...last]);
      for (const other of middle) if (other.length > 2 && !isOrdinary) add('full', [other, ...last]);
    }
    for (const between of [[], [ANY_INITIAL], [ANY_INITIAL, ANY_INITIAL]]) {
      add('initials', [initial, ...between, ...last]);
      add('swapped_initials', [...last, initial, ...between]);
    }
    if (middle.length > 0) add('initials', [given.map((word) => word.slice(0, 1)).join(''), ...last]);
    add('title', [ANY_TITLE, ...last]);
  }
  if (surname.length > 1) {
    add('swapped', [main, first, ...surname.slice(0, -1)]);
    add('swapped_initials', [main, initial, ...surname.slice(0, -1)]);
  }
  return named;
}

/** Adds a phrase, whose words are looked for in order. */
export function addPhrase(forms: NameForms, words: readonly string[]): void {
  addWords(forms, words, 'phrase', { isOrdinary: false });
}

function addWords({ root }: NameForms, words: readonly string[], form: Form, named: Named): void {
  let node = root;
  for (const word of words) {
    const next = node.next.get(word) ?? makeNode();
    node.next.set(word, next);
    node = next;
  }
  const ends = node.ends.get(form);
  if (ends) ends.push(named);
  else node.ends.set(form, [named]);
}

interface Token {
  text: string;
  start: number;
  end: number;
}

/** Words of the longest form, and of the longest address. */
const WORDS_MAX = 24;

/** Where a folded text names the people; the longest form at each place. Each word is compared with only a few after it. */
export function findNames(forms: NameForms, from: Folded, original: string): FoundName[] {
  const tokens = Array.from(from.text.matchAll(/[\p{L}\p{N}]+/gu), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
  const found: FoundName[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const match = findAt(forms, { from, original, tokens, at });
    if (!match) continue;
    const [start, end] = [tokens[at]?.start ?? 0, tokens[match.last]?.end ?? 0];
    found.push({ start, end, form: match.form, named: match.named });
    at = match.last;
  }
  return found;
}

interface Place {
  from: Folded;
  original: string;
  tokens: readonly Token[];
  at: number;
}

interface Match {
  last: number;
  form: Form;
  named: readonly Named[];
}

function findAt({ root }: NameForms, place: Place): Match | null {
  const { tokens, at } = place;
  let nodes: Node[] = [root];
  let best: Match | null = null;
  for (let last = at; last < tokens.length && last - at < WORDS_MAX && nodes.length > 0; last += 1) {
    const word = tokens[last]?.text ?? '';
    nodes = nodes.flatMap(({ next }) => {
      const ways = [next.get(word)];
      if (word.length === 1) ways.push(next.get(ANY_INITIAL));
      if (last === at && TITLES.includes(word)) ways.push(next.get(ANY_TITLE));
      return ways.filter((way) => way !== undefined);
    });
    for (const { ends } of nodes) {
      for (const [form, named] of ends) {
        const isMeant = [false, true].some(
          (isOrdinary) =>
            named.some((one) => one.isOrdinary === isOrdinary && isStruck(one, form)) &&
            isWritten(form, isOrdinary, place, last),
        );
        if (isMeant) best = { last, form, named };
      }
    }
  }
  return best;
}

function isStruck({ stays }: Named, form: Form): boolean {
  return stays === undefined || (stays === 'short' && (form === 'full' || form === 'swapped'));
}

/** After these words a letter is a numbering: `Lot B Grant`. */
const COUNTS = new Set(
  'lot lots part annex appendix section schedule phase block option area zone unit category grade class stage group type band tier item form plan table figure route vitamin wing'.split(
    ' ',
  ),
);
const GAP = /^[\s,.'_+()/-]{1,12}$/;
const PHRASE_GAP = /^[\s,.'_+()/&-]{1,12}$/;

/** `Hives & Co` is not in `Hives & Co-operative`. */
const CO_OPERATIVE = /^co-op$/;

/** Whether the words from `at` to `last` are written as this form of a name. */
function isWritten(form: Form, isOrdinary: boolean, { from, original, tokens, at }: Place, last: number): boolean {
  const words = tokens.slice(at, last + 1);
  const gaps = words
    .slice(1)
    .map(({ start }, index) => from.text.slice(words[index]?.end ?? 0, start).replace(/\s+/g, ' '));
  if (!gaps.every((gap) => gap.length <= 4 && (form === 'phrase' ? PHRASE_GAP : GAP).test(gap))) return false;
  if (form === 'phrase') return !CO_OPERATIVE.test(from.text.slice(words.at(-1)?.start, (words.at(-1)?.end ?? 0) + 3));
  const capital = words.map(({ start, end }) => !/^\p{Ll}/u.test(original.slice(...from.range(start, end))));
  if (form === 'full' || form === 'swapped') {
    if (!isOrdinary) return true;
    const isTight = form === 'full' ? gaps.every((gap) => /^[ .]{0,2}$|^-$/.test(gap)) : /^, ?$/.test(gaps[0] ?? '');
    return isTight && capital.every(Boolean);
  }
  if (!capital[0] || !capital.at(-1)) return false;
  if (form === 'title') return gaps.every((gap) => /^[.]? ?$|^['-]$/.test(gap));
  const after = from.text.slice(tokens[last]?.end, (tokens[last]?.end ?? 0) + 1);
  if (form === 'swapped_initials') {
    const isEnded = after === '.' || (!isOrdinary && /^[,;:)\]/\n]?$/.test(after));
    return isEnded && (isOrdinary ? gaps[0] === ', ' : gaps.every((gap) => /^,? ?$|^\. ?$|^['-]$/.test(gap)));
  }
  const [gap = ''] = gaps;
  if (!gaps.every((one) => /^\.? ?$|^['-]$/.test(one))) return false;
  if (gap.includes('.')) return true;
  return !COUNTS.has(tokens[at - 1]?.text ?? '') && !(isOrdinary && /^[ai]$/.test(words[0]?.text ?? ''));
}
