import type { SqlValue } from '../../../schema/db/interface.ts';
import type { Collection } from '../../collections/shape.ts';
import type { AnyDocument } from '../../engine.ts';
import { foldText } from '../../query/pieces.ts';
import { markPossessives, markPronouns } from '../../query/pronouns.ts';
import { printOf } from '../../results/served-hits.ts';
import { type Codes, encodeFacets } from '../layout/facet-codes.ts';
import { documentTokens, titleTokens } from '../layout/tokens.ts';
import { countWords } from './count-words.ts';
import type { Placed } from './keys.ts';

/** What the tables store for some documents: one row for each, in the order of columns. */
export interface Prepared {
  document: SqlValue[][];
  facet: SqlValue[][];
  entry: SqlValue[][];
  /** The words of titles and names, and how often each occurs. */
  words: [string, number][];
  /** Codes and names of the facet values that were new to `codes`. */
  values: [number, string][];
}

/** Does all the work of indexing except writing: returns what the tables store for some documents. */
export function prepareDocuments(placed: readonly Placed[], codes: Codes, collection: Collection): Prepared {
  const documents = placed.map(({ document }) => document);
  const names = documents.map(namesOf);
  const facets = encodeFacets(documents, codes, collection);
  return {
    document: placed.map(({ key, document: { id } }) => [key, printOf(id), id]),
    facet: placed.map(({ key, document }, at) => [
      key,
      ...collection.compared.map(({ of }) => of(document)),
      facets.texts[at] ?? '',
    ]),
    entry: placed.map(({ key, document }, at) => [
      key,
      ...(names[at] ?? []),
      foldText(markPronouns(document.description)),
      `${documentTokens(document, collection)} ${titleTokens(names[at]?.[0] ?? '')}`,
    ]),
    words: countWords(names.flat()),
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
