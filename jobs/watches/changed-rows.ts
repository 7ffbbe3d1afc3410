import { AFTER_ALL, type DueGroup, type WatchPosition } from '../../schema/accounts/watches/outbox.ts';
import { readChanges } from '../../schema/catalogue/changes/read.ts';
import type { Percolator } from '../../search/embedded/percolate.ts';
import type { JobsServices } from '../process/services.ts';
import type { ChangedDocuments } from './changed-documents.ts';
import type { ChangedRow } from './compose.ts';

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
 * Every row once, in the order and at the `seq` of its first entry; a row that was added and then changed is new. A watch that
 * cannot pay for more stands between two rows, and has every entry of the later ones still ahead.
 */
export function mergeByRow(entries: readonly ChangedRow[]): ChangedRow[] {
  const rows = new Map<string, ChangedRow>();
  for (const entry of entries) {
    const { seq, since, before, ...former } = rows.get(entry.id) ?? entry;
    const isNew = former.change === 'new' && entry.change === 'updated';
    const changed = [...new Set([...former.changed, ...entry.changed])];
    const merged = { change: isNew ? ('new' as const) : entry.change, changed: isNew ? [] : changed };
    rows.set(entry.id, { ...entry, ...merged, seq, since, before });
  }
  return [...rows.values()];
}

/** Each row's place among rows, by id. */
export const placesOf = (rows: readonly ChangedRow[]): Map<string, number> =>
  new Map(rows.map(({ id }, place) => [id, place]));

/** Compares items by the places of their rows, as `sort` expects. */
export const byPlace =
  (places: ReadonlyMap<string, number>) =>
  (one: { id: string }, other: { id: string }): number =>
    (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0);
