import { isoInstant } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';
import { readCursor } from '../runs/record.ts';
import { parseEditionCursor } from './edition.ts';
import { type Position, rematchSuppliers } from './rematch.ts';
import type { RegisterRun } from './state.ts';
import { editionCursorStatement } from './store.ts';

/** Rows that bear a new `seq` since, the few of an ordinary night, and whether one of them tells suppliers anything new. */
const NEWS = `SELECT (SELECT coalesce(max(seq), 0) FROM registered_company) AS newest,
  EXISTS (SELECT 1 FROM registered_company WHERE seq > ?1 AND match_seq > ?1) AS news`;
const CURSOR = /^(\S+) (-?\d+)(?: (\d+) (numbers|names) (.*))?$/s;

/** How far suppliers were resolved with an edition and what came after it. */
interface Heard {
  edition: string;
  /** The `seq` up to which every supplier has heard of the register. */
  heard: number;
  /** One that has not ended. */
  walk: Walk | null;
}

interface Walk {
  /** The `seq` up to which it brings suppliers. */
  target: number;
  position: Position;
}

type Walking = Heard & { walk: Walk };

const NOTHING: Heard = { edition: '', heard: -1, walk: null };
const START: Position = { stage: 'numbers', at: '' };

/**
 * Resolves suppliers again with what came to the register since this was last done: an edition, profiles of companies that
 * no edition lists. A cursor of its own says how far that went, so that a killed run is gone on with; where nothing came
 * it is one look. Waits until an edition is held whole. `again` does what was done already.
 */
export async function resolveSuppliersAgain(run: RegisterRun, again = false): Promise<void> {
  const { tools, source } = run;
  const cursor = await readCursor(tools.catalogue, source.id);
  const { date: edition, whole } = cursor === null ? { date: '', whole: false } : parseEditionCursor(cursor);
  if (!whole) return;
  const name = `${source.id}:suppliers`;
  for (let held = again ? NOTHING : parseHeard(await readCursor(tools.catalogue, name)); ; ) {
    const { newest, news } = await readNews(tools.catalogue, held.heard);
    const isNew = held.edition !== edition;
    if (!isNew && !held.walk && !news) return;
    // What an edition says is another question than the one that a walk was about; what came besides is asked next.
    const walk = (isNew ? null : held.walk) ?? { target: newest, position: START };
    held = await walkSuppliers(run, name, { edition, heard: held.heard, walk });
  }
}

async function walkSuppliers(run: RegisterRun, name: string, { edition, heard, walk }: Walking): Promise<Heard> {
  const { tools, source, options } = run;
  const before = tools.fence ? [tools.fence] : [];
  const keep = (value: string) => editionCursorStatement(name, value, isoInstant(tools.clocks.catalogueNow()));
  const rematched = await rematchSuppliers(tools.catalogue, {
    heard,
    from: walk.position,
    before,
    moveTo: ({ stage, at }) => keep(`${edition} ${heard} ${walk.target} ${stage} ${at}`),
    signal: options.signal,
  });
  await tools.catalogue.write([...before, keep(`${edition} ${walk.target}`)]);
  tools.log.info({ source: source.id, edition, ...rematched }, 'suppliers were resolved again with the register');
  return { edition, heard: walk.target, walk: null };
}

async function readNews(catalogue: Database, heard: number): Promise<{ newest: number; news: number }> {
  const [row] = await catalogue.read<{ newest: number; news: number }>({ sql: NEWS, args: [heard] });
  return row ?? { newest: 0, news: 0 };
}

/** `2026-11-01 17` once through; on the way `2026-11-01 9 17 names <position>`. */
function parseHeard(value: string | null): Heard {
  const [, edition, heard, target, stage, at = ''] = CURSOR.exec(value ?? '') ?? [];
  if (edition === undefined) return NOTHING;
  if (target === undefined) return { edition, heard: Number(heard), walk: null };
  const position: Position = { stage: stage === 'names' ? 'names' : 'numbers', at };
  return { edition, heard: Number(heard), walk: { target: Number(target), position } };
}
