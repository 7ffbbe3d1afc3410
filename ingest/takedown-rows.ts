import { randomUUID } from 'node:crypto';
import { isoInstant } from '../schema/clocks.ts';
import type { Database, Statement } from '../schema/database.ts';
import type { NoticeTarget, Takedown } from './takedown.ts';
import { isSamePerson, makePersonTarget, type PersonTarget, type PersonTerms } from './takedown-person.ts';
import { writeInTurn } from './turn.ts';

const READ = 'SELECT id, kind, target, reason, taken_at FROM takedown ORDER BY taken_at, id';
const KEEP = 'INSERT INTO takedown (id, kind, target, reason, taken_at) VALUES (?, ?, ?, ?, ?)';
const LIFT = 'DELETE FROM takedown WHERE id = ?';

/** Every takedown that stands, oldest first. */
export async function readTakedowns(catalogue: Database): Promise<Takedown[]> {
  type Row = { id: string; kind: string; target: string; reason: string; taken_at: string };
  const rows = await catalogue.read<Row>({ sql: READ });
  return rows.map(({ id, kind, target, reason, taken_at }) => {
    const head = { id, reason, takenAt: taken_at };
    if (kind === 'notice') return { ...head, kind, target: JSON.parse(target) as NoticeTarget };
    return { ...head, kind: 'person', target: JSON.parse(target) as PersonTarget };
  });
}

export type Wanted = { kind: 'notice'; noticeId: string } | { kind: 'person'; terms: PersonTerms };

/**
 * Records a takedown; the same one again is the one that stands. A batch of releases that was read before it is made anew,
 * so that none slips past. It is pending until `endTakedown`.
 */
export async function recordTakedown(
  catalogue: Database,
  wanted: Wanted,
  { reason, now, before }: { reason: string; now: Date; before: readonly Statement[] },
): Promise<Takedown> {
  const takenAt = isoInstant(now);
  const id = `tk_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  return writeInTurn(catalogue, async () => {
    const held = (await readTakedowns(catalogue)).find((one) => isSame(one, wanted));
    const made: Takedown = held ?? { id, reason, takenAt, ...targetOf(wanted) };
    const keep = { sql: KEEP, args: [made.id, made.kind, JSON.stringify(made.target), made.reason, made.takenAt] };
    const statements = [...(held ? [] : [keep]), pendingStatement(made.id, takenAt)];
    return { before, statements, compiled: true, result: made };
  });
}

function isSame(takedown: Takedown, wanted: Wanted): boolean {
  if (takedown.kind === 'notice') return wanted.kind === 'notice' && takedown.target.noticeId === wanted.noticeId;
  return wanted.kind === 'person' && isSamePerson(takedown.target, wanted.terms);
}

function targetOf(wanted: Wanted) {
  return wanted.kind === 'notice'
    ? { kind: wanted.kind, target: { noticeId: wanted.noticeId } }
    : { kind: wanted.kind, target: makePersonTarget(wanted.terms) };
}

/** A takedown that is not yet done has a cursor: whoever comes next, after a kill too, takes it up. */
const cursorOf = (id: string) => `takedown:${id}`;

function pendingStatement(id: string, at: string): Statement {
  return {
    sql: "INSERT INTO cursor (source, value, updated_at) VALUES (?, 'pending', ?) ON CONFLICT (source) DO NOTHING",
    args: [cursorOf(id), at],
  };
}

/** Ids of takedowns that were recorded and are not done. */
export async function readPending(catalogue: Database): Promise<Set<string>> {
  const rows = await catalogue.read<{ source: string }>({
    sql: "SELECT source FROM cursor WHERE source >= 'takedown:' AND source < 'takedown;'",
  });
  return new Set(rows.map(({ source }) => source.slice('takedown:'.length)));
}

/** Marks a takedown as done: nothing of what it is about is held any more. */
export function endTakedown(id: string): Statement {
  return { sql: 'DELETE FROM cursor WHERE source = ?', args: [cursorOf(id)] };
}

export function liftStatements(id: string): Statement[] {
  return [{ sql: LIFT, args: [id] }, endTakedown(id)];
}
