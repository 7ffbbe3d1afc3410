import { z } from 'zod';
import { CHANGE_KINDS } from '../../../schema/catalogue/changes/kinds.ts';
import {
  readChangeBounds,
  readInstantOf,
  readNewestBounds,
  readSeqBefore,
} from '../../../schema/catalogue/changes/read.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { READER_START, type ReaderPosition } from '../../../search/changes/page.ts';
import { InvalidInput, Refusal } from '../../contract/errors.ts';

const PREFIX = 'changes.';
const seq = z.int().min(-1);
const shape = z.tuple([
  seq,
  z.enum([...CHANGE_KINDS, '~', '']),
  z.string().max(500),
  z.tuple([seq, seq]).nullable(),
  z.int().nullable(),
]);
type Fields = z.output<typeof shape>;

/**
 * The cursor of a position. It is bare, not signed: it says nothing secret, and outlives a change of AUTH_SECRET, a restart
 * and a rebuild. It also says when its batch was committed, so that a catalogue with another history is recognised.
 */
export async function writeChangeCursor(catalogue: Database, { at, rows }: ReaderPosition): Promise<string> {
  const instant = await readInstantOf(catalogue, rows?.upTo ?? at.seq);
  const fields: Fields = [at.seq, at.kind as Fields[1], at.id, rows ? [rows.from, rows.upTo] : null, instant];
  return PREFIX + Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** Whether a text is a cursor or an instant. @throws InvalidInput where it is neither */
export function checkSince(since: string | undefined): void {
  if (since === undefined || readFields(since) || readInstant(since)) return;
  throw new InvalidInput({
    path: ['since'],
    msg: 'Input should be next_cursor of the answer before, or an instant such as 2026-11-20T09:00:00Z',
    type: 'value_error',
    input: since,
  });
}

/**
 * The position from which a client continues; without `since`, the beginning. A copy of the catalogue may not have come as far.
 * @throws Refusal 410 for a cursor that is ahead of the data, or of other data
 */
export async function readSince(catalogue: Database, since: string | undefined): Promise<ReaderPosition> {
  if (since === undefined) return READER_START;
  const fields = readFields(since);
  if (!fields) {
    const before = await readSeqBefore(catalogue, readInstant(since) ?? new Date(0));
    return before === 0 ? READER_START : { at: { seq: before, kind: '~', id: '' } };
  }
  const [at, kind, id, rows, instant] = fields;
  const last = rows?.[1] ?? at;
  const isHere = last <= (await readChangeBounds(catalogue)).head;
  const isKnown = isHere || last <= (await readNewestBounds(catalogue)).head;
  const stored = isHere ? await readInstantOf(catalogue, last) : null;
  if (!isKnown || (instant !== null && stored !== null && instant !== stored))
    throw new Refusal(410, 'cursor_expired', EXPIRED);
  return { at: { seq: at, kind, id }, ...(rows && { rows: { from: rows[0], upTo: rows[1] } }) };
}

const EXPIRED = 'This cursor is ahead of the data, which was restored from a backup; start again without since.';

function readFields(text: string): Fields | null {
  if (!text.startsWith(PREFIX)) return null;
  try {
    return shape.safeParse(JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString())).data ?? null;
  } catch {
    return null;
  }
}

function readInstant(text: string): Date | null {
  const { data } = z.iso.datetime({ offset: true }).safeParse(text);
  return data === undefined ? null : new Date(data);
}
