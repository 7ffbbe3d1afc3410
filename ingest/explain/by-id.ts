import { type LikenedProcess, readRelated } from '../../schema/catalogue/related-processes.ts';
import type { Database } from '../../schema/db/interface.ts';
import { ocidOf } from '../../schema/text/ids.ts';
import { compileOcid } from '../compile/process.ts';
import type { CompiledProcess } from '../compile/types.ts';
import { readStoredRows, storeRow } from '../rows/versioned.ts';
import { type CountedAs, type ResolvedProcess, rowsOfProcess } from '../store/process-rows.ts';
import { linkCallOff, readReferenceBook } from '../store/relations/frameworks.ts';
import { readProcessReleases } from '../store/releases.ts';
import { explainProcess } from './process.ts';
import { type AskedId, readAskedId, readHeldReleases, readResolvedParties } from './stored.ts';
import type { Explanation } from './types.ts';

/**
 * How every field of what an id names was decided: its stored releases go through the same compiler that fills the
 * catalogue, which tells its reasons; parties are as they were resolved. One explanation for each process that bears the
 * id; none where nothing is held. Reads only.
 */
export async function explain(catalogue: Database, given: string, now: Date): Promise<Explanation[]> {
  const asked = await readAskedId(catalogue, given);
  if (!asked) return [];
  const explained: Explanation[] = [];
  for (const processId of asked.processIds) explained.push(await explainOne(catalogue, asked, processId, now));
  return explained;
}

async function explainOne(catalogue: Database, asked: AskedId, processId: string, now: Date): Promise<Explanation> {
  const ocid = ocidOf(processId);
  const releases = (await readProcessReleases(catalogue, [ocid], [])).get(ocid) ?? [];
  const compiled = compileOcid(ocid, releases);
  const process = compiled.find(({ id }) => id === processId);
  if (!process) throw new Error(`process ${processId} is held, but its releases do not compile to it: rebuild`);
  const parties = await readResolvedParties(catalogue, processId);
  const book = await readReferenceBook(catalogue, compiled);
  const row = await readLikened(catalogue, processId);
  const countedAs = row?.counted_as ? countedOf(row.counted_as) : new Map<string, string[]>();
  const resolved: ResolvedProcess = { process, parties, link: linkCallOff(process, book), countedAs };
  return explainProcess({
    asked,
    now,
    resolved,
    releases,
    held: await readHeldReleases(catalogue, ocid),
    siblings: compiled.filter((other) => other !== process),
    differing: await countDiffering(catalogue, resolved, compiled),
    related: row ? await readRelated(catalogue, row) : [],
  });
}

const LIKENED = 'SELECT * FROM process WHERE id = ?';

async function readLikened(catalogue: Database, processId: string): Promise<LikenedProcess | undefined> {
  return (await catalogue.read<LikenedProcess>({ sql: LIKENED, args: [processId] }))[0];
}

/** Which of its contracts are counted as others: it was decided with both processes at hand. */
function countedOf(countedAs: string): CountedAs {
  return new Map(Object.entries(JSON.parse(countedAs) as Record<string, string[]>));
}

/** Rows that the catalogue holds otherwise than they would be compiled now. */
async function countDiffering(
  catalogue: Database,
  resolved: ResolvedProcess,
  compiled: readonly CompiledProcess[],
): Promise<number> {
  const { rows } = await readStoredRows(catalogue, [resolved.process.ocid], compiled);
  return rowsOfProcess(resolved).filter((row) => storeRow(row, rows.get(`${row.table} ${row.id}`)) !== null).length;
}
