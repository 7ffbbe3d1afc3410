import { AFTER_ALL, type WatchPosition } from '../../schema/accounts/watches/outbox.ts';
import { readChanges } from '../../schema/catalogue/changes/read.ts';
import type { Database } from '../../schema/db/interface.ts';
import { groupBy } from '../../schema/text/memoise.ts';
import type { ChangedDocuments, Held } from './changed-documents.ts';
import type { ChangedEntry, ChangedRow } from './compose.ts';

/** Entries of the log in one read, which a database server answers with 10 MB at most. */
const ENTRIES_AT_ONCE = 2_000;

/** Rows that changed, up to a position. */
export interface Changes {
  rows: readonly ChangedRow[];
  /** Where they end. */
  to: WatchPosition;
}

/** Some changed rows, and their documents. */
export interface Part extends Held {
  /** Each with all its entries up to the state that its document has. */
  rows: readonly ChangedRow[];
}

interface Stretch {
  after: WatchPosition;
  upTo: number;
  most?: number;
  ids?: readonly string[];
}

/** Reads the rows of a kind that changed after a position, up to the head or as far as so many entries. */
export async function readRows(
  catalogue: Database,
  kind: ChangedRow['kind'],
  { start, head, most }: { start: WatchPosition; head: number; most: number },
): Promise<Changes> {
  const entries = await readEntries(catalogue, kind, { after: start, upTo: head, most });
  const last = entries.length === most ? entries.at(-1) : undefined;
  return { rows: mergeByRow(entries), to: last ? { seq: last.seq, id: last.id } : { seq: head, id: AFTER_ALL } };
}

async function readEntries(
  catalogue: Database,
  kind: ChangedRow['kind'],
  { after, upTo, most = Number.POSITIVE_INFINITY, ids }: Stretch,
): Promise<ChangedEntry[]> {
  const entries: ChangedEntry[] = [];
  for (let next = after; entries.length < most; ) {
    const limit = Math.min(ENTRIES_AT_ONCE, most - entries.length);
    const asked = { after: { ...next, kind }, kinds: [kind], upTo, limit, ...(ids && { ids }) };
    const read = await readChanges(catalogue, asked);
    for (const entry of read) entries.push({ ...entry, kind, since: entry.at });
    if (read.length < limit) break;
    next = read.at(-1) ?? next;
  }
  return entries;
}

/**
 * Indexes the documents of changed rows in memory. A document is the row as it is now, so the later entries of the log up to that
 * state are added: they are told with it, and not again when a watch comes to them.
 */
export async function holdRows(
  { catalogue, documents }: { catalogue: Database; documents: ChangedDocuments },
  kind: ChangedRow['kind'],
  rows: readonly ChangedRow[],
): Promise<Part> {
  const ids = rows.map(({ id }) => id);
  const held = await documents.hold(kind, ids);
  const ends = new Map(rows.map((row) => [row.id, lastSeq(row)]));
  const isLater = ({ id, seq }: { id: string; seq: number }) => seq > (ends.get(id) ?? 0);
  const ahead = ids.map((id) => ({ id, seq: held.seqs.get(id) ?? 0 })).filter(isLater);
  if (ahead.length === 0) return { ...held, rows };
  const later = await readEntries(catalogue, kind, {
    after: { seq: Math.min(...ahead.map(({ id }) => ends.get(id) ?? 0)), id: AFTER_ALL },
    upTo: Math.max(...ahead.map(({ seq }) => seq)),
    ids: ahead.map(({ id }) => id),
  });
  const own = later.filter((entry) => isLater(entry) && entry.seq <= (held.seqs.get(entry.id) ?? 0));
  return { ...held, rows: mergeByRow([...rows.flatMap(({ entries }) => entries), ...own]) };
}

/**
 * Every row once, in the order and at the `seq` of its first entry. A watch that cannot pay for more stands between two rows, and
 * has every entry of the later ones still ahead, with those of the earlier ones that it has delivered (`changedAfter`).
 */
export const mergeByRow = (entries: readonly ChangedEntry[]): ChangedRow[] =>
  [...groupBy(entries, ({ id }) => id).values()].map(mergeEntries);

/** A row that was added and then changed is new. */
function mergeEntries(entries: readonly ChangedEntry[]): ChangedRow {
  const merged = entries.reduce((former, entry) => {
    const { seq, since, before } = former;
    // Of a row that was added, no changed fields are listed.
    const isNew = former.change === 'new' && entry.change === 'updated';
    const changed = isNew ? [] : [...new Set([...former.changed, ...entry.changed])];
    return { ...entry, change: isNew ? 'new' : entry.change, changed, seq, since, before };
  });
  return { ...merged, entries };
}

export const lastSeq = ({ seq, entries }: ChangedRow) => entries.at(-1)?.seq ?? seq;

/** A row as it changed after a `seq`; undefined where it did not. */
export function changedAfter(row: ChangedRow | undefined, seq: number): ChangedRow | undefined {
  if (row === undefined || row.seq > seq) return row;
  const later = row.entries.filter((entry) => entry.seq > seq);
  return later.length > 0 ? mergeEntries(later) : undefined;
}
