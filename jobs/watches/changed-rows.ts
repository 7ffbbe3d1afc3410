import { AFTER_ALL, type DueGroup, type WatchPosition } from '../../schema/accounts/watches/outbox.ts';
import { readChanges } from '../../schema/catalogue/changes/read.ts';
import { groupBy } from '../../schema/text/memoise.ts';
import type { Percolator } from '../../search/embedded/percolate.ts';
import type { JobsServices } from '../process/services.ts';
import type { ChangedDocuments } from './changed-documents.ts';
import type { ChangedEntry, ChangedRow } from './compose.ts';

/** Changes matched at once: their documents are indexed in memory. */
const CHANGES_AT_ONCE = 2_000;

/** A part of the changes, and what finds their documents. */
export interface Part {
  rows: readonly ChangedRow[];
  /** Ids of the rows that still exist. */
  there: ReadonlySet<string>;
  percolator?: Percolator | undefined;
  /** Where it ends. */
  to: WatchPosition;
  /** Whether it ends before the head, as there is more than is matched at once. */
  isCut: boolean;
}

/** The kind of the rows that the watches of a group look for. */
export const kindOf = ({ collection }: Pick<DueGroup, 'collection'>): ChangedRow['kind'] =>
  collection === 'contracts' ? 'contract' : 'notice';

/** Reads the changes of a kind after a position, up to the head or as many as are matched at once. */
export async function readPart(
  { services: { catalogue }, documents }: { services: Pick<JobsServices, 'catalogue'>; documents: ChangedDocuments },
  kind: ChangedRow['kind'],
  { start, head }: { start: WatchPosition; head: number },
): Promise<Part> {
  const next = { upTo: head, limit: CHANGES_AT_ONCE };
  const entries = await readChanges(catalogue, { after: { ...start, kind }, kinds: [kind], ...next });
  const last = entries.length === CHANGES_AT_ONCE ? entries.at(-1) : undefined;
  const rows = mergeByRow(entries.map((entry) => ({ ...entry, kind, since: entry.at })));
  const { there, percolator } = await documents.hold(
    kind,
    rows.map(({ id }) => id),
  );
  const to = last ? { seq: last.seq, id: last.id } : { seq: head, id: AFTER_ALL };
  return { rows, there, percolator, to, isCut: last !== undefined };
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
    const isNew = former.change === 'new' && entry.change === 'updated';
    const changed = isNew ? [] : [...new Set([...former.changed, ...entry.changed])];
    return { ...entry, change: isNew ? 'new' : entry.change, changed, seq, since, before };
  });
  return { ...merged, entries };
}

/** A row as two parts of the log changed it, or one. */
export const mergeRows = (one: ChangedRow, other: ChangedRow): ChangedRow =>
  one === other ? one : mergeEntries([...one.entries, ...other.entries]);

/** A row as it changed after a `seq`; undefined where it did not. */
export function changedAfter(row: ChangedRow | undefined, seq: number): ChangedRow | undefined {
  if (row === undefined || row.seq > seq) return row;
  const later = row.entries.filter((entry) => entry.seq > seq);
  return later.length > 0 ? mergeEntries(later) : undefined;
}
