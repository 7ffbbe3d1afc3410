import type { Database } from '../../schema/db/interface.ts';
import { COLLECTIONS } from '../../search/collections/index.ts';
import type { Collection } from '../../search/collections/shape.ts';
import { type EmbeddedEngine, makeEmbeddedEngine } from '../../search/embedded/engine.ts';
import type { IndexFiles } from '../../search/embedded/store/files.ts';
import type { AnyDocument, AnyHit, FillableIndex, SearchEngine, SearchHit } from '../../search/engine.ts';
import { readShown } from '../../search/index/changed-rows.ts';
import { makeMeilisearchEngine } from '../../search/meilisearch/engine.ts';
import type { ReadShown } from '../../search/results/shown.ts';
import { LIMITS_MS } from '../support/time-limits.ts';

/** A Meilisearch server and its indexes. */
type Server = Omit<Parameters<typeof makeMeilisearchEngine>[0], 'readShown'> & { catalogue?: Database };

type Options = Omit<Parameters<typeof makeEmbeddedEngine>[1], 'readShown'> & { catalogue?: Database };

/** How long a query may take, and wait: only one that hangs takes as long. */
const PATIENT = { deadlineMs: LIMITS_MS.wait, waitMs: LIMITS_MS.wait };

/** Stands in for a catalogue: every document that a test has stored, as it was last. */
const rows = new Map<string, AnyDocument>();

/** The embedded engine with what its hits show from a catalogue; without one, from the documents that were stored. */
export function makeTestEngine<Hit extends AnyHit = SearchHit>(
  index: IndexFiles | null,
  { catalogue, ...options }: Options,
): EmbeddedEngine<Hit> {
  const { collection = COLLECTIONS.notices } = options;
  const engine = makeEmbeddedEngine<Hit>(index, { ...PATIENT, ...options, readShown: rowsOf(catalogue, collection) });
  return { ...engine, batchRows: 2_000, ...rememberingAll(engine) };
}

/** The engine on a Meilisearch server, shown from the same rows. */
export function makeTestServerEngine<Hit extends AnyHit = SearchHit>({ catalogue, ...options }: Server) {
  const { collection = COLLECTIONS.notices } = options;
  const engine = makeMeilisearchEngine<Hit>({
    deadlineMs: LIMITS_MS.wait,
    ...options,
    readShown: rowsOf(catalogue, collection),
  });
  return { ...engine, ...rememberingAll(engine) };
}

function rowsOf(catalogue: Database | undefined, collection: Collection): ReadShown {
  return async (ids) =>
    catalogue ? readShown({ catalogue, collection }, ids) : ids.flatMap((id) => rows.get(id) ?? []);
}

function rememberingAll(engine: SearchEngine<AnyHit>): Pick<SearchEngine, 'store' | 'openBuild'> {
  return {
    ...remembering(engine),
    async openBuild() {
      const build = await engine.openBuild();
      return { ...build, ...remembering(build) };
    },
  };
}

function remembering(index: FillableIndex): Pick<FillableIndex, 'store'> {
  return {
    async store(batch) {
      for (const document of batch.documents) rows.set(document.id, document);
      await index.store(batch);
    },
  };
}
