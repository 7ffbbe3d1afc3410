import type { SqlValue } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../collections/index.ts';
import type { Collection } from '../../collections/shape.ts';
import type { AnyDocument, CollectionName } from '../../engine.ts';
import { foldText, wordsOf } from '../../query/pieces.ts';
import { markPossessives, markPronouns } from '../../query/pronouns.ts';
import { printOf } from '../../results/served-hits.ts';
import { type Codes, encodeFacets } from '../layout/facet-codes.ts';
import { PACK_SIZE, packLine, packLines } from '../layout/packing.ts';
import { documentTokens } from '../layout/tokens.ts';

/** Documents to prepare, with their keys and the number of the first pack that they fill. */
export interface DocumentsToPrepare {
  collection: CollectionName;
  keys: number[];
  documents: AnyDocument[];
  firstPack: number;
}

/** What the tables store for some documents: one row for each, in the order of columns. */
export interface Prepared {
  document: SqlValue[][];
  facet: SqlValue[][];
  entry: SqlValue[][];
  /** All packs one after another. For each, the positions where the shown part ends and where the texts end. */
  packs: { bytes: Uint8Array; ends: [number, number][] };
  /** The words of titles and names with their document counts. As JSON, because one text is sent quickly between threads. */
  words: string;
  /** Codes and names of the facet values that were new to `codes`. */
  values: [number, string][];
}

/** Does all the work of indexing except writing: returns what the tables store for some documents. */
export function prepareDocuments(
  { collection: name, keys, documents, firstPack }: DocumentsToPrepare,
  codes: Codes,
): Prepared {
  const collection = COLLECTIONS[name];
  const names = documents.map(namesOf);
  const facets = encodeFacets(documents, codes, collection);
  return {
    document: documents.map(({ id }, at) => [keys[at] ?? 0, printOf(id), firstPack + Math.floor(at / PACK_SIZE)]),
    facet: documents.map((document, at) => [
      keys[at] ?? 0,
      ...collection.compared.map(({ of }) => of(document)),
      facets.texts[at] ?? '',
    ]),
    entry: documents.map((document, at) => [
      keys[at] ?? 0,
      ...(names[at] ?? []),
      foldText(markPronouns(document.description)),
      documentTokens(document, collection),
    ]),
    packs: packDocuments(keys, documents, collection),
    words: countWords(names),
    values: facets.values,
  };
}

/** Plain ASCII, because other text takes several times as long to fold. */
const NAME_GAP = ' / ';

/** Title, buyer, suppliers and subjects, as they are indexed. */
function namesOf({ title, buyer, suppliers, subjects }: AnyDocument): string[] {
  return [title, buyer ?? '', suppliers.join(NAME_GAP), subjects.join(NAME_GAP)].map((text) =>
    foldText(markPossessives(text)),
  );
}

function packDocuments(keys: number[], documents: AnyDocument[], collection: Collection): Prepared['packs'] {
  const parts: { bytes: Uint8Array; from: number }[] = [];
  const ends: [number, number][] = [];
  let end = 0;
  const put = (some: string[]) => {
    const bytes = packLines(some);
    parts.push({ bytes, from: end });
    end += bytes.length;
    return end;
  };
  for (let first = 0; first < documents.length; first += PACK_SIZE) {
    const group = documents
      .slice(first, first + PACK_SIZE)
      .map((document, place) => packLine(keys[first + place] ?? 0, document, collection));
    ends.push([put(group.map(({ shown }) => shown)), put(group.map(({ text }) => text))]);
  }
  // In memory of its own, so that it can be transferred to another thread.
  const bytes = new Uint8Array(end);
  for (const part of parts) bytes.set(part.bytes, part.from);
  return { bytes, ends };
}

/** The words of names and how many documents have each, as a JSON object. */
function countWords(names: string[][]): string {
  const words = new Map<string, { documents: number; last: number }>();
  for (const [at, texts] of names.entries()) {
    for (const word of wordsOf(texts.join(' '))) {
      const known = words.get(word);
      if (known === undefined) words.set(word, { documents: 1, last: at });
      else if (known.last !== at) {
        known.documents += 1;
        known.last = at;
      }
    }
  }
  // An object with thousands of keys is slow to build. Letters and digits need no escaping.
  return `{${Array.from(words, ([word, { documents }]) => `"${word}":${documents}`).join(',')}}`;
}
