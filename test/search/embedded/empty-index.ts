import type { Database } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { resetStatements } from '../../../search/embedded/layout/tables.ts';
import { indexRows } from '../../../search/embedded/store/statements.ts';

/** Empties an index and readies it for documents, without the engine around it. */
export async function emptyIndex(index: Database, collection = COLLECTIONS.notices): Promise<void> {
  await index.write(resetStatements(collection));
  await indexRows(index, collection);
}
