import type { Database } from '../../schema/database.ts';
import { indexRows } from '../../search/embedded/store.ts';
import { resetStatements } from '../../search/embedded/tables.ts';

/** Empties an index and readies it for documents, without the engine around it. */
export async function emptyIndex(index: Database): Promise<void> {
  await index.write(resetStatements());
  await indexRows(index);
}
