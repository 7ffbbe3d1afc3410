import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { OWNER_KINDS } from '../../schema/catalogue/changes/owners.ts';
import { forgetFormerStatements, hideRemovedIds, isOfOcids } from '../../schema/catalogue/changes/remove.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { packText } from '../../schema/text/json-values.ts';
import { prepare } from '../compile/process.ts';
import { bumpSeq, emptied, isCompileFault, loseRow, tryCompile, writeOptimistically } from '../rows/versioned.ts';
import { knownId, noticeIdOf } from '../sources/index.ts';
import { type Mentions, mentionsOfNotice, mentionsOfPerson, removeMentions } from '../takedown/mentions.ts';
import {
  EMPTY_BODY,
  makeRedactor,
  namesNotice,
  type Redactor,
  redactRelease,
  type Takedown,
} from '../takedown/treatment.ts';
import { type Ahead, type Besides, compileChanges } from './changes.ts';
import {
  forgetStatements,
  isForgotten,
  readPersonSaidLast,
  readSaidLast,
  readSaidLastIn,
  readStruck,
} from './organisations/forget-facts.ts';
import { moveProcesses } from './page.ts';
import type { ReleaseRow } from './releases.ts';
import {
  NEXT_RELEASES,
  RELEASES_OF,
  readArrived,
  readRow,
  readSaying,
  type Saying,
  type StoredRelease,
  statedIn,
} from './saying.ts';

interface ApplyOptions extends Pick<Besides, 'movedMost'> {
  /** First in every batch: the lease's fence. */
  before: readonly Statement[];
  signal: AbortSignal;
}

export interface Applied {
  releases: number;
  processes: number;
  /** Ocids of those that can no longer be compiled: nothing of them is served. */
  lost: string[];
  /** Ocids of others that should have followed, but can no longer be compiled: they keep their rows. */
  passed: string[];
}

const OCIDS_OF = 'SELECT DISTINCT ocid FROM notice WHERE notice_id = ?';
/** The processes that name the notice may have counted it as a contract of theirs. */
const NAMING = `SELECT p.ocid FROM process_mention m CROSS JOIN process p ON p.id = m.process_id WHERE m.mention = lower(?1)
  OR m.mention IN (SELECT x.name FROM notice n CROSS JOIN notice_name x ON x.process_id = n.process_id WHERE n.notice_id = ?1)`;
/** Call-offs of a framework are compiled with it: they may no longer name it. */
const CALL_OFFS =
  'SELECT DISTINCT ocid FROM contract WHERE framework_id IN (SELECT value FROM json_each(?)) AND gone = 0';
const DROP_CONTACTS = 'DELETE FROM contact WHERE ocid = ? AND release_id = ?';
const REPLACE = 'UPDATE release SET body = ? WHERE id = ?';

/**
 * Removes what a takedown is about from the catalogue. May be interrupted anywhere and repeated: it finds what is still stored,
 * and a notice by the rows compiled from it, which go after its releases are emptied.
 */
export async function applyTakedown(catalogue: Database, takedown: Takedown, options: ApplyOptions): Promise<Applied> {
  if (takedown.kind === 'notice') return removeNotice(catalogue, takedown.target.noticeId, options);
  const redactor = makeRedactor(takedown.id, takedown.target);
  const applied = await redactPerson(catalogue, redactor, options);
  return { ...applied, passed: await removeRemains(catalogue, mentionsOfPerson(redactor), options) };
}

/** The ocids of the processes that a notice belongs to. */
export async function readOcidsOf(catalogue: Database, noticeId: string): Promise<string[]> {
  const rows = await catalogue.read<{ ocid: string }>({ sql: OCIDS_OF, args: [noticeId] });
  return rows.map(({ ocid }) => ocid);
}

async function removeNotice(catalogue: Database, noticeId: string, options: ApplyOptions): Promise<Applied> {
  const ocids = await readOcidsOf(catalogue, noticeId);
  const rows = (await catalogue.read<ReleaseRow>({ sql: RELEASES_OF, args: [JSON.stringify(ocids)] })).map(readRow);
  const own = rows.filter((row) => isOfNotice(row, noticeId));
  const bodies = own.map(({ rowId }) => ({ sql: REPLACE, args: [packText(EMPTY_BODY), rowId] }));
  const contacts = own.map(({ ocid, releaseId }) => ({ sql: DROP_CONTACTS, args: [ocid, releaseId] }));
  const calledOff = await catalogue.read<{ ocid: string }>({ sql: CALL_OFFS, args: [JSON.stringify(ocids)] });
  const naming = await catalogue.read<{ ocid: string }>({ sql: NAMING, args: [noticeId] });
  const also = [...calledOff, ...naming].map(({ ocid }) => ocid).filter((ocid) => !ocids.includes(ocid));
  await catalogue.write([...options.before, ...contacts, ...bodies]);
  const saying = await readSaying(catalogue, await readSaidLast(catalogue, noticeId));
  const { lost, passed } = await recompile(catalogue, { fresh: [], own: ocids, also, saying }, options);
  const moved = await removeRemains(catalogue, mentionsOfNotice(noticeId), options);
  return { releases: own.length, processes: ocids.length, lost, passed: [...passed, ...moved] };
}

/** Whether a release belongs to a notice. For one that can no longer be read, its id decides. */
function isOfNotice(release: StoredRelease, noticeId: string): boolean {
  const own = tryCompile(() => noticeIdOf(prepare(release).ocds));
  return own === null ? namesNotice(knownId(release.releaseId), noticeId) : own === noticeId;
}

async function redactPerson(catalogue: Database, redactor: Redactor, options: ApplyOptions) {
  const applied = { releases: 0, processes: 0, lost: [] as string[] };
  for (let after = 0; ; ) {
    options.signal.throwIfAborted();
    const rows = await catalogue.read<ReleaseRow>({ sql: NEXT_RELEASES, args: [after] });
    const last = rows.at(-1);
    if (!last) return applied;
    after = last.id;
    const stored = rows.map(readRow);
    const redacted = stored.map((release) => redactRelease(release, redactor));
    const changed = redacted.filter((release, index) => release !== stored[index]);
    if (changed.length > 0) {
      const former = stored.filter((release, index) => release !== redacted[index]);
      const said = await readPersonSaidLast(catalogue, former.flatMap(statedIn), changed.flatMap(statedIn));
      const saying = await readSaying(catalogue, said, changed);
      const own = [...new Set(changed.map(({ ocid }) => ocid))];
      const { lost } = await recompile(catalogue, { fresh: changed, own, also: [], saying }, options);
      applied.releases += changed.length;
      applied.processes += own.length;
      applied.lost = [...new Set([...applied.lost, ...lost])];
    }
    // Local reads are synchronous: the lease's heartbeat runs between pages.
    await yieldToEventLoop();
  }
}

interface Changed {
  /** Releases whose bodies are replaced. */
  fresh: StoredRelease[];
  /** The ocids that a takedown is about. */
  own: string[];
  /** Others that are compiled with these. */
  also: string[];
  /** What is forgotten with a notice, or with a person. */
  saying: Saying;
}

type Recompiled = Pick<Applied, 'lost' | 'passed'>;
type Compiled = Recompiled & { statements: Statement[] };

/** Writes in one batch the new bodies, everything compiled from them, and emptied rows for what is gone. */
function recompile(catalogue: Database, changed: Changed, { before, movedMost }: ApplyOptions): Promise<Recompiled> {
  return writeOptimistically(catalogue, async () => {
    // Compiled in here, as another run may meanwhile have stored a version that can be compiled.
    const { statements, ...result } = await compileOrLose(catalogue, changed, movedMost);
    return { before, statements: [bumpSeq, ...statements], compiled: true, result };
  });
}

/**
 * Compiles what a takedown is about. Where that fails, those of its own processes that can no longer be compiled lose their rows,
 * which may say what was taken down, and what their notices said last is forgotten. Others keep their rows, and what moves comes
 * later. Reads only.
 */
async function compileOrLose(catalogue: Database, changed: Changed, movedMost?: number): Promise<Compiled> {
  try {
    return { statements: await compileWhole(catalogue, changed, movedMost), lost: [], passed: [] };
  } catch (error) {
    if (!isCompileFault(error)) throw error;
    const { fresh, own, also, saying } = changed;
    const failing = await findFailing(catalogue, fresh, [...own, ...also]);
    const lost = own.filter((ocid) => failing.has(ocid));
    const said = [...saying.said, ...(await readSaidLastIn(catalogue, lost))];
    const left = also.filter((ocid) => !failing.has(ocid));
    const others = { fresh, own, also: left, saying: await readSaying(catalogue, said, fresh) };
    const statements = await compileWhole(catalogue, others, 0, lost);
    return { statements, lost, passed: also.filter((ocid) => failing.has(ocid)) };
  }
}

async function compileWhole(
  catalogue: Database,
  { fresh, own, also, saying }: Changed,
  movedMost: number | undefined,
  lost: readonly string[] = [],
): Promise<Statement[]> {
  await readArrived(catalogue, saying);
  const ocids = [...new Set([...own, ...also])];
  const ahead: Ahead = {
    readReady: async () => new Map(lost.map((ocid) => [ocid, []])),
    sightingsOf: statedIn,
    packedOf: () => undefined,
  };
  const struck = await readStruck(catalogue, saying.said, saying.others);
  const besides = { again: saying.others, also: ocids, struck, movedMost, ahead };
  const { versioned, others } = await compileChanges(catalogue, fresh, besides);
  const bodies = fresh.map(({ rowId, body }) => ({ sql: REPLACE, args: [packText(body), rowId] }));
  const forgotten = forgetStatements(saying.said, struck);
  const lostRows = [...scrubStatements(ocids), ...forgetFormerStatements(ocids), ...REMOVE_LOST];
  return [...bodies, ...forgotten, ...others, ...versioned, ...lostRows];
}

/** Those ocids that cannot be compiled even alone. */
async function findFailing(catalogue: Database, fresh: readonly StoredRelease[], ocids: readonly string[]) {
  const failing = new Set<string>();
  for (const ocid of ocids) {
    const own = fresh.filter((release) => release.ocid === ocid);
    try {
      await compileChanges(catalogue, own, { also: [ocid], movedMost: 0 });
    } catch (error) {
      if (!isCompileFault(error)) throw error;
      failing.add(ocid);
    }
    // A framework may have thousands of call-offs: the lease's heartbeat runs between them.
    await yieldToEventLoop();
  }
  return failing;
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

const SCRUB = (['notice', 'contract', 'framework', 'process'] as const).map(
  (table) => `UPDATE ${table} SET ${emptied(table)} WHERE gone = 1 AND ${isOfOcids(table)}`,
);

/** Gone rows stay, so that search removes them, but are emptied. */
const scrubStatements = (ocids: readonly string[]): Statement[] =>
  SCRUB.map((sql) => ({ sql, args: [JSON.stringify(ocids)] }));
