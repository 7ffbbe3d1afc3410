import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { ocidOf } from '../../schema/text/ids.ts';
import { chunksOf } from '../../schema/text/memoise.ts';
import type { DatedSighting } from '../identity/facts.ts';
import { findRegistered, newOfRegister } from '../identity/registered.ts';
import type { Sighting } from '../party/sighting.ts';
import { bumpSeq, writeOptimistically } from '../rows/versioned.ts';
import { fenceOf } from '../runs/record.ts';
import { editionCursorStatement, readCursor, readEditionCursor } from '../runs/spans.ts';
import { type Besides, compileChanges } from '../store/changes.ts';
import { moveProcesses } from '../store/page.ts';
import type { RegisterRun } from './repeats.ts';

/** Suppliers with a company number, and those whose register data changed. */
const NUMBERED = `SELECT id FROM company WHERE id > ? AND id > 'GB-COH-' AND id < 'GB-COH.' ORDER BY id LIMIT ?`;
const CHANGED = `SELECT company_number FROM registered_company
WHERE company_number IN (SELECT value FROM json_each(?)) AND match_seq > ?`;
const PROCESSES_OF = `SELECT DISTINCT process_id FROM party
WHERE role = 'supplier' AND identity_id IN (SELECT value FROM json_each(?)) ORDER BY process_id`;
/** Every way in which a supplier without a number was ever named, and when last. */
const SIGHTED = `SELECT value, last_seen FROM identity_fact
WHERE kind = 'company' AND field = 'sighted' AND value > ? ORDER BY value LIMIT ?`;
const PREFIX = 'GB-COH-';
/** Suppliers looked up in one step; processes compiled, and facts of new matches stored, in one batch. */
const BATCH = 500;
const PROCESSES = 200;
const FACTS = 100;

/** Suppliers with a number first, as one look shows whether theirs changed; then those known by name. */
type Stage = 'numbers' | 'names';

/** The position of a scan of all suppliers: the earlier stages, and this one up to and including this supplier. */
interface Position {
  stage: Stage;
  at: string;
}

interface Rematch {
  /** The `match_seq` up to which earlier scans read the register. */
  since: number;
  from: Position;
  /** First in every batch: the lease's fence. */
  before: readonly Statement[];
  /** Last in every step: the cursor. */
  moveTo(position: Position): Statement;
  signal?: AbortSignal | undefined;
}

interface Rematched {
  /** Suppliers with a number whose register data changed. */
  changed: number;
  /** Ways in which suppliers without a number were named, all of them looked up. */
  lookedUp: number;
  /** Those for which the register has news. */
  matched: number;
}

/** Rows with a new `seq` since then, few after an ordinary night, and whether any has news for suppliers. */
const NEWS = `SELECT (SELECT coalesce(max(seq), 0) FROM registered_company) AS newest,
  EXISTS (SELECT 1 FROM registered_company WHERE seq > ?1 AND match_seq > ?1) AS news`;
const CURSOR = /^(\S+) (-?\d+)(?: (\d+) (numbers|names) (.*))?$/s;

/** How far suppliers were resolved with an edition and with later changes. */
interface Progress {
  edition: string;
  /** The `seq` of the register up to which every supplier was resolved. */
  resolvedTo: number;
  /** A scan that has not ended. */
  scan: Scan | null;
}

interface Scan {
  /** The `seq` to which it updates suppliers. */
  target: number;
  position: Position;
}

type Scanning = Progress & { scan: Scan };

const NOTHING: Progress = { edition: '', resolvedTo: -1, scan: null };
const START: Position = { stage: 'numbers', at: '' };

/**
 * Resolves suppliers again with the register's changes since the last time: an edition, profiles of companies that no edition
 * lists. It has its own cursor, so that a killed run is continued; without changes it is one look. Waits until an edition is
 * stored completely. `again` repeats what was already done.
 */
export async function resolveSuppliersAgain(run: RegisterRun, again = false): Promise<void> {
  const { context, source } = run;
  const cursor = await readEditionCursor(context.catalogue, source.id);
  if (!cursor?.whole) return;
  const edition = cursor.date;
  const name = `${source.id}:suppliers`;
  for (let progress = again ? NOTHING : parseProgress(await readCursor(context.catalogue, name)); ; ) {
    const { newest, news } = await readNews(context.catalogue, progress.resolvedTo);
    const isNew = progress.edition !== edition;
    if (!isNew && !progress.scan && !news) return;
    // A new edition is a different question from the one of the unfinished scan; other changes are handled next.
    const scan = (isNew ? null : progress.scan) ?? { target: newest, position: START };
    progress = await scanSuppliers(run, name, { edition, resolvedTo: progress.resolvedTo, scan });
  }
}

async function scanSuppliers(
  run: RegisterRun,
  name: string,
  { edition, resolvedTo, scan }: Scanning,
): Promise<Progress> {
  const { context, source, options } = run;
  const before = fenceOf(context);
  const keep = (value: string) => editionCursorStatement(name, value, isoInstant(context.clocks.catalogueNow()));
  const rematched = await rematchSuppliers(context.catalogue, {
    since: resolvedTo,
    from: scan.position,
    before,
    moveTo: ({ stage, at }) => keep(`${edition} ${resolvedTo} ${scan.target} ${stage} ${at}`),
    signal: options.signal,
  });
  await context.catalogue.write([...before, keep(`${edition} ${scan.target}`)]);
  context.log.info({ source: source.id, edition, ...rematched }, 'suppliers were resolved again with the register');
  return { edition, resolvedTo: scan.target, scan: null };
}

async function readNews(catalogue: Database, since: number): Promise<{ newest: number; news: number }> {
  const [row] = await catalogue.read<{ newest: number; news: number }>({ sql: NEWS, args: [since] });
  return row ?? { newest: 0, news: 0 };
}

/** `2026-11-01 17` when complete; on the way `2026-11-01 9 17 names <position>`. */
function parseProgress(value: string | null): Progress {
  const [, edition, resolvedTo, target, stage, at = ''] = CURSOR.exec(value ?? '') ?? [];
  if (edition === undefined) return NOTHING;
  if (target === undefined) return { edition, resolvedTo: Number(resolvedTo), scan: null };
  const position: Position = { stage: stage === 'names' ? 'names' : 'numbers', at };
  return { edition, resolvedTo: Number(resolvedTo), scan: { target: Number(target), position } };
}

/**
 * Resolves again every supplier whose outcome the register may have changed, a few hundred at a time. The catalogue becomes
 * what it would be if the register had been stored first. Repeated from any position, it leaves correct results alone.
 */
export async function rematchSuppliers(catalogue: Database, rematch: Rematch): Promise<Rematched> {
  const { stage, at } = rematch.from;
  const changed = stage === 'names' ? 0 : await rematchNumbers(catalogue, rematch, at);
  return { changed, ...(await rematchNames(catalogue, rematch, stage === 'names' ? at : '')) };
}

async function rematchNumbers(catalogue: Database, rematch: Rematch, from: string): Promise<number> {
  let changed = 0;
  for (let at = from; ; ) {
    rematch.signal?.throwIfAborted();
    const rows = await catalogue.read<{ id: string }>({ sql: NUMBERED, args: [at, BATCH] });
    const last = rows.at(-1)?.id;
    if (last === undefined) return changed;
    at = last;
    const ids = await readChanged(
      catalogue,
      rows.map(({ id }) => id),
      rematch.since,
    );
    changed += ids.length;
    const processes = ids.length === 0 ? [] : await readProcessesOf(catalogue, ids);
    for (const also of chunksOf(processes, PROCESSES)) {
      rematch.signal?.throwIfAborted();
      await write(catalogue, rematch, { also });
    }
    await catalogue.write([...rematch.before, rematch.moveTo({ stage: 'numbers', at })]);
    await yieldToEventLoop();
  }
}

async function readChanged(catalogue: Database, ids: readonly string[], since: number): Promise<string[]> {
  const numbers = JSON.stringify(ids.map((id) => id.slice(PREFIX.length)));
  const rows = await catalogue.read<{ company_number: string }>({ sql: CHANGED, args: [numbers, since] });
  return rows.map(({ company_number }) => PREFIX + company_number);
}

/** Ocids of the processes that name these suppliers. */
async function readProcessesOf(catalogue: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await catalogue.read<{ process_id: string }>({ sql: PROCESSES_OF, args: [JSON.stringify(ids)] });
  return [...new Set(rows.map(({ process_id }) => ocidOf(process_id)))];
}

async function rematchNames(catalogue: Database, rematch: Rematch, from: string): Promise<Omit<Rematched, 'changed'>> {
  const done = { lookedUp: 0, matched: 0 };
  for (let at = from; ; ) {
    rematch.signal?.throwIfAborted();
    const rows = await catalogue.read<{ value: string; last_seen: string }>({ sql: SIGHTED, args: [at, BATCH] });
    const last = rows.at(-1)?.value;
    if (last === undefined) return done;
    at = last;
    const found = await newOfRegister(catalogue, await findRegistered(catalogue, 'company', rows.map(readSighted)));
    done.lookedUp += rows.length;
    done.matched += found.filter(({ field }) => field === 'register_match').length;
    for (const registerFacts of chunksOf(found, FACTS)) {
      rematch.signal?.throwIfAborted();
      await write(catalogue, rematch, { registerFacts });
    }
    await catalogue.write([...rematch.before, rematch.moveTo({ stage: 'names', at })]);
    await yieldToEventLoop();
  }
}

function readSighted({ value, last_seen: date }: { value: string; last_seen: string }): DatedSighting {
  const said = JSON.parse(value) as Pick<Sighting, 'name' | 'postcode' | 'locality' | 'country' | 'ids'>;
  return {
    kind: 'company',
    sighting: { ...said, nameKey: nameKey(said.name), numbers: [], identifiers: [], notes: [] },
    date,
  };
}

async function write(catalogue: Database, { before, signal }: Rematch, besides: Besides): Promise<void> {
  await writeOptimistically(catalogue, async () => {
    const { versioned, others } = await compileChanges(catalogue, [], besides);
    const bump = versioned.length > 0 ? [bumpSeq] : [];
    return { before, statements: [...bump, ...others, ...versioned], compiled: true, result: undefined };
  });
  await moveProcesses(catalogue, before, { signal });
}
