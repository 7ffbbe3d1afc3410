import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { prepare } from '../../compile/process.ts';
import { noticeIdOf } from '../../fields/notice.ts';
import type { DatedSighting } from '../../identity/facts.ts';
import { bumpSeq, writeOptimistically } from '../../rows/versioned.ts';
import {
  EMPTY_BODY,
  isOf,
  makeRedactor,
  type Redactor,
  strikeRelease,
  type Takedown,
} from '../../takedown/treatment.ts';
import { compileChanges } from '../changes.ts';
import {
  type FetchedRelease,
  packBody,
  RELEASE_COLUMNS,
  type ReleaseRow,
  readStored,
  sightingsIn,
} from '../releases.ts';
import { forgetFacts, onlyHere, REMOVE_LOST, type Remains, removeRemains, scrubStatements } from './remains.ts';

interface ApplyOptions {
  /** First in every batch: the lease's fence. */
  before: readonly Statement[];
  signal: AbortSignal;
}

/** What was found and changed. */
export interface Applied {
  releases: number;
  processes: number;
}

const PAGE_ROWS = 200;
const NEXT = `SELECT ${RELEASE_COLUMNS} FROM release WHERE id > ? AND length(body) > 0 ORDER BY id LIMIT ${PAGE_ROWS}`;
const OF_OCIDS = `SELECT ${RELEASE_COLUMNS} FROM release WHERE ocid IN (SELECT value FROM json_each(?)) AND length(body) > 0`;
const OCIDS_OF = 'SELECT DISTINCT ocid FROM notice WHERE notice_id = ?';
/** What names the notice may have been counted as a contract of its process. */
const NAMING = `SELECT p.ocid FROM process_mention m CROSS JOIN process p ON p.id = m.process_id WHERE m.mention = ?`;
/** Call-offs of a framework are compiled with it: they may no longer name it. */
const CALL_OFFS = `SELECT DISTINCT ocid FROM contract WHERE framework_id IN (SELECT value FROM json_each(?)) AND gone = 0`;
const DROP_CONTACTS = 'DELETE FROM contact WHERE ocid = ? AND release_id = ?';
const REPLACE = 'UPDATE release SET body = ? WHERE id = ?';

type StoredRelease = FetchedRelease & { rowId: number };

/**
 * Takes out of the catalogue what a takedown is about. May be cut short anywhere and done again: what it finds is what is
 * still held, and a batch either removes it with everything compiled from it or changes nothing.
 */
export async function applyTakedown(catalogue: Database, takedown: Takedown, options: ApplyOptions): Promise<Applied> {
  if (takedown.kind === 'notice') return removeNotice(catalogue, takedown.target.noticeId, options);
  const redactor = makeRedactor(takedown.id, takedown.target);
  const applied = await strikePerson(catalogue, redactor, options);
  const contact: Remains['contact'] = (one) => isOf(one, redactor);
  await removeRemains(catalogue, { contact, quarantined: (text) => redactor.strike(text) !== text }, options);
  return applied;
}

async function removeNotice(catalogue: Database, noticeId: string, options: ApplyOptions): Promise<Applied> {
  const found = await catalogue.read<{ ocid: string }>({ sql: OCIDS_OF, args: [noticeId] });
  const ocids = found.map(({ ocid }) => ocid);
  const rows = (await catalogue.read<ReleaseRow>({ sql: OF_OCIDS, args: [JSON.stringify(ocids)] })).map(readRow);
  const taken = rows.filter((row) => noticeIdOf(prepare(row).ocds) === noticeId);
  const kept = rows.filter((row) => !taken.includes(row)).flatMap(sightingsIn);
  // What only this notice said of a party without a number goes with it.
  const lost = await onlyHere(catalogue, taken.flatMap(sightingsIn), ocids);
  const emptied = taken.map(({ rowId }) => ({ sql: REPLACE, args: [packBody(EMPTY_BODY), rowId] }));
  const contacts = taken.map(({ ocid, releaseId }) => ({ sql: DROP_CONTACTS, args: [ocid, releaseId] }));
  await catalogue.write([...options.before, ...forgetFacts(lost, kept), ...contacts]);
  const calledOff = await catalogue.read<{ ocid: string }>({ sql: CALL_OFFS, args: [JSON.stringify(ocids)] });
  const naming = await catalogue.read<{ ocid: string }>({ sql: NAMING, args: [noticeId] });
  const also = [...new Set([...ocids, ...[...calledOff, ...naming].map(({ ocid }) => ocid)])];
  await catalogue.write([...options.before, ...emptied]);
  await recompile(catalogue, { fresh: [], again: kept, also }, options);
  const quarantined: Remains['quarantined'] = (text, id) => id === noticeId || text.toLowerCase().includes(noticeId);
  await removeRemains(catalogue, { contact: () => false, quarantined }, options);
  return { releases: taken.length, processes: ocids.length };
}

async function strikePerson(catalogue: Database, redactor: Redactor, options: ApplyOptions): Promise<Applied> {
  const applied = { releases: 0, processes: 0 };
  for (let after = 0; ; ) {
    options.signal.throwIfAborted();
    const rows = await catalogue.read<ReleaseRow>({ sql: NEXT, args: [after] });
    const last = rows.at(-1);
    if (!last) return applied;
    after = last.id;
    const held = rows.map(readRow);
    const struck = held.map((release) => strikeRelease(release, redactor));
    const changed = struck.filter((release, index) => release !== held[index]);
    if (changed.length > 0) {
      const before = held.filter((release, index) => release !== struck[index]).flatMap(sightingsIn);
      const now = changed.flatMap(sightingsIn);
      await catalogue.write([...options.before, ...forgetFacts(before, now)]);
      await recompile(catalogue, { fresh: changed, again: [], also: [] }, options);
      applied.releases += changed.length;
      applied.processes += new Set(changed.map(({ ocid }) => ocid)).size;
    }
    // Local reads are synchronous: the lease's heartbeat gets its turn between pages.
    await nextTurn();
  }
}

interface Changed {
  /** Releases whose bodies are replaced. */
  fresh: StoredRelease[];
  again: DatedSighting[];
  also: string[];
}

/** One batch: the new bodies, everything compiled from them, and emptied rows for what is gone. */
async function recompile(catalogue: Database, changed: Changed, { before }: ApplyOptions): Promise<void> {
  const { fresh, again, also } = changed;
  const ocids = [...new Set([...fresh.map(({ ocid }) => ocid), ...also])];
  await writeOptimistically(catalogue, async () => {
    const { versioned, others } = await compileChanges(catalogue, fresh, { again, also });
    const bodies = fresh.map(({ rowId, body }) => ({ sql: REPLACE, args: [packBody(body), rowId] }));
    const statements = [bumpSeq, ...bodies, ...others, ...versioned, ...scrubStatements(ocids), ...REMOVE_LOST];
    return { before, statements, compiled: true, result: undefined };
  });
}

function readRow(row: ReleaseRow): StoredRelease {
  return { rowId: row.id, ...readStored(row) };
}
