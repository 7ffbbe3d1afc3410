import type { Database } from '../../schema/db/interface.ts';
import { COLLECTIONS } from '../../search/collections/index.ts';
import { type EmbeddedEngine, makeEmbeddedEngine } from '../../search/embedded/engine.ts';
import type { IndexFiles } from '../../search/embedded/store/files.ts';
import type { AnyDocument, AnyHit, FillableIndex, SearchHit } from '../../search/engine.ts';
import { readShown } from '../../search/index/changed-rows.ts';

type Options = Omit<Parameters<typeof makeEmbeddedEngine>[1], 'readShown'> & {
  catalogue?: Database;
  batchRows?: number;
};

/** Stands in for a catalogue: every document that a test has stored, as it was last. */
const rows = new Map<string, AnyDocument>();

/** The embedded engine with what its hits show from a catalogue; without one, from the documents that were stored. */
export function makeTestEngine<Hit extends AnyHit = SearchHit>(
  index: IndexFiles | null,
  { catalogue, batchRows = 2_000, ...options }: Options,
): EmbeddedEngine<Hit> {
  const { collection = COLLECTIONS.notices } = options;
  const engine = makeEmbeddedEngine<Hit>(index, {
    ...options,
    readShown: async (ids) =>
      catalogue ? readShown({ catalogue, collection }, ids) : ids.flatMap((id) => rows.get(id) ?? []),
  });
  return {
    ...engine,
    batchRows,
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
