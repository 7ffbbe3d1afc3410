import { domainToUnicode } from 'node:url';
import { foldKey } from './fold.ts';

/** An e-mail address in a folded text. */
export interface FoundEmail {
  start: number;
  end: number;
  /** In its one normal form: folded, its domain as it is read. */
  value: string;
  /** Whether it is written with a sign, so that it can be nothing else; `jo at example dot org` may be a sentence. */
  isSure: boolean;
}

const MAY_HAVE = /@|%40|[[({<] ?at ?[\])}>]/;
const MAY_HAVE_SPELT = /\sat\s/;
const SURE = /@|%40|[[({<] ?at ?[\])}>]/g;
const SURE_OR_SPELT = new RegExp(`${SURE.source}|(?<=\\s)at(?=\\s)`, 'g');
/** No character is in two of these: a text is read in one way, and none makes these slow. */
const DOT = String.raw`(?:\.|\s?[[({<]\s?dot\s?[\])}>]\s?)`;
const SPELT_DOT = String.raw`(?:\.|\sdot\s|\s?[[({<]\s?dot\s?[\])}>]\s?)`;
const LETTER = String.raw`[\p{L}\p{N}_%+'&-]`;
const nameBefore = (dot: string) => new RegExp(`[\\p{L}\\p{N}_](?:${LETTER}|${dot}){0,63} {0,2}$`, 'u');
const domainAfter = (dot: string) =>
  new RegExp(
    String.raw`^ {0,2}(?!www\.)((?:[\p{L}\p{N}-]{1,63}${dot}){1,6}(?:xn--[\p{L}\p{N}-]{1,59}|\p{L}{2,24}))(?![\p{L}\p{N}])`,
    'u',
  );
const [NAME, SPELT_NAME] = [DOT, SPELT_DOT].map(nameBefore) as [RegExp, RegExp];
const [DOMAIN, SPELT_DOMAIN] = [DOT, SPELT_DOT].map(domainAfter) as [RegExp, RegExp];
/** What is looked at on either side of the sign: more than any address has. */
const NAME_MOST = 80;
const DOMAIN_MOST = 260;

/** The e-mail addresses in a folded text; those spelt in words only where they are asked for. Looks at each sign once. */
export function findEmails(folded: string, spelt = false): FoundEmail[] {
  if (!MAY_HAVE.test(folded) && !(spelt && MAY_HAVE_SPELT.test(folded))) return [];
  const found: FoundEmail[] = [];
  for (const { 0: sign, index } of folded.matchAll(spelt ? SURE_OR_SPELT : SURE)) {
    const isSpelt = sign === 'at';
    const from = Math.max(found.at(-1)?.end ?? 0, index - NAME_MOST);
    const name = (spelt ? SPELT_NAME : NAME).exec(folded.slice(from, index));
    const rest = folded.slice(index + sign.length, index + sign.length + DOMAIN_MOST);
    const domain = name && (spelt ? SPELT_DOMAIN : DOMAIN).exec(rest);
    if (!name || !domain?.[1]) continue;
    const value = normalEmail(`${name[0]}@${domain[1]}`);
    found.push({
      start: withScheme(folded, from + name.index),
      end: index + sign.length + domain[0].length,
      value,
      isSure: !isSpelt,
    });
  }
  return found;
}

function withScheme(folded: string, start: number): number {
  return start - (/mailto:\s?$/.exec(folded.slice(Math.max(0, start - 8), start))?.[0].length ?? 0);
}

/** An address as it is compared: without accents, its domain as it is read and not as it is encoded. */
export function normalEmail(address: string): string {
  const plain = foldKey(address).replace(/\sdot\s|\s?[[({<]\s?dot\s?[\])}>]\s?/g, '.');
  const [, name = '', domain = ''] = /^\s*(?:mailto:)?\s*([^@]*?)\s*@\s*(.*?)\s*$/.exec(plain) ?? [];
  const read = domain.includes('xn--') ? foldKey(domainToUnicode(domain) || domain) : domain;
  return `${name}@${read}`;
}
