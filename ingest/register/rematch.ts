import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/clean.ts';
import { ocidOf } from '../../schema/text/ids.ts';
import type { Seen } from '../identity/facts.ts';
import { findRegistered, newOfRegister } from '../identity/registered.ts';
import type { Sighting } from '../party/sighting.ts';
import { writeInTurn } from '../rows/optimistic-write.ts';
import { bumpSeq } from '../rows/versioned.ts';
import { type Besides, compileChanges } from '../store/changes.ts';

/** Suppliers with a company number, and those of whom the register says something else than it did. */
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

/** Suppliers with a number first: whether theirs says something else is one look; then those that are known by name. */
export type Stage = 'numbers' | 'names';

/** How far a walk over all suppliers went: those of the stages before, and of this one up to and with this position. */
export interface Position {
  stage: Stage;
  at: string;
}

export interface Rematch {
  /** The `match_seq` up to which the register was heard in earlier walks. */
  heard: number;
  from: Position;
  /** First in every batch: the lease's fence. */
  before: readonly Statement[];
  /** Last in every step: the cursor. */
  moveTo(position: Position): Statement;
  signal?: AbortSignal | undefined;
}

export interface Rematched {
  /** Suppliers with a number of whom the register says something else. */
  changed: number;
  /** Ways in which suppliers without a number were named, all of them looked up. */
  lookedUp: number;
  /** Those of them that the register tells something new of. */
  matched: number;
}

/**
 * Resolves again every supplier whose outcome the register may have changed, a few hundred at a time: the catalogue is what
 * it would be had the register been there first. Done again from any position it changes nothing that is right already.
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
      rematch.heard,
    );
    changed += ids.length;
    const processes = ids.length === 0 ? [] : await readProcessesOf(catalogue, ids);
    for (let first = 0; first < processes.length; first += PROCESSES) {
      rematch.signal?.throwIfAborted();
      await write(catalogue, rematch, { also: processes.slice(first, first + PROCESSES) });
    }
    await catalogue.write([...rematch.before, rematch.moveTo({ stage: 'numbers', at })]);
    await nextTurn();
  }
}

async function readChanged(catalogue: Database, ids: readonly string[], heard: number): Promise<string[]> {
  const numbers = JSON.stringify(ids.map((id) => id.slice(PREFIX.length)));
  const rows = await catalogue.read<{ company_number: string }>({ sql: CHANGED, args: [numbers, heard] });
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
    const told = await newOfRegister(catalogue, await findRegistered(catalogue, 'company', rows.map(readSighted)));
    done.lookedUp += rows.length;
    done.matched += told.filter(({ field }) => field === 'register_match').length;
    for (let first = 0; first < told.length; first += FACTS) {
      rematch.signal?.throwIfAborted();
      await write(catalogue, rematch, { told: told.slice(first, first + FACTS) });
    }
    await catalogue.write([...rematch.before, rematch.moveTo({ stage: 'names', at })]);
    await nextTurn();
  }
}

function readSighted({ value, last_seen: date }: { value: string; last_seen: string }): Seen {
  const said = JSON.parse(value) as Pick<Sighting, 'name' | 'postcode' | 'locality' | 'country' | 'ids'>;
  return {
    kind: 'company',
    sighting: { ...said, nameKey: nameKey(said.name), numbers: [], identifiers: [], notes: [] },
    date,
  };
}

async function write(catalogue: Database, { before }: Rematch, besides: Besides): Promise<void> {
  await writeInTurn(catalogue, async () => {
    const { versioned, others } = await compileChanges(catalogue, [], besides);
    const bump = versioned.length > 0 ? [bumpSeq] : [];
    return { before, statements: [...bump, ...others, ...versioned], compiled: true, result: undefined };
  });
}
