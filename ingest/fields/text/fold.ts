import { decodeEntities } from './entities.ts';

/** A text in small letters of the Latin alphabet, and where each of its characters stands in the original. */
export interface Folded {
  text: string;
  /** A stretch of the folded text in the original, characters that show nothing at its end included. */
  range(start: number, end: number): [number, number];
}

/** Letters that no decomposition takes apart, dashes and quotation marks. */
const ALIKE = new Map(
  Object.entries({ ø: 'o', đ: 'd', ð: 'd', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i', ħ: 'h', ŧ: 't' }),
);
const PLAIN = /^[^\u0080-\uffff&<]*$/;
const NO_LETTER = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;
/** Runs of plain text, one entity, one tag of layout, one character. Tags that may hold an address are not passed over. */
const PIECES =
  /([^\u0080-\uffff&<]+)|(&(?:amp;)*(?:#\d{2,7};?|#x[\da-f]{2,6};?|[a-z][a-z\d]{1,14};))|(<\/?(?:b|i|u|p|em|br|li|ul|ol|td|tr|div|font|span|strong|h\d)(?:\s[^<>@]{0,300})?\/?>)|./gisu;

/** Folds case, accents, widths, dashes, quotation marks and blanks; entities are read and tags of layout are blanks. */
export function foldText(text: string): Folded {
  if (PLAIN.test(text)) return { text: text.toLowerCase(), range: (start, end) => [start, end] };
  const folded: string[] = [];
  const starts: number[] = [];
  for (const { 0: piece, 1: plain, 2: entity, 3: tag, index } of text.matchAll(PIECES)) {
    const letters = plain !== undefined ? piece.toLowerCase() : foldPiece(piece, entity, tag);
    folded.push(letters);
    for (let at = 0; at < letters.length; at += 1) starts.push(plain !== undefined ? index + at : index);
  }
  return { text: folded.join(''), range: (start, end) => [starts[start] ?? 0, endOf(starts, end, text.length)] };
}

function endOf(starts: readonly number[], end: number, length: number): number {
  const last = starts[end - 1];
  let after = end;
  while (after < starts.length && starts[after] === last) after += 1;
  return starts[after] ?? length;
}

function foldPiece(piece: string, entity: string | undefined, tag: string | undefined): string {
  if (tag !== undefined) return ' ';
  return entity === undefined ? foldCharacter(piece) : [...decodeEntities(entity)].map(foldCharacter).join('');
}

const KNOWN = new Map<string, string>();
const KNOWN_MOST = 5_000;

function foldCharacter(character: string): string {
  const known = KNOWN.get(character);
  if (known !== undefined) return known;
  const small = character.normalize('NFKD').replace(NO_LETTER, '').toLowerCase();
  const folded = /^\s$/.test(character)
    ? ' '
    : /^[\p{Pd}\u2212]$/u.test(character)
      ? '-'
      : /^[\u2018-\u201b\u2032\u02bc`\u00b4]$/.test(character)
        ? "'"
        : (ALIKE.get(small) ?? small);
  if (KNOWN.size < KNOWN_MOST) KNOWN.set(character, folded);
  return folded;
}

/** A short text as it is compared: folded, one blank between words. */
export function foldKey(text: string): string {
  return foldText(text).text.replace(/\s+/g, ' ').trim();
}
