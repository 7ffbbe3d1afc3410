import { z } from 'zod';
import { CHANGE_KINDS } from '../../../schema/catalogue/changes/kinds.ts';
import {
  readChangeBounds,
  readInstantOf,
  readNewestBounds,
  readSeqBefore,
} from '../../../schema/catalogue/changes/read.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { ChangeFilters } from '../../../search/changes/match.ts';
import { READER_START, type ReaderPosition } from '../../../search/changes/page.ts';
import { InvalidInput, Refusal } from '../../contract/errors.ts';
import { dayNamedBy } from '../../validation/hints.ts';
import { effectiveFilters, ID_FILTERS } from '../filters/apply.ts';

const PREFIX = 'changes.';
/** The ids of one filter: up to twenty. */
const IDS_CHARS = 2_000;
const seq = z.int().min(-1);
const shape = z.tuple([
  seq,
  z.enum([...CHANGE_KINDS, '~', '']),
  z.string().max(500),
  z.tuple([seq, seq]).nullable(),
  z.int().nullable(),
  z.record(z.string(), z.string().max(IDS_CHARS)).optional(),
]);
type Fields = z.output<typeof shape>;

/**
 * The cursor of a position. It is bare, not signed: it says nothing secret, and outlives a change of AUTH_SECRET, a restart
 * and a rebuild. It also says when its batch was committed, so that a catalogue with another history is recognised, and which
 * ids its reader's filters had.
 */
export async function writeChangeCursor(
  catalogue: Database,
  { at, rows }: ReaderPosition,
  filters: ChangeFilters,
): Promise<string> {
  const instant = await readInstantOf(catalogue, rows?.upTo ?? at.seq);
  const ids = idsIn(filters);
  const fields: Fields = [at.seq, at.kind as Fields[1], at.id, rows ? [rows.from, rows.upTo] : null, instant];
  if (Object.keys(ids).length > 0) fields.push(ids);
  return PREFIX + Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** Whether a text is a cursor or an instant. @throws InvalidInput where it is neither */
export function checkSince(since: string | undefined): void {
  if (since === undefined || readFields(since) || readInstant(since)) return;
  const day = dayNamedBy(since, false);
  const send = day ? `; send "${day}T00:00:00Z"` : ' such as 2026-11-20T09:00:00Z';
  throw new InvalidInput({
    path: ['since'],
    msg: `Input should be next_cursor of the answer before, or an instant${send}`,
    type: 'value_error',
    input: since,
  });
}

/**
 * The position from which a client continues; without `since`, the beginning. A copy of the catalogue may not have come as far.
 * @throws Refusal 410 for a cursor that is ahead of the data, or of other data; also if an id in the filters leads to another
 * thing by now: what that thing had before is no change, so the reader would never get it
 */
export async function readSince(
  catalogue: Database,
  since: string | undefined,
  filters: ChangeFilters,
): Promise<ReaderPosition> {
  if (since === undefined) return READER_START;
  const fields = readFields(since);
  if (!fields) {
    const before = await readSeqBefore(catalogue, readInstant(since) ?? new Date(0));
    return before === 0 ? READER_START : { at: { seq: before, kind: '~', id: '' } };
  }
  const [at, kind, id, rows, instant, former = {}] = fields;
  const last = rows?.[1] ?? at;
  const isHere = last <= (await readChangeBounds(catalogue)).head;
  const isKnown = isHere || last <= (await readNewestBounds(catalogue)).head;
  const stored = isHere ? await readInstantOf(catalogue, last) : null;
  if (!isKnown || (instant !== null && stored !== null && instant !== stored))
    throw new Refusal(410, 'cursor_expired', EXPIRED);
  if (await haveMoved(catalogue, idsIn(former), filters)) throw new Refusal(410, 'cursor_expired', MOVED);
  return { at: { seq: at, kind, id }, ...(rows && { rows: { from: rows[0], upTo: rows[1] } }) };
}

const EXPIRED = 'This cursor is ahead of the data, which was restored from a backup; start again without since.';
const MOVED =
  "An id in the filters has become another's since this cursor, which says nothing of what that one had before; start again without since.";

/** The ids in filters, by the names of these: several in one order, whatever the reader's. */
function idsIn(filters: object): Record<string, string> {
  const ids = Object.entries(filters).filter(([name]) => ID_FILTERS.includes(name));
  return Object.fromEntries(ids.map(([name, id]) => [name, String(Array.isArray(id) ? id.toSorted() : id)]));
}

/** Whether ids in a reader's filters lead elsewhere by now: they differ from today's, and lead to these. */
async function haveMoved(
  catalogue: Database,
  former: Readonly<Record<string, string>>,
  filters: ChangeFilters,
): Promise<boolean> {
  const present = idsIn(filters);
  const names = Object.keys(former).filter((name) => name in present && present[name] !== former[name]);
  if (names.length === 0) return false;
  const today = idsIn(await effectiveFilters(catalogue, former));
  return names.some((name) => today[name] === present[name]);
}

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
