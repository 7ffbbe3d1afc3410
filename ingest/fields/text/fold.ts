import { CP1252, makeLookup } from '../../../schema/text/json-values.ts';
import { matchesOf, memoise } from '../../../schema/text/memoise.ts';

/** The names of U+00A0 to U+00FF, in order (HTML 4, Latin-1 entities). */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
/** Further names that editors write, each before its character. */
const OTHERS =
  'amp & lt < gt > quot " apos \' ndash – mdash — hyphen ‐ lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ lsaquo ‹ rsaquo › bull • bullet • hellip … prime ′ Prime ″ dagger † Dagger ‡ permil ‰ euro € trade ™ minus − le ≤ ge ≥ ne ≠ asymp ≈ infin ∞ radic √ larr ← uarr ↑ rarr → darr ↓ harr ↔ check ✓ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ alpha α beta β gamma γ delta δ Delta Δ mu μ pi π sigma σ omega ω Omega Ω commat @ num # percnt % ast * plus + equals = dollar $ colon : semi ; comma , period . excl ! quest ? lpar ( rpar ) lsqb [ rsqb ] sol / bsol \\ lowbar _ verbar | dash ‐';
const SPACES = 'ensp emsp thinsp Tab NewLine numsp puncsp hairsp';
const INVISIBLE = 'zwnj zwj lrm rlm ZeroWidthSpace';

const words = (list: string) => list.split(' ');
const pairs = words(OTHERS);
const NAMED = makeLookup<string>({
  ...Object.fromEntries(words(LATIN).map((name, index) => [name, String.fromCharCode(160 + index)])),
  ...Object.fromEntries(pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1] ?? '']] : []))),
  ...Object.fromEntries(words(SPACES).map((name) => [name, ' '])),
  ...Object.fromEntries(words(INVISIBLE).map((name) => [name, ''])),
});
/** An entity, however often its ampersand was escaped. The common ones also match without their semicolon. */
const ENTITY =
  /&(?:amp;)*(?:#(\d{2,7});?|#x([0-9a-f]{2,6});?|([a-z][a-z0-9]{1,14});|(nbsp|amp|quot|apos|lt|gt)(?![a-z0-9=;]))/gi;

/** Decodes one layer of HTML entities in a text. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, decodeEntity);
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string, bare?: string): string {
  const named = name ?? bare;
  if (named) return NAMED[named] ?? NAMED[named.toLowerCase()] ?? (name ? `&${name};` : whole);
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  // 128 to 159 are control characters. Authors mean the quotation marks and dashes of Windows, as browsers assume.
  if (code > 127 && code < 160) return CP1252[code - 128] ?? ' ';
  return code > 31 && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' ';
}

const BYTE = new Map([...CP1252].map((character, index) => [character, 0x80 + index]));
const CONTINUATION = `[\u0080-\u00bf${CP1252}]`;
/**
 * How Latin letters and signs, punctuation and pictures look when they are encoded twice: all that was ever seen. Other
 * beginnings are left alone, as real text may end like that: `“CAFÉ”` ends in É and a closing quote, which would decode as well.
 */
const DOUBLE = new RegExp(
  `\u00c2[\u00a0-\u00bf]|\u00c3${CONTINUATION}|[\u00e2\u00ef]${CONTINUATION}{2}|\u00f0${CONTINUATION}{3}`,
  'g',
);
const STRICT = new TextDecoder('utf-8', { fatal: true });

/**
 * Undoes UTF-8 that was read as windows-1252 and encoded again (`Â£`, `â€¢`). Real accented text does not decode, and stays.
 * `count` is called for each character.
 */
export function undoDoubleEncoding(text: string, count: () => void): string {
  if (!/[\u00c2\u00c3\u00e2\u00ef\u00f0]/.test(text)) return text;
  return text.replace(DOUBLE, (match) => {
    const bytes = Uint8Array.from(match, (character) => BYTE.get(character) ?? character.charCodeAt(0));
    try {
      const mended = STRICT.decode(bytes);
      count();
      return mended;
    } catch {
      return match;
    }
  });
}

/** A text in lower-case Latin letters that maps each character to its position in the original. */
export interface Folded {
  text: string;
  /** Start and end, in the original, of a part of the folded text. Includes invisible characters after it. */
  range(start: number, end: number): [number, number];
}

/** Letters that Unicode does not decompose, and the Latin letters for them. */
const LATIN_FOR = new Map(
  Object.entries({ ø: 'o', đ: 'd', ð: 'd', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i', ħ: 'h', ŧ: 't' }),
);
const PLAIN = /^[^\u0080-\uffff&<]*$/;
const NO_LETTER = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const PLAIN_CHARACTER = String.raw`[^\u0080-\uffff&<]`;
const ENTITY_PIECE = String.raw`&(?:amp;)*(?:#\d{2,7};?|#x[\da-f]{2,6};?|[a-z][a-z\d]{1,14};)`;
const LAYOUT_TAG = String.raw`<\/?(?:b|i|u|p|em|br|li|ul|ol|td|tr|div|font|span|strong|h\d)(?:\s[^<>@]{0,300})?\/?>`;
/** A character as web addresses escape it, such as `%20` and `%C3%A9`: the bytes of its UTF-8. */
const ESCAPE = String.raw`%(?:[2-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2})`;
/** A run of plain text, an entity, a layout tag or a single character. Tags that may contain an address are not skipped. */
const PIECES = new RegExp(`(${PLAIN_CHARACTER}+)|(${ENTITY_PIECE})|(${LAYOUT_TAG})|.`, 'gisu');
/** The same, with escaped characters as pieces of their own. */
const ESCAPED_PIECES = new RegExp(
  `((?:(?!${ESCAPE})${PLAIN_CHARACTER})+)|(${ENTITY_PIECE})|(${LAYOUT_TAG})|(${ESCAPE})|.`,
  'gisu',
);
const HAS_ESCAPE = new RegExp(ESCAPE, 'i');

/**
 * Folds case, accents, widths, dashes, quotation marks and spaces. Decodes entities and replaces layout tags by spaces.
 * @param unescapes whether characters that web addresses escape are decoded too; an address then ends at an escaped space
 */
export function foldText(text: string, unescapes = false): Folded {
  const isEscaped = unescapes && HAS_ESCAPE.test(text);
  if (!isEscaped && PLAIN.test(text)) return { text: text.toLowerCase(), range: (start, end) => [start, end] };
  const folded: string[] = [];
  const starts: number[] = [];
  const pieces = text.matchAll(isEscaped ? ESCAPED_PIECES : PIECES);
  for (const { 0: piece, 1: plain, 2: entity, 3: tag, 4: escaped, index } of pieces) {
    const sign = escaped ? unescapeBytes(escaped) : piece;
    const letters = plain !== undefined ? piece.toLowerCase() : foldPiece(sign, entity, tag);
    folded.push(letters);
    for (let at = 0; at < letters.length; at += 1) starts.push(plain !== undefined ? index + at : index);
  }
  return { text: folded.join(''), range: (start, end) => [starts[start] ?? 0, endOf(starts, end, text.length)] };
}

/** The character that escapes stand for; the escapes themselves where their bytes are no UTF-8. */
function unescapeBytes(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
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

const foldCharacter = memoise((character) => {
  const small = character.normalize('NFKD').replace(NO_LETTER, '').toLowerCase();
  if (/^\s$/.test(character)) return ' ';
  if (/^[\p{Pd}\u2212]$/u.test(character)) return '-';
  return /^[\u2018-\u201b\u2032\u02bc`\u00b4]$/.test(character) ? "'" : (LATIN_FOR.get(small) ?? small);
});

/** A short text in the form used for comparison: folded, with single spaces between words. */
export function foldKey(text: string): string {
  return foldText(text).text.replace(/\s+/g, ' ').trim();
}

/** A part of a folded text and its replacement. */
export interface Replaced {
  start: number;
  end: number;
  put: string;
}

/** A text with these parts replaced. Of parts that overlap, only the first is replaced. */
export function replaceRanges(text: string, folded: Folded, replaced: readonly Replaced[]): string {
  if (replaced.length === 0) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, put } of replaced.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const [from, to] = folded.range(start, end);
    if (from < done) continue;
    pieces.push(text.slice(done, from), put);
    done = to;
  }
  return `${pieces.join('')}${text.slice(done)}`;
}

/** A text in the form that is compared: words of lower-case letters and digits, separated by one space. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Line breaks whose backslashes a client has lost. One recording has them. */
const LOST_BREAKS = /(?:rn)+(?=\p{Lu}|$)/gu;
/** Amounts of money in a text. They are compared as values instead. */
const AMOUNTS = /[£€]\s?[\d,.]+/g;

/** The words of a text in the form that is compared, without amounts of money. */
export function comparedWords(text: string): Set<string> {
  return new Set(
    plain(text.replace(LOST_BREAKS, ' ').replace(AMOUNTS, ' '))
      .split(' ')
      .filter((word) => word !== ''),
  );
}

/** A capitalised word that does not begin a sentence. */
const PROPER = /(?<=[\p{Ll}\p{N},)]\s)\p{Lu}[\p{L}\p{N}]*/gu;

/** The words of a text that are written like names. */
export function properWordsOf(text: string): Set<string> {
  return new Set(matchesOf(text, PROPER).map(([word]) => word.toLowerCase()));
}

/** Words that distinguish lots, places and times: `lot 2`, `north`, `March`, `Q3`. */
export const DISTINCTIVE =
  /^(?:\d{1,2}|20\d\d|q[1-4]|[b-h]|[ivx]{1,4}|(?:north|south|east|west)\w*|central|first|second|third|fourth|fifth|one|two|three|four|five|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|winter)$/;

/** The words of a text that distinguish lots, places and times, in alphabetical order. */
export function distinctiveWords(text: string): string[] {
  const proper = properWordsOf(text);
  return [...comparedWords(text)].filter((word) => DISTINCTIVE.test(word) || proper.has(word)).toSorted();
}
