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

/** Documents with their keys, and the number of the first pack that they fill. */
export interface Coming {
  collection: CollectionName;
  keys: number[];
  documents: AnyDocument[];
  firstPack: number;
}

/** The table contents for some documents: rows in column order, one for each document. */
export interface Prepared {
  document: SqlValue[][];
  facet: SqlValue[][];
  entry: SqlValue[][];
  /** Packs from `firstPack` on, one after another: for each, where the shown part ends and where the texts end. */
  packs: { bytes: Uint8Array; ends: [number, number][] };
  /** The words of titles and names with their document counts, as JSON: one text is quickly handed over. */
  words: string;
  /** Codes and names of the facet values that were new to `codes`. */
  values: [number, string][];
}

/** Turns documents into what is stored of them: all the work of indexing except writing the tables. */
export function prepareDocuments({ collection: name, keys, documents, firstPack }: Coming, codes: Codes): Prepared {
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
    words: JSON.stringify(Object.fromEntries(countWords(names))),
    values: facets.values,
  };
}

/** Plain ASCII, as other text takes several times as long to fold. */
const NAME_GAP = ' / ';

/** Title, buyer, suppliers and subjects, as they are indexed. */
function namesOf({ title, buyer, suppliers, subjects }: AnyDocument): string[] {
  return [title, buyer ?? '', suppliers.join(NAME_GAP), subjects.join(NAME_GAP)].map((text) =>
    foldText(markPossessives(text)),
  );
}

function packDocuments(keys: number[], documents: AnyDocument[], collection: Collection): Prepared['packs'] {
  const lines = documents.map((document, at) => packLine(keys[at] ?? 0, document, collection));
  const parts: { bytes: Uint8Array; from: number }[] = [];
  const ends: [number, number][] = [];
  let end = 0;
  const put = (some: string[]) => {
    const bytes = packLines(some);
    parts.push({ bytes, from: end });
    end += bytes.length;
    return end;
  };
  for (let at = 0; at < lines.length; at += PACK_SIZE) {
    const group = lines.slice(at, at + PACK_SIZE);
    ends.push([put(group.map(({ shown }) => shown)), put(group.map(({ text }) => text))]);
  }
  // In its own memory, so that it can be handed from thread to thread.
  const bytes = new Uint8Array(end);
  for (const part of parts) bytes.set(part.bytes, part.from);
  return { bytes, ends };
}

function countWords(names: string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const of of names) {
    for (const word of new Set(wordsOf(of.join(' ')))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
