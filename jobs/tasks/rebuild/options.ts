import type { RebuildProgress, Rebuilt } from '../../../ingest/rebuild/generation.ts';
import type { LeaseArgs } from '../../../ingest/rebuild/move.ts';

export interface RebuildOptions {
  /** Only compiles into a temporary catalogue and compares; the live one stays and nothing is left behind. */
  check?: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RebuildProgress) => void) | undefined;
  /** Called with the holder of what a rebuild waits for. */
  onWait?: ((what: string, holder: string) => void) | undefined;
  /** Pause before the next attempt, in milliseconds. */
  waitMs?: number;
}

/** The same for the building part: the lease that it holds, and its stop signal. */
export interface BuildOptions extends Pick<RebuildOptions, 'check' | 'onProgress'> {
  lease: LeaseArgs;
  signal: AbortSignal;
}

/** What was built, and what happened to earlier catalogues. */
export interface BuildReport extends Rebuilt {
  /** Older generations whose files were removed. */
  removed: number[];
  /** The address that a server's catalogue moved to. */
  movedTo?: string;
}

export interface RebuildReport extends BuildReport {
  durationMs: number;
}
