import type { Collection, ShownDocument } from '../collections/shape.ts';
import { shorten } from '../documents/from-row.ts';

/** Reads what is shown of rows as they are now, in any order; of one that has gone, nothing. */
export type ReadShown = (ids: readonly string[]) => Promise<ShownDocument[]>;

/** What is shown of rows, in the order of their ids; a row may have gone since it was indexed. */
export async function readInOrder(readShown: ReadShown, ids: readonly string[]): Promise<ShownDocument[]> {
  const read = new Map((await readShown(ids)).map((document) => [document.id, document]));
  return ids.flatMap((id) => read.get(id) ?? []);
}

/** A document as a hit. The caller's type says which fields its collection shows. */
export function toHit<Hit>(document: ShownDocument, { shown }: Collection, highlight: string | null | undefined): Hit {
  const fields = document as unknown as Readonly<Record<string, unknown>>;
  const hit: Record<string, unknown> = {};
  // Field by field, because a list of pairs takes four times as long.
  for (const name of shown) hit[name] = fields[name] ?? null;
  hit.extract = shorten(document.description);
  if (highlight) hit.highlight = highlight;
  return hit as Hit;
}
