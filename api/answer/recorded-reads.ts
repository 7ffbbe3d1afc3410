import { hash } from 'node:crypto';
import type { Database, Statement } from '../../schema/db/interface.ts';

/** A statement that an answer was made from, and a digest of the rows that it gave. */
export interface RecordedRead {
  statement: Statement;
  digest: string;
}

/** A catalogue that records what is read through it. */
export interface Recorder {
  catalogue: Database;
  /** What was read so far; null where that is more than is worth reading again. */
  take(): readonly RecordedRead[] | null;
}

/** A look-up by id reads a dozen statements at most. A name is looked up with hundreds, which yield to other calls in between. */
const READS_MOST = 16;

/** A catalogue that reads as `catalogue` does and records its reads: statements, and digests of the rows. */
export function recordReads(catalogue: Database): Recorder {
  let reads: RecordedRead[] | null = [];
  return {
    catalogue: {
      ...catalogue,
      // A generation of the catalogue is succeeded by another one at another address.
      get url() {
        return catalogue.url;
      },
      async read<T>(statement: Statement): Promise<T[]> {
        const rows = await catalogue.read<T>(statement);
        reads?.push({ statement, digest: digestOf(rows) });
        if (reads && reads.length > READS_MOST) reads = null;
        return rows;
      },
    },
    take: () => reads,
  };
}

/**
 * Whether every statement gives the rows that it gave before. What was made from these rows alone would then be the same
 * now: a later statement depends on earlier rows, so no other would be read. Stops at the first that differs.
 */
export async function areUnchanged(catalogue: Database, reads: readonly RecordedRead[]): Promise<boolean> {
  for (const { statement, digest } of reads) {
    if (digestOf(await catalogue.read(statement)) !== digest) return false;
  }
  return true;
}

function digestOf(rows: readonly unknown[]): string {
  return rows.length === 0 ? '' : hash('sha1', JSON.stringify(rows), 'base64');
}
