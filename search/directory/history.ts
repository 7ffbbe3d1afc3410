import type { Database } from '../../schema/db/interface.ts';
import type { IndexCursor } from '../engine.ts';
import { readCatalogueState, rebuildReason } from '../index/health.ts';

/** A catalogue while its rows continue those that were read before. */
interface History {
  catalogue: Database;
  /** Its last known end. */
  end: IndexCursor;
}

const known = new WeakMap<Database, History>();

/**
 * The same catalogue as an object that stands for its present history. Once its server was replaced or restored to an older
 * state, there is a new object. Rows kept in memory belong to one object: later only rows with a higher `seq` are read, which
 * would miss those of another history.
 */
export async function withHistory(catalogue: Database): Promise<Database> {
  const former = known.get(catalogue);
  const state = await readCatalogueState(catalogue, { version: '' }, former?.end);
  const continues = former !== undefined && rebuildReason(former.end, state) === null;
  const own = continues ? former.catalogue : (Object.create(catalogue) as Database);
  known.set(catalogue, { catalogue: own, end: { ...state.target, id: '' } });
  return own;
}
