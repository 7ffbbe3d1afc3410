import { randomBytes, randomUUID } from 'node:crypto';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { normalEmail, normalTelephone } from '../fields/text/clean.ts';
import { writeOptimistically } from '../rows/versioned.ts';
import { digest, makeRedactor, type PersonTarget, readTakedowns, type Takedown, textsOf } from './treatment.ts';

const READ_LIFTED = `SELECT id, kind, reason, taken_at, taken_by, lifted_at FROM takedown WHERE lifted_at IS NOT NULL
  ORDER BY taken_at, id`;
const KEEP = 'INSERT INTO takedown (id, kind, target, reason, taken_at, taken_by) VALUES (?, ?, ?, ?, ?, ?)';
const LIFT = `UPDATE takedown SET target = '{}', lifted_at = ? WHERE id = ? AND lifted_at IS NULL`;

/** A lifted takedown: that there was one, but not what it was about. */
interface LiftedTakedown {
  id: string;
  kind: string;
  reason: string;
  taken_at: string;
  taken_by: string;
  lifted_at: string;
}

/** A row of the table, with its target as it is stored. */
export interface TakedownRecord extends Omit<LiftedTakedown, 'lifted_at'> {
  target: string;
  lifted_at: string | null;
}

const RECORDS = 'SELECT id, kind, target, reason, taken_at, taken_by, lifted_at FROM takedown ORDER BY taken_at, id';
const PUT_BACK = `INSERT INTO takedown (id, kind, target, reason, taken_at, taken_by, lifted_at)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET target = excluded.target, lifted_at = excluded.lifted_at`;

/** Every takedown as it is stored, lifted ones too, oldest first. */
export async function readRecords(catalogue: Database): Promise<TakedownRecord[]> {
  return catalogue.read<TakedownRecord>({ sql: RECORDS });
}

/**
 * Records again the takedowns that a catalogue has lost, and makes those named in `again` pending. As with `recordTakedown`, no
 * release that was read earlier escapes them.
 */
export async function putBackTakedowns(
  catalogue: Database,
  lost: readonly TakedownRecord[],
  { again, now, before }: { again: readonly string[]; now: Date; before: readonly Statement[] },
): Promise<void> {
  const rows = lost.flatMap(({ id, kind, target, reason, taken_at, taken_by, lifted_at }) => [
    { sql: PUT_BACK, args: [id, kind, target, reason, taken_at, taken_by, lifted_at] },
    ...(lifted_at === null ? [] : [endTakedown(id)]),
  ]);
  const pending = again.map((id) => pendingStatement(id, isoInstant(now)));
  const made = { before, statements: [...rows, ...pending], compiled: true, result: undefined };
  await writeOptimistically(catalogue, async () => made);
}

/** Every takedown that was lifted, oldest first. */
export async function readLifted(catalogue: Database): Promise<LiftedTakedown[]> {
  return catalogue.read<LiftedTakedown>({ sql: READ_LIFTED });
}

/** What an operator states about a person. */
export interface PersonTerms {
  names: readonly string[];
  /** Addresses as they are published. */
  texts: readonly string[];
  emails: readonly string[];
  telephones: readonly string[];
}

/** What is stored of the terms: names and addresses as given, on one line each; e-mails and telephones as salted digests. */
export function makePersonTarget(terms: PersonTerms): PersonTarget {
  return saltedTarget(terms, randomBytes(16).toString('hex'));
}

function saltedTarget({ names, texts, emails, telephones }: PersonTerms, salt: string): PersonTarget {
  return {
    salt,
    names: names.map(onOneLine),
    texts: texts.map(onOneLine),
    emails: emails.map((email) => digest(salt, normalEmail(email))),
    telephones: telephones.map((telephone) => digest(salt, normalTelephone(telephone))),
  };
}

function onOneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Whether a target was derived from these terms. */
function isSamePerson(target: PersonTarget, terms: PersonTerms): boolean {
  const isSameList = (values: readonly string[], stored: readonly string[]) =>
    values.length === stored.length && values.every((value) => stored.includes(value));
  const again = saltedTarget(terms, target.salt);
  return (
    isSameList(textsOf(again), textsOf(target)) &&
    isSameList(again.emails, target.emails) &&
    isSameList(again.telephones, target.telephones)
  );
}

/** The terms that would not be found even in a text that repeats them, so that they would never be removed. */
export function findUnfindable(terms: PersonTerms): string[] {
  const nobody = { names: [], texts: [], emails: [], telephones: [] };
  return Object.entries(terms).flatMap(([kind, values]: [string, readonly string[]]) =>
    values.filter((value) => {
      const { redact } = makeRedactor('', makePersonTarget({ ...nobody, [kind]: [value] }));
      const left = redact(value).replace(/\[withheld \w+\]/g, '');
      return left === value || (kind !== 'names' && /[\p{L}\p{N}]{3}/u.test(left));
    }),
  );
}

export type Wanted = { kind: 'notice'; noticeId: string } | { kind: 'person'; terms: PersonTerms };

/**
 * Records a takedown, or returns the active one if it is the same. A batch of releases that was read earlier is compiled again,
 * so that none escapes it. The takedown is pending until `endTakedown`.
 */
export async function recordTakedown(
  catalogue: Database,
  wanted: Wanted,
  { reason, by = '', now, before }: { reason: string; by?: string; now: Date; before: readonly Statement[] },
): Promise<Takedown> {
  const takenAt = isoInstant(now);
  const id = `tk_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  return writeOptimistically(catalogue, async () => {
    const active = (await readTakedowns(catalogue)).find((one) => isSame(one, wanted));
    const made: Takedown = active ?? { id, reason, takenAt, takenBy: by, ...targetOf(wanted) };
    const keep = { sql: KEEP, args: [made.id, made.kind, JSON.stringify(made.target), made.reason, takenAt, by] };
    const statements = [...(active ? [] : [keep]), pendingStatement(made.id, takenAt)];
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

/** An unfinished takedown has a cursor: the next run continues it, even after a kill. */
const cursorOf = (id: string) => `takedown:${id}`;

function pendingStatement(id: string, at: string): Statement {
  return {
    sql: "INSERT INTO cursor (source, value, updated_at) VALUES (?, 'pending', ?) ON CONFLICT (source) DO NOTHING",
    args: [cursorOf(id), at],
  };
}

/** Ids of takedowns that were recorded but not completed. One that was lifted meanwhile may still have its cursor. */
export async function readPending(catalogue: Database): Promise<Set<string>> {
  const rows = await catalogue.read<{ id: string }>({
    sql: "SELECT id FROM takedown WHERE lifted_at IS NULL AND 'takedown:' || id IN (SELECT source FROM cursor)",
  });
  return new Set(rows.map(({ id }) => id));
}

/** Marks a takedown as completed: nothing that it concerns is stored any more. */
export function endTakedown(id: string): Statement {
  return { sql: 'DELETE FROM cursor WHERE source = ?', args: [cursorOf(id)] };
}

/** Drops what a takedown was about; the fact that there was one stays on record. */
export function liftStatements(id: string, now: Date): Statement[] {
  return [{ sql: LIFT, args: [isoInstant(now), id] }, endTakedown(id)];
}
