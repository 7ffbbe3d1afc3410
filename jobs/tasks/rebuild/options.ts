import type { RebuildProgress, Rebuilt } from '../../../ingest/rebuild/generation.ts';
import type { LeaseArgs } from '../../../ingest/rebuild/move.ts';

export interface RebuildOptions {
  /** Only compiles into a temporary catalogue and compares; the live one stays and nothing is left. */
  check?: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RebuildProgress) => void) | undefined;
  /** Hears who holds what a rebuild waits for. */
  onWait?: ((what: string, holder: string) => void) | undefined;
  /** How long until it is tried again, in milliseconds. */
  waitMs?: number;
}

/** The same for the part that builds: the lease that it holds, and what ends it. */
export interface BuildOptions extends Pick<RebuildOptions, 'check' | 'onProgress'> {
  lease: LeaseArgs;
  signal: AbortSignal;
}

/** What was built, and what became of the catalogues before. */
export interface BuildReport extends Rebuilt {
  /** Older generations whose files were removed. */
  removed: number[];
  /** The address that a server's catalogue moved to. */
  movedTo?: string;
}

export interface RebuildReport extends BuildReport {
  durationMs: number;
}
