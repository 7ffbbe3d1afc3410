import { COLLECTIONS } from '../../search/collections/index.ts';
import { openPercolator, type Percolator } from '../../search/embedded/percolate.ts';
import { readDocuments } from '../../search/index/changed-rows.ts';
import type { JobsServices } from '../process/services.ts';
import type { ChangedRow } from './compose.ts';

/** Documents held in memory, about 5 kB each: twice those of one position, as neighbouring positions have most of theirs in common. */
const HELD_MAX = 4_000;

/** Documents of changed rows of one kind. */
export interface Held {
  /** Ids of those that still exist. */
  there: Set<string>;
  /** The `seq` of each row when its document was read; absent for one that was deleted. */
  seqs: Map<string, number>;
  /** Absent while none exists. */
  percolator?: Percolator;
}

interface Kept extends Held {
  /** Ids of the rows that were read. */
  read: Set<string>;
}

/**
 * The documents that a run matches. Each is read and indexed once for all positions near it, as many watches may each stand at
 * a position of their own.
 */
export interface ChangedDocuments {
  /** Which of some rows still exist, and what finds them; it may find others too. */
  hold(kind: ChangedRow['kind'], ids: readonly string[]): Promise<Held>;
  close(): Promise<void>;
}

/** Reads documents of a run from the catalogue as it is at that moment. */
export function makeChangedDocuments({ catalogue }: Pick<JobsServices, 'catalogue'>): ChangedDocuments {
  const kept = new Map<ChangedRow['kind'], Kept>();
  return {
    async hold(kind, ids) {
      let held = kept.get(kind) ?? none();
      let unread = ids.filter((id) => !held.read.has(id));
      if (held.read.size + unread.length > HELD_MAX) {
        await held.percolator?.close();
        held = none();
        unread = [...ids];
      }
      kept.set(kind, held);
      const collection = COLLECTIONS[kind === 'contract' ? 'contracts' : 'notices'];
      const rows = await readDocuments({ catalogue, collection }, unread);
      const documents = rows.flatMap(({ document }) => document ?? []);
      if (documents.length > 0) {
        if (held.percolator) await held.percolator.add(documents);
        else held.percolator = await openPercolator(collection, documents);
      }
      for (const id of unread) held.read.add(id);
      for (const { id, seq } of rows) held.seqs.set(id, seq);
      for (const { id } of documents) held.there.add(id);
      return held;
    },
    async close() {
      for (const { percolator } of kept.values()) await percolator?.close();
    },
  };
}

const none = (): Kept => ({ read: new Set(), there: new Set(), seqs: new Map() });
