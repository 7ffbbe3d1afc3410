import { memoise } from '../text/memoise.ts';

const SUFFIX =
  /\b(limited|ltd|plc|public limited company|llp|limited liability partnership|cic|community interest company|cyf|cyfyngedig|inc|incorporated|llc)\b/g;

/**
 * Raised whenever names are cleaned to different keys than before: stored cleaned names belong to one edition of this rule, and
 * `cli rebuild` updates them.
 */
export const CLEANING = 2;

/**
 * A name reduced to what two spellings of it share: lower case, no accents, no legal suffix, `&` as and, initials as one word
 * (`P. P. M.`, `G.EVANS` as `g evans`), single spaces. Empty where nothing is left.
 */
export const nameKey = memoise(cleanName);

/** A dot after an initial, or before a legal form, counts as a space: `G.Evans`, `Dale & Co.Ltd`. */
const GLUED_DOT = /(?<=(?<![\p{L}\p{N}])\p{L})\.|\.(?=(?:ltd|limited|plc|llp|cic)(?![\p{L}\p{N}]))/giu;
/** Legal forms written letter by letter at the end. */
const SPACED_FORM = / (?:p l c|l t d|l l p|c i c|s a|n v|b v|a g)$/;
const LETTERS = /(?<![\p{L}\p{N}])\p{L}(?: \p{L}(?![\p{L}\p{N}]))+/gu;

const TWO_LETTERS = /(?:^| )\p{L} \p{L}(?: |$)/u;

/** Consecutive single letters as one word, with a legal form at the end as a separate word: `b p p l c` is `bp plc`. */
function joinLetters(plain: string): string {
  if (!TWO_LETTERS.test(plain)) return plain;
  const form = SPACED_FORM.exec(plain)?.[0] ?? '';
  const rest = plain.slice(0, plain.length - form.length);
  const joined = rest.replace(LETTERS, (letters) => letters.replaceAll(' ', ''));
  return form === '' ? joined : `${joined} ${form.replaceAll(' ', '')}`;
}

/** The `nameKey` of a name that rarely recurs, like those of the register: it is not cached. */
export function cleanName(name: string): string {
  return withoutForm(joinLetters(plainText(name.includes('.') ? name.replace(GLUED_DOT, ' ') : name)));
}

/** A name as the first edition cleaned it, from which ids were formerly derived: initials as separate words. */
export const formerNameKey = memoise((name) => withoutForm(plainText(name)));

const ASCII = /^[ -~]*$/;

function plainText(name: string): string {
  // Unicode's classes match the same in ASCII, which nearly all names are, but take several times as long.
  const isAscii = ASCII.test(name);
  const letters = isAscii ? name : name.normalize('NFKD').replace(/\p{M}/gu, '');
  return letters
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’`.]/g, '')
    .replace(isAscii ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function withoutForm(plain: string): string {
  const bare = plain.replace(SUFFIX, ' ').replace(/^the /, '').replace(/\s+/g, ' ').trim();
  return bare || plain;
}

/** The legal form at the end of a company's name; empty where there is none. */
type LegalForm = '' | 'limited' | 'plc' | 'llp' | 'cic' | 'lp' | 'cio' | 'unlimited';

/** The legal form of a company under another country's law. */
export type Ending = LegalForm | 'foreign';

const FORMS: readonly (readonly [LegalForm, RegExp])[] = [
  ['plc', /\b(?:plc|public limited company)$/],
  ['cic', /\b(?:cic|community interest company)(?: (?:limited|ltd|plc))?$/],
  ['llp', /\b(?:llp|limited liability partnership)$/],
  ['lp', /\b(?:lp|limited partnership)$/],
  ['unlimited', /\bunlimited$/],
  ['limited', /\b(?:limited|ltd|cyf|cyfyngedig)$/],
  ['cio', /\b(?:cio|charitable incorporated organisation)$/],
];

const FOREIGN =
  /\b(?:inc|incorporated|llc|corp|gmbh|ag|kg|bv|nv|sarl|srl|sa|ab|oy|aps|as|dac|(?:pty|pte|pvt|private)(?: limited| ltd)?)$/;

/** Mistyped legal endings: "Limted", "Lmited", "LImiited", "Ltd" glued to the word before. */
const MISTYPED = /\b(?:li?mi?i?ti?e?d|limietd|limtied|limitd|lmited|ltdd?)\s*\.?$/i;
const GLUED = /([a-z]{3})(Ltd|Limited|LTD|LIMITED)\.?$/;

/** A name with its legal ending spelled as in the register, if it was mistyped or glued to the word before. */
export function mendEnding(name: string): string {
  return name.trim().replace(GLUED, '$1 $2').replace(MISTYPED, 'Limited');
}

/** The legal form that a name ends in. */
export const legalForm = memoise((name): LegalForm => {
  const plain = plainEnd(name);
  return FORMS.find(([, ending]) => ending.test(plain))?.[0] ?? '';
});

/** The ending, where it matters which country's law applies: `Pty Ltd` is not `Ltd`. */
export function endingOf(name: string): Ending {
  return FOREIGN.test(plainEnd(name)) ? 'foreign' : legalForm(name);
}

function plainEnd(name: string): string {
  const plain = mendEnding(name)
    .toLowerCase()
    .replace(/['’]|\.(?!(?:ltd|limited|plc|llp|cic)\b)/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/^ | (?:the ?)?$/g, '');
  return joinLetters(plain);
}

/** Kinds of body in Welsh and in English: a name in both languages has one of them in each of its halves. */
const KINDS = wordPairs(`prifysgol university, coleg college, heddlu police, awdurdod authority, ymddiriedolaeth trust,
  bwrdd board, amgueddfa museum, llyfrgell library, comisiynydd commissioner`);
/** Welsh words for places, which both halves of a name have. */
const PLACES = wordPairs(`abertawe swansea, benfro pembrokeshire, penfro pembrokeshire, bro vale, fro vale,
  brycheiniog beacons, caerdydd cardiff, caerfyrddin carmarthen, canolbarth mid, casnewydd newport, cymru wales,
  welsh wales, de south, drindod trinity, dwyrain east, eryri snowdonia, felindre velindre, gar carmarthenshire,
  gogledd north, gorllewin west, gwyr gower, mon anglesey, morgannwg glamorgan, wrecsam wrexham`);
/** Other words of such names. */
const WORDS = wordPairs(`achub rescue, addysgu teaching, agored open, ambiwlans ambulance, arfordir coast, bae bay,
  bannau brecon, brenhinol royal, cenedlaethol national, genedlaethol national, cerdd music, cyhoeddus public,
  dewi david, gofal care, gig nhs, gwasanaethau services, iechyd health, parc park, plant childrens, sant saint,
  tan fire, throseddu crime, heddlu police`);
const IN_ENGLISH = new Map([...PLACES, ...WORDS]);
const SMALL = new Set(['a', 'ac', 'ar', 'o', 'sir', 'y', 'yr', 'prifysgol', 'brifysgol']);

/** The English half of a body's name in both languages, whichever comes first; else the name, as halves may name two bodies. */
export function englishHalf(name: string): string {
  const [one = '', other, more] = name.split('/', 3);
  if (other === undefined || more !== undefined) return name;
  const [first, second] = [cleanName(one), cleanName(other)];
  if (isWelshFor(second, first)) return one.trim();
  return isWelshFor(first, second) ? other.trim() : name;
}

function isWelshFor(welsh: string, english: string): boolean {
  const [kind, ...words] = welsh.split(' ');
  const theirs = new Set(translate(english));
  if (!KINDS.some(([cymraeg, word]) => cymraeg === kind && theirs.has(word))) return false;
  const own = new Set(translate(words.join(' ')).filter((word) => !SMALL.has(word)));
  const isEachKnown = own.size > 0 && [...own].every((word) => theirs.has(word));
  return isEachKnown && PLACES.every(([, place]) => own.has(place) === theirs.has(place));
}

function translate(text: string): string[] {
  return text.split(' ').map((word) => IN_ENGLISH.get(word) ?? word);
}

function wordPairs(text: string): (readonly [string, string])[] {
  return text.split(/,\s+/).map((pair) => pair.split(' ') as [string, string]);
}

/** Optional words in an organisation's name, which never distinguish two organisations. */
export const NAME_FILLERS = ['and', 'of', 'the', 'uk', 'co', 'company'] as const;

/**
 * The number of mistakes between two words: a letter missing, added or changed, or two neighbours swapped.
 * Returns `most + 1` for anything above `most`, which saves most of the work.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const [from, ends] = sharedEnds(a, b);
  return most === 1
    ? oneMistake(a.slice(from, a.length - ends), b.slice(from, b.length - ends))
    : countMistakes(a.slice(from, a.length - ends), b.slice(from, b.length - ends), most);
}

/** How many letters two words share at the beginning, and then at the end. Those contain no mistake. */
function sharedEnds(a: string, b: string): [from: number, ends: number] {
  const shorter = Math.min(a.length, b.length);
  let from = 0;
  while (from < shorter && a.charCodeAt(from) === b.charCodeAt(from)) from += 1;
  let ends = 0;
  while (ends < shorter - from && a.charCodeAt(a.length - 1 - ends) === b.charCodeAt(b.length - 1 - ends)) ends += 1;
  return [from, ends];
}

/** 0, 1, or 2 for any more, in what is left between the shared ends. */
function oneMistake(a: string, b: string): number {
  if (a.length <= 1 && b.length <= 1) return Math.max(a.length, b.length);
  return a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0] ? 1 : 2;
}

/** The table rows in use: names have a few hundred letters at most. */
const ROWS = 512;
let [before, row, next] = [new Uint16Array(ROWS), new Uint16Array(ROWS), new Uint16Array(ROWS)];

/** Row by row of the usual table; the last two rows are enough, and in each only the part near the diagonal. */
function countMistakes(a: string, b: string, most: number): number {
  const none = most + 1;
  if (a.length === 0 || b.length === 0) return Math.min(Math.max(a.length, b.length), none);
  if (b.length + 2 > row.length)
    [before, row, next] = [0, 1, 2].map(() => new Uint16Array(2 * b.length)) as [Row, Row, Row];
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const [from, to] = [Math.max(1, i - most), Math.min(b.length, i + most)];
    let least = from === 1 ? i : none;
    next[from - 1] = least;
    for (let j = from; j <= to; j++) {
      const letter = a.charCodeAt(i - 1);
      const changed = (row[j - 1] as number) + Number(letter !== b.charCodeAt(j - 1));
      let mistakes = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, changed);
      const isSwap = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwap) mistakes = Math.min(mistakes, (before[j - 2] as number) + 1);
      next[j] = mistakes;
      if (mistakes < least) least = mistakes;
    }
    if (least > most) return none;
    // Away from the diagonal there are more mistakes than are counted.
    next[to + 1] = none;
    [before, row, next] = [row, next, before];
  }
  return Math.min(row[b.length] as number, none);
}

type Row = Uint16Array<ArrayBuffer>;

/** The letters of a word as the bits of a number (bit 26: any other sign). Each mistake adds and removes one at most, so the bits distinguish most words. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at) - 97;
    letters |= 1 << (letter >= 0 && letter < 26 ? letter : 26);
  }
  return letters;
}

/** Whether words with these letters may be at most this many mistakes apart. */
export function mayBeNear(a: number, b: number, mistakes: number): boolean {
  let differing = 0;
  for (let left = a ^ b; left !== 0; left &= left - 1) differing += 1;
  return differing <= 2 * mistakes;
}

/** Letters that a typing mistake may put into a text. A wrong digit makes another number. */
const SLIP_LETTERS = 'abcdefghijklmnopqrstuvwxyz ';

/** Every text that is one mistake away within the first `places` letters. Digits stay as they are. */
export function slipsOf(text: string, places = text.length + 1): string[] {
  const slips = new Set<string>();
  for (let at = 0; at <= text.length && at < places; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    const [here = '', next = ''] = after;
    for (const letter of SLIP_LETTERS) slips.add(before + letter + after);
    if (/\p{N}/u.test(here)) continue;
    slips.add(before + after.slice(1)).add(before + next + here + after.slice(2));
    for (const letter of SLIP_LETTERS) slips.add(before + letter + after.slice(1));
  }
  slips.delete(text);
  return [...slips];
}
