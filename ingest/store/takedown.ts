import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { OWNER_KINDS } from '../../schema/catalogue/changes/owners.ts';
import { forgetFormerStatements, hideRemovedIds } from '../../schema/catalogue/changes/remove.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { ocidOf } from '../../schema/text/ids.ts';
import { packText } from '../../schema/text/json-values.ts';
import { noticeIdOf } from '../compile/contents.ts';
import { prepare } from '../compile/process.ts';
import type { DatedSighting, Fact } from '../identity/facts.ts';
import { latestSightings, sightingsIn } from '../identity/resolve.ts';
import { bumpSeq, emptied, loseRow, writeOptimistically } from '../rows/versioned.ts';
import { type Mentions, mentionsOfNotice, mentionsOfPerson, removeMentions } from '../takedown/mentions.ts';
import { EMPTY_BODY, makeRedactor, type Redactor, redactRelease, type Takedown } from '../takedown/treatment.ts';
import { type Besides, compileChanges } from './changes.ts';
import {
  forgetStatements,
  isForgotten,
  readPersonSaidLast,
  readProcessesSaying,
  readSaidLast,
  readStruck,
  statingAny,
} from './organisations/forget-facts.ts';
import { isCompileFault, moveProcesses } from './page.ts';
import { type FetchedRelease, RELEASE_COLUMNS, type ReleaseRow, readStored } from './releases.ts';

interface ApplyOptions extends Pick<Besides, 'movedMost'> {
  /** First in every batch: the lease's fence. */
  before: readonly Statement[];
  signal: AbortSignal;
}

export interface Applied {
  releases: number;
  processes: number;
  /** Ocids of others that should have followed an organisation whose id changed, but can no longer be compiled. */
  passed: string[];
}

const NEXT = `SELECT ${RELEASE_COLUMNS} FROM release WHERE id > ? AND length(body) > 0 ORDER BY id LIMIT 100`;
const OF_OCIDS = `SELECT ${RELEASE_COLUMNS} FROM release WHERE ocid IN (SELECT value FROM json_each(?)) AND length(body) > 0`;
const OCIDS_OF = 'SELECT DISTINCT ocid FROM notice WHERE notice_id = ?';
/** The processes that name the notice may have counted it as a contract of theirs. */
const NAMING = `SELECT p.ocid FROM process_mention m CROSS JOIN process p ON p.id = m.process_id WHERE m.mention = lower(?1)
  OR m.mention IN (SELECT x.name FROM notice n CROSS JOIN notice_name x ON x.process_id = n.process_id WHERE n.notice_id = ?1)`;
/** Call-offs of a framework are compiled with it: they may no longer name it. */
const CALL_OFFS = `SELECT DISTINCT ocid FROM contract WHERE framework_id IN (SELECT value FROM json_each(?)) AND gone = 0`;
const DROP_CONTACTS = 'DELETE FROM contact WHERE ocid = ? AND release_id = ?';
const REPLACE = 'UPDATE release SET body = ? WHERE id = ?';

type StoredRelease = FetchedRelease & { rowId: number };

/**
 * Removes what a takedown is about from the catalogue. May be interrupted anywhere and repeated: it finds what is still stored,
 * and a notice by the rows compiled from it, which go after its releases are emptied.
 */
export async function applyTakedown(catalogue: Database, takedown: Takedown, options: ApplyOptions): Promise<Applied> {
  if (takedown.kind === 'notice') return removeNotice(catalogue, takedown.target.noticeId, options);
  const redactor = makeRedactor(takedown.id, takedown.target);
  const applied = await strikePerson(catalogue, redactor, options);
  return { ...applied, passed: await removeRemains(catalogue, mentionsOfPerson(redactor), options) };
}

/** The ocids of the processes that a notice belongs to. */
export async function readOcidsOf(catalogue: Database, noticeId: string): Promise<string[]> {
  const rows = await catalogue.read<{ ocid: string }>({ sql: OCIDS_OF, args: [noticeId] });
  return rows.map(({ ocid }) => ocid);
}

async function removeNotice(catalogue: Database, noticeId: string, options: ApplyOptions): Promise<Applied> {
  const ocids = await readOcidsOf(catalogue, noticeId);
  const rows = (await catalogue.read<ReleaseRow>({ sql: OF_OCIDS, args: [JSON.stringify(ocids)] })).map(readRow);
  const taken = rows.filter((row) => noticeIdOf(prepare(row).ocds) === noticeId);
  const emptied = taken.map(({ rowId }) => ({ sql: REPLACE, args: [packText(EMPTY_BODY), rowId] }));
  const contacts = taken.map(({ ocid, releaseId }) => ({ sql: DROP_CONTACTS, args: [ocid, releaseId] }));
  const calledOff = await catalogue.read<{ ocid: string }>({ sql: CALL_OFFS, args: [JSON.stringify(ocids)] });
  const naming = await catalogue.read<{ ocid: string }>({ sql: NAMING, args: [noticeId] });
  const also = [...new Set([...ocids, ...[...calledOff, ...naming].map(({ ocid }) => ocid)])];
  await catalogue.write([...options.before, ...contacts, ...emptied]);
  const saying = await readSaying(catalogue, await readSaidLast(catalogue, noticeId));
  await recompile(catalogue, { fresh: [], also, saying }, options);
  const passed = await removeRemains(catalogue, mentionsOfNotice(noticeId), options);
  return { releases: taken.length, processes: ocids.length, passed };
}

async function strikePerson(catalogue: Database, redactor: Redactor, options: ApplyOptions) {
  const applied = { releases: 0, processes: 0 };
  for (let after = 0; ; ) {
    options.signal.throwIfAborted();
    const rows = await catalogue.read<ReleaseRow>({ sql: NEXT, args: [after] });
    const last = rows.at(-1);
    if (!last) return applied;
    after = last.id;
    const stored = rows.map(readRow);
    const struck = stored.map((release) => redactRelease(release, redactor));
    const changed = struck.filter((release, index) => release !== stored[index]);
    if (changed.length > 0) {
      const former = stored.filter((release, index) => release !== struck[index]);
      const said = await readPersonSaidLast(catalogue, former.flatMap(sightingsIn), changed.flatMap(sightingsIn));
      const saying = await readSaying(catalogue, said, changed);
      await recompile(catalogue, { fresh: changed, also: [], saying }, options);
      applied.releases += changed.length;
      applied.processes += new Set(changed.map(({ ocid }) => ocid)).size;
    }
    // Local reads are synchronous: the lease's heartbeat runs between pages.
    await yieldToEventLoop();
  }
}

interface Changed {
  /** Releases whose bodies are replaced. */
  fresh: StoredRelease[];
  also: string[];
  /** What is forgotten with a notice, or with a person. */
  saying: Saying;
}

/** One batch. Where a process that it moves can no longer be compiled, all those come later. */
async function recompile(catalogue: Database, changed: Changed, options: ApplyOptions): Promise<void> {
  try {
    await recompileWith(catalogue, changed, options);
  } catch (error) {
    if (!isCompileFault(error)) throw error;
    await recompileWith(catalogue, changed, { ...options, movedMost: 0 });
  }
}

/** The new bodies, everything compiled from them, and emptied rows for what is gone. */
async function recompileWith(
  catalogue: Database,
  changed: Changed,
  { before, movedMost }: ApplyOptions,
): Promise<void> {
  const { fresh, also, saying } = changed;
  const ocids = [...new Set([...fresh.map(({ ocid }) => ocid), ...also])];
  await writeOptimistically(catalogue, async () => {
    await readArrived(catalogue, saying);
    const struck = await readStruck(catalogue, saying.said, saying.others);
    const besides = { again: saying.others, also, struck, movedMost };
    const { versioned, others } = await compileChanges(catalogue, fresh, besides);
    const bodies = fresh.map(({ rowId, body }) => ({ sql: REPLACE, args: [packText(body), rowId] }));
    const forgotten = forgetStatements(saying.said, struck);
    const emptied = [...scrubStatements(ocids), ...forgetFormerStatements(ocids), ...REMOVE_LOST];
    const statements = [bumpSeq, ...bodies, ...forgotten, ...others, ...versioned, ...emptied];
    return { before, statements, compiled: true, result: undefined };
  });
}

/** What an emptied notice, or what was struck of a person, was the last to say, and who else says it. */
interface Saying {
  said: readonly Fact[];
  others: DatedSighting[];
  /** The last release that was read. */
  lastId: number;
}

const LAST_ID = 'SELECT coalesce(max(id), 0) AS id FROM release';
const READ_OCIDS = 50;

/** @param fresh releases whose stored bodies are about to be replaced by these */
async function readSaying(
  catalogue: Database,
  said: readonly Fact[],
  fresh: readonly StoredRelease[] = [],
): Promise<Saying> {
  const [last] = await catalogue.read<{ id: number }>({ sql: LAST_ID });
  const ocids = [...new Set((await readProcessesSaying(catalogue, said)).map(ocidOf))];
  const replaced = new Set(fresh.map(({ rowId }) => rowId));
  let others = latestSightings(fresh.flatMap(sightingsIn));
  for (let first = 0; first < ocids.length; first += READ_OCIDS) {
    const args = [JSON.stringify(ocids.slice(first, first + READ_OCIDS))];
    const stored = await catalogue.read<ReleaseRow>({ sql: OF_OCIDS, args });
    const rows = stored.filter(({ id }) => !replaced.has(id)).map(readRow);
    others = latestSightings([...others, ...statingAny(rows.flatMap(statedIn), said)]);
    await yieldToEventLoop();
  }
  return { said, others, lastId: last?.id ?? 0 };
}

/** Reads what arrived since. */
async function readArrived(catalogue: Database, saying: Saying): Promise<void> {
  for (;;) {
    const rows = await catalogue.read<ReleaseRow>({ sql: NEXT, args: [saying.lastId] });
    const last = rows.at(-1);
    if (!last) return;
    saying.lastId = last.id;
    saying.others.push(...statingAny(rows.map(readRow).flatMap(statedIn), saying.said));
  }
}

const readRow = (row: ReleaseRow): StoredRelease => ({ rowId: row.id, ...readStored(row) });

/** The parties that a release of another process names; none where it can no longer be read. */
function statedIn(release: StoredRelease): DatedSighting[] {
  try {
    return sightingsIn(release);
  } catch (error) {
    if (!isCompileFault(error)) throw error;
    return [];
  }
}

/** Rows of identities that disappeared: those with names in their ids go, others are emptied. */
const REMOVE_LOST: readonly Statement[] = OWNER_KINDS.flatMap((kind) => [
  { sql: `DELETE FROM ${kind} WHERE gone = 1 AND ${isForgotten(kind)}` },
  { sql: `UPDATE ${kind} SET ${emptied(kind)} WHERE gone = 1 AND name <> ''` },
]);

/** Removes rows of organisations that only an earlier version of a release named: no process that is compiled again has them. */
async function removeNotNamed(catalogue: Database, { before }: ApplyOptions): Promise<void> {
  await writeOptimistically(catalogue, async () => {
    const lost: Statement[] = [];
    for (const kind of OWNER_KINDS) {
      const sql = `SELECT id FROM ${kind} WHERE gone = 0 AND ${isForgotten(kind)}`;
      const rows = await catalogue.read<{ id: string }>({ sql });
      lost.push(...rows.map(({ id }) => loseRow(kind, id)));
    }
    const statements = lost.length > 0 ? [bumpSeq, ...lost, ...REMOVE_LOST] : [];
    return { before, statements, compiled: lost.length > 0, result: undefined };
  });
}

/** Moves what follows, then removes unnamed organisations and what mentions what was taken down. Returns the ocids that cannot follow. */
async function removeRemains(catalogue: Database, mentions: Mentions, options: ApplyOptions): Promise<string[]> {
  const passed = await moveProcesses(catalogue, options.before, options);
  options.signal.throwIfAborted();
  await removeNotNamed(catalogue, options);
  await hideRemovedIds(catalogue, options.before);
  await removeMentions(catalogue, mentions, options);
  return passed;
}

const GONE_OF_OCIDS = 'gone = 1 AND ocid IN (SELECT value FROM json_each(?))';
const SCRUB = (['notice', 'contract', 'framework', 'process'] as const).map(
  (table) => `UPDATE ${table} SET ${emptied(table)} WHERE ${GONE_OF_OCIDS}`,
);

/** Gone rows stay, so that search removes them, but are emptied. */
const scrubStatements = (ocids: readonly string[]): Statement[] =>
  SCRUB.map((sql) => ({ sql, args: [JSON.stringify(ocids)] }));
