import type { Database } from '../../schema/db/interface.ts';
import type { IndexBuild, IndexCursor } from '../engine.ts';

/** Counted from two indexes, without reading the table. */
const COUNT_UP_TO = `SELECT (SELECT count(*) FROM notice WHERE seq <= ?) - (SELECT count(*) FROM notice WHERE gone = 1 AND seq <= ?)
  AS least, (SELECT count(*) FROM notice WHERE seq > ?) AS moved`;

/** A build that does not hold what the catalogue holds. The live index stays. */
export class IndexIncomplete extends Error {
  override name = 'IndexIncomplete';
}

/** Compares what a build holds with the rows it was filled from; one that falls short is begun anew. @throws IndexIncomplete */
export async function checkCount(
  catalogue: Database,
  build: Pick<IndexBuild, 'countDocuments' | 'clear'>,
  { seq }: IndexCursor,
): Promise<void> {
  const held = await build.countDocuments();
  const [due] = await catalogue.read<{ least: number; moved: number }>({ sql: COUNT_UP_TO, args: [seq, seq, seq] });
  const least = due?.least ?? 0;
  // A row that changed since may still be held as it was.
  if (held >= least && held <= least + (due?.moved ?? 0)) return;
  await build.clear();
  throw new IndexIncomplete(`the index built anew holds ${held} documents where the catalogue has ${least}`);
}
