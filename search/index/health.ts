import type { Database } from '../../schema/db/interface.ts';
import type { SearchEngine } from '../engine.ts';
import { readLag } from './sync.ts';

/** Lag is counted up to here. */
const LAG_MAX = 100_000;

/** How far one engine's index is behind the catalogue. */
export interface IndexStanding {
  engine: SearchEngine['name'];
  /** Changed rows that it has not heard of, 100,000 at most; null where it cannot be asked. */
  lag_rows: number | null;
}

/** Where the engine's index stands, then that of the one behind it. `onFault` hears why one could not be asked. */
export async function readStandings(
  catalogue: Database,
  engine: SearchEngine,
  onFault: (error: unknown) => void = () => undefined,
): Promise<IndexStanding[]> {
  const engines = engine.fallback ? [engine, engine.fallback] : [engine];
  return Promise.all(
    engines.map(async (one) => ({ engine: one.name, lag_rows: await askLag(catalogue, one, onFault) })),
  );
}

async function askLag(
  catalogue: Database,
  engine: SearchEngine,
  onFault: (error: unknown) => void,
): Promise<number | null> {
  try {
    return await readLag(catalogue, engine, LAG_MAX);
  } catch (error) {
    onFault(error);
    return null;
  }
}
