import { parseCompanyNumber, parseCpv, parseNoticeId, parseOcid } from '../schema/ids.ts';
import { STOP_WORDS } from './stop-words.ts';
import { findSynonyms, type Synonym } from './synonyms.ts';

/** Distinct words that are looked for; what is beyond is counted in the answer. */
const WORDS_MAX = 64;
const PHRASES_MAX = 16;
const RUNS_MAX = 12;
/** A run spans at most this many words: "supply of the food". */
const RUN_WORDS = 4;

/** One letter begins too many words: "R&D", "M&E". */
const PARTIAL_LEAST = 2;

/** Something recognised by its form and matched exactly. Eight digits may be a CPV code or a company number. */
export interface Identifier {
  cpv?: string;
  notice_id?: string;
  ocid?: string;
  company_number?: string;
  /** The same as plain words, for where it stands in a text. */
  words: string[];
}

export interface ParsedQuery {
  /** Distinct, lower case, without accents. */
  words: string[];
  /** Words that follow each other with at most a few that say nothing between them, as they stand in the query. */
  runs: string[][];
  /** Words that are said otherwise too. */
  synonyms: Synonym[];
  /** Whether the last word may be the beginning of one. */
  partial: boolean;
  /** Quoted phrases and postcodes, each as its words. */
  phrases: string[][];
  identifiers: Identifier[];
  ignoredWords: number;
}

const ASCII = /^[\0-\x7f]*$/;
const QUOTED = /["“”„«»]([^"“”„«»]*)["“”„«»]/gu;
const POSTCODE = /(?<![\p{L}\p{N}-])([A-Z]{1,2}\d[A-Z\d]?)\s*(\d[A-Z]{2})(?![\p{L}\p{N}-])/giu;
const COMPANY_NUMBER = /^(\d{8}|(?:[A-Z]{2}|R0)\d{6})$/i;

/** Reads a query as plain words. Every text is a valid query: what is neither letter nor digit separates words. */
export function parseQuery(text: string | undefined): ParsedQuery {
  const phrases: string[][] = [];
  const identifiers: Identifier[] = [];
  const keepPhrase = (words: string[]) => {
    if (words.length > 0 && phrases.length < PHRASES_MAX) phrases.push(words);
    return ' ';
  };
  const keepIdentifier = (chunk: string): boolean => {
    const identifier = parseIdentifier(chunk);
    if (identifier) identifiers.push(identifier);
    return identifier !== null;
  };
  const plain = (text ?? '')
    .normalize('NFC')
    .replace(QUOTED, (_whole, inside: string) => (keepIdentifier(inside) ? ' ' : keepPhrase(splitWords(inside))));
  const rest = plain
    .split(/\s+/u)
    .filter((chunk) => !keepIdentifier(chunk))
    .join(' ')
    // After the identifiers: the end of an ocid may look like a postcode.
    .replace(POSTCODE, (_whole, out: string, inner: string) => keepPhrase([out.toLowerCase(), inner.toLowerCase()]));
  const inOrder = splitWords(rest);
  const all = [...new Set(inOrder)];
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  const found = telling.length > 0 || phrases.length + identifiers.length > 0 ? telling : all;
  return {
    words: found.slice(0, WORDS_MAX),
    runs: findRuns(inOrder, new Set(found)),
    synonyms: findSynonyms(inOrder),
    partial: endsInside(plain, found),
    phrases,
    identifiers: identifiers.slice(0, PHRASES_MAX),
    ignoredWords: Math.max(0, found.length - WORDS_MAX),
  };
}

/** What an answer says of the wordings that were looked for too; nothing where there were none. */
export function toldSynonyms({ synonyms }: ParsedQuery): { synonyms?: { from: string; to: string[] }[] } {
  const told = synonyms.map(({ words, others }) => ({
    from: words.join(' '),
    to: others.map((other) => other.join(' ')),
  }));
  return told.length > 0 ? { synonyms: told } : {};
}

/** How many words, phrases and identifiers a query asks for. */
export function countParts({ words, phrases, identifiers }: ParsedQuery): number {
  return words.length + phrases.length + identifiers.length;
}

/** Whether nothing was asked for: absent, blank, `*`, or nothing but signs. */
export function asksForAll(query: ParsedQuery): boolean {
  return countParts(query) === 0;
}

/** Whether a text was given that holds nothing to look for: signs alone, which are no way to ask for everything. */
export function saysNothing(text: string | undefined): boolean {
  return !['', '*'].includes((text ?? '').trim()) && asksForAll(parseQuery(text));
}

/** Letters and digits of a text as lower-case words without accents and possessive endings. */
export function splitWords(text: string): string[] {
  return wordsOf(foldText(text));
}

/** Letters and digits of a text that is folded already. */
export function wordsOf(folded: string): string[] {
  return folded.match(ASCII.test(folded) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

/** A text as it is indexed and asked for: lower case, without accents and possessive endings. */
export function foldText(text: string): string {
  // Most text is plain ASCII, where there is nothing to decompose.
  const plain = ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain.toLowerCase().replace(/['’]s\b/gu, '');
}

function parseIdentifier(chunk: string): Identifier | null {
  const bare = chunk.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  const notice = parseNoticeId(bare);
  if (notice) return { notice_id: notice, words: splitWords(bare) };
  const ocid = parseOcid(bare);
  if (ocid) return { ocid, words: splitWords(bare) };
  const cpv = parseCpv(bare);
  const number = COMPANY_NUMBER.test(bare) ? parseCompanyNumber(bare) : null;
  if (!cpv && !number) return null;
  return { ...(cpv ? { cpv } : {}), ...(number ? { company_number: number } : {}), words: splitWords(bare) };
}

/** From each telling word to the next one, where they stand close enough. */
function findRuns(words: string[], telling: ReadonlySet<string>): string[][] {
  const places = words.flatMap((word, at) => (telling.has(word) ? [at] : []));
  const runs = places.flatMap((at, index) => {
    const next = places[index + 1];
    return next === undefined || next - at >= RUN_WORDS ? [] : [words.slice(at, next + 1)];
  });
  return [...new Map(runs.map((run) => [run.join(' '), run])).values()].slice(0, RUNS_MAX);
}

/** The last word is partial while the text ends in it: no space or closing quote after. */
function endsInside(plain: string, words: string[]): boolean {
  const last = words.at(-1);
  return (
    last !== undefined &&
    last.length >= PARTIAL_LEAST &&
    /[\p{L}\p{N}]$/u.test(plain) &&
    splitWords(plain).at(-1) === last
  );
}
