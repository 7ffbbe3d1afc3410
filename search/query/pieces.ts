import {
  ocidOf,
  parseCompanyNumber,
  parseContractId,
  parseCpv,
  parseNoticeId,
  parseOcid,
} from '../../schema/text/ids.ts';

/** Something recognised by its form and matched exactly. Eight digits may be a CPV code or a company number. */
export interface Identifier {
  cpv?: string;
  notice_id?: string;
  ocid?: string;
  company_number?: string;
  /** Of a postcode. */
  district?: string;
  /** The same as plain words, for where a text contains it. */
  words: string[];
}

/** The part of a query between two spaces, or between two quotes. */
export interface Piece {
  words: string[];
  identifier: Identifier | null;
  /** The words belong together: a quotation, a postcode. */
  together: boolean;
  /** Joining words are significant here: the letters of A&E, a word in capitals among others, a last letter. */
  keepsJoining: boolean;
  /** The district of a postcode that is not in quotes. */
  district?: string;
}

interface Pieces {
  /** All of them must be found; of one with several pieces, any. */
  clauses: Piece[][];
  /** None of them may be found. */
  excluded: Piece[];
}

type Operator = 'AND' | 'OR' | 'NOT';
interface Chunk {
  text: string;
  minus: boolean;
  quoted: boolean;
}

/**
 * Words that only join or point and carry no meaning in a notice ("it" is excluded: it is technology; so is "will", a
 * testament). Left out of a query while any other word remains.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be been but by for from had has have if in into is its of on or our than that the their these they this
  those to was we were which with you your`.split(/\s+/),
);

/** Words before which "it" in small letters is technology: "it support". */
export const OF_TECHNOLOGY =
  'support|services|systems?|equipment|hardware|software|infrastructure|networks?|solutions?|security|consultancy|department|helpdesk|managed';

const CHUNK = /(?:(?<![^\s(])([-−]))?["“”„«»]([^"“”„«»]*)["“”„«»]|([^\s()"“”„«»]+)/gu;
const NEGATIVE = /^[-−](?=[\p{L}\p{N}])/u;
const OUTWARD = /^[A-Z]{1,2}\d[A-Z\d]?$/i;
/** The letters C, I, K, M, O and V never end a postcode: `N1 5KG` and `M6 2MM` are measures. */
const INWARD = /^\d[ABD-HJLNP-UW-Z]{2}$/i;
const POSTCODE = /^([A-Z]{1,2}\d[A-Z\d]?)(\d[ABD-HJLNP-UW-Z]{2})$/i;
const COMPANY_NUMBER = /^(\d{8}|(?:[A-Z]{2}|R0)\d{6})$/i;
/** A text of this many words is a sentence, in which "it" is mostly a pronoun. */
const SENTENCE_WORDS = 8;
const TECHNOLOGY = new RegExp(`^(?:${OF_TECHNOLOGY})$`, 'i');
const ASCII = /^[\0-\x7f]*$/;
/** Before a first word or after a last one, as in `& Co`, the sign is left out, as it is of texts. */
const BETWEEN_WORDS = /(?<=[\p{L}\p{N}.]\s*)&(?=\s*[\p{L}\p{N}])/gu;
const POSSESSIVE = /['’]s\b/gu;

/** Splits a text into pieces. `OR` joins what is on either side of it, `NOT` and a minus exclude what follows; `AND` is implied anyway. */
export function readPieces(text: string): Pieces {
  const chunks = readChunks(text);
  // A title in capitals is not a formula.
  const isShouted = !/\p{Ll}/u.test(text);
  const clauses: Piece[][] = [];
  const excluded: Piece[] = [];
  let operator: Operator | null = null;
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at] as Chunk;
    const found = readOperator(chunk, isShouted);
    if (found) {
      operator = found === 'AND' ? operator : found;
      continue;
    }
    const postcode = readPostcode(chunk, chunks[at + 1]);
    if (postcode?.isSplit) at++;
    const piece = postcode?.piece ?? readPiece(chunks, at, isShouted);
    const alternatives = clauses.at(-1);
    if (piece.words.length === 0 || isPronoun(chunks, at)) continue;
    if (chunk.minus || operator === 'NOT') excluded.push(piece);
    else if (operator === 'OR' && alternatives) alternatives.push(piece);
    else clauses.push([piece]);
    operator = null;
  }
  return { clauses, excluded };
}

function readChunks(text: string): Chunk[] {
  return [...text.matchAll(CHUNK)].map(([, minus, quoted, bare = '']) => {
    if (quoted !== undefined) return { text: quoted, minus: minus !== undefined, quoted: true };
    const isNegative = NEGATIVE.test(bare);
    return { text: isNegative ? bare.slice(1) : bare, minus: isNegative, quoted: false };
  });
}

function readOperator({ text, minus, quoted }: Chunk, isShouted: boolean): Operator | null {
  if (minus || quoted || (text === 'NOT' && isShouted)) return null;
  return text === 'AND' || text === 'OR' || text === 'NOT' ? text : null;
}

function readPiece(chunks: readonly Chunk[], at: number, isShouted: boolean): Piece {
  const { text, quoted } = chunks[at] as Chunk;
  const words = splitWords(quoted ? text.replace(BETWEEN_WORDS, ' and ') : text.replace(/(?<=\p{L})['’]t\b/giu, ''));
  const [only = ''] = words;
  const isPaired = [chunks[at - 1]?.text, chunks[at + 1]?.text].includes('&') || /\S&\S/.test(text);
  const isName = !isShouted && /^\p{Lu}{2,}$/u.test(text);
  const isLastLetter = at === chunks.length - 1 && words.length === 1 && only.length === 1;
  return {
    words,
    identifier: parseIdentifier(text),
    together: quoted,
    keepsJoining: isPaired || isName || isLastLetter,
  };
}

/** In a pasted sentence it may refer to anything. */
function isPronoun(chunks: readonly Chunk[], at: number): boolean {
  const { text, quoted } = chunks[at] as Chunk;
  return !quoted && text === 'it' && chunks.length >= SENTENCE_WORDS && !TECHNOLOGY.test(chunks[at + 1]?.text ?? '');
}

/** A postcode, in one chunk or in two. */
function readPostcode(one: Chunk, next: Chunk | undefined): { piece: Piece; isSplit: boolean } | null {
  if (one.quoted) return null;
  const [, out, inner] = POSTCODE.exec(trim(one.text)) ?? [];
  if (out && inner) return { piece: postcodePiece(out, inner), isSplit: false };
  if (!next || next.quoted || next.minus || !OUTWARD.test(one.text) || !INWARD.test(trim(next.text))) return null;
  return { piece: postcodePiece(one.text, trim(next.text)), isSplit: true };
}

function postcodePiece(out: string, inner: string): Piece {
  const district = out.toLowerCase();
  const words = [district, inner.toLowerCase()];
  return { words, identifier: null, together: true, keepsJoining: true, district };
}

/** Whether a phrase is a postcode. */
export function isPostcode([out = '', inner = '', ...more]: readonly string[]): boolean {
  return more.length === 0 && OUTWARD.test(out) && INWARD.test(inner);
}

function parseIdentifier(chunk: string): Identifier | null {
  const bare = trim(chunk);
  const notice = parseNoticeId(bare);
  if (notice) return { notice_id: notice, words: splitWords(bare) };
  const contract = parseContractId(bare);
  // A contract's id finds its process, with its notices and all of its contracts.
  const ocid = contract ? ocidOf(contract.processId) : parseOcid(bare);
  if (ocid) return { ocid, words: splitWords(bare) };
  const cpv = parseCpv(bare);
  const number = COMPANY_NUMBER.test(bare) ? parseCompanyNumber(bare) : null;
  if (!cpv && !number) return null;
  return { ...(cpv ? { cpv } : {}), ...(number ? { company_number: number } : {}), words: splitWords(bare) };
}

/** Whether a word of a piece is significant. */
export function isDistinctive(word: string, { keepsJoining }: Pick<Piece, 'keepsJoining'>): boolean {
  return keepsJoining || !STOP_WORDS.has(word);
}

function trim(chunk: string): string {
  return chunk.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** Letters and digits of a text as lower-case words without accents and possessive endings. */
export function splitWords(text: string): string[] {
  return wordsOf(foldText(text));
}

/** A phrase as texts write it: with `and`, and without it where they have the sign, which no index keeps. */
export function spellingsOf(words: readonly string[]): string[][] {
  const without = words.filter((word, at) => word !== 'and' || at === 0 || at === words.length - 1);
  return without.length < words.length ? [[...words], without] : [[...words]];
}

/** Letters and digits of a text that is already folded. */
export function wordsOf(folded: string): string[] {
  return folded.match(ASCII.test(folded) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * A text as it is indexed and searched: lower case, without accents and possessive endings. Outside ASCII it contains only
 * letters and digits.
 */
export function foldText(text: string): string {
  // Most text is plain ASCII, where there is nothing to decompose.
  if (ASCII.test(text)) {
    const small = text.toLowerCase();
    return small.includes("'s") ? small.replace(POSSESSIVE, '') : small;
  }
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain.replace(POSSESSIVE, '').replace(/[^\p{L}\p{N}\0-\x7f]+/gu, ' ');
}
