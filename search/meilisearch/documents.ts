import { hash } from 'node:crypto';
import { comparedOf, tokenRows } from '../collections/index.ts';
import type { Collection } from '../collections/shape.ts';
import { dayNumber } from '../documents/days.ts';
import type { AnyDocument } from '../engine.ts';
import type { FacetName } from '../filters/facets.ts';
import type { PrefixRow } from '../filters/row.ts';
import { foldText, splitWords } from '../query/pieces.ts';
import { markPronouns, saysTechnology } from '../query/pronouns.ts';
import { printOf } from '../results/served-hits.ts';

/** The attribute that identifies a document on the server. */
export const KEY = 'key';

/** The key of a document, derived from its id. The server allows only letters, digits, `-` and `_`; an id may contain others. */
export function keyOf(id: string): string {
  return printOf(id).replaceAll('+', '-').replaceAll('/', '_');
}

/** A document in Meilisearch: ours, plus what filters, sorts and facets need. Missing values are absent, so that they sort last. */
export type IndexedDocument = AnyDocument & {
  [KEY]: string;
  standings: string[];
  /** The number of its day. */
  day: number;
  /** Rises with the day and is unique for each document: the order of otherwise equal hits. */
  place: number;
  /** Among equal matches, the shortest title has the least besides the query. */
  title_words: number;
  /** Parts of the texts that look like a CPV code or a company number. */
  said_codes: string[];
  /** Whether the texts mention IT: the server cannot distinguish it from the pronoun. */
  says_technology: boolean;
} & { [K in FacetName as `facet_${K}`]?: string[] } & { [part: `${string}_parts`]: string[] };

/** Eight digits, or two letters and six digits: recognised as an identifier when it is searched. */
const CODES = /(?<![a-z0-9])(?:\d{8}|(?:[a-z]{2}|r0)\d{6})(?![a-z0-9])/g;

/** Makes the document that Meilisearch stores. */
export function toIndexed(document: AnyDocument, collection: Collection): IndexedDocument {
  const facets = Object.entries(collection.facetValues(document)).map(([name, values]) => [`facet_${name}`, values]);
  const parts = tokenRows(collection).flatMap((row) =>
    row.kind === 'prefix' ? [[`${row.name}_parts`, partsOf(row, document)]] : [],
  );
  const day = dayNumber(collection.day.of(document));
  return {
    ...document,
    [KEY]: keyOf(document.id),
    standings: collection.flags(document),
    ...Object.fromEntries(comparedOf(collection, document).filter(([, value]) => value !== null)),
    day,
    place: placeOf(document, day),
    ...Object.fromEntries(parts),
    title_words: splitWords(document.title).length,
    says_technology: saysTechnology(foldText(textOf({ ...document, description: markPronouns(document.description) }))),
    said_codes: [...new Set(foldText(textOf(document)).match(CODES))],
    ...Object.fromEntries(facets),
  };
}

/** The codes of a prefix filter and every beginning of them, from two characters on; and the names, if it has any. */
function partsOf({ codes, names }: PrefixRow, document: AnyDocument): string[] {
  const parts = codes(document).flatMap((code) =>
    code ? Array.from({ length: Math.max(0, code.length - 1) }, (_, at) => code.slice(0, at + 2)) : [],
  );
  return [...new Set([...parts, ...(names?.of(document) ?? [])])];
}

function textOf({ title, buyer, suppliers, subjects, description }: AnyDocument): string {
  return [title, buyer ?? '', ...suppliers, ...subjects, description].join(' ');
}

/** The day, then a number that is the document's own; the server's numbers are exact up to 2^53. */
function placeOf({ id }: AnyDocument, day: number): number {
  const own = Number.parseInt(hash('sha256', id).slice(0, 9), 16);
  return day * 2 ** 36 + own;
}
