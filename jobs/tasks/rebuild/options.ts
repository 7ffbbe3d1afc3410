import type { RebuildProgress, Rebuilt } from '../../../ingest/rebuild/generation.ts';
import type { LeaseArgs } from '../../../ingest/rebuild/move.ts';

export interface RebuildOptions {
  /** Only compiles into a temporary catalogue and compares. The live one stays, and the temporary one is removed. */
  check?: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RebuildProgress) => void) | undefined;
  /** Called when a rebuild has to wait for a lease, with its name and its holder. */
  onWait?: ((lease: string, holder: string) => void) | undefined;
  /** Pause before the next attempt, in milliseconds. */
  waitMs?: number;
}

/** Options of the build itself, with the lease under which it runs. */
export interface BuildOptions extends Pick<RebuildOptions, 'check' | 'onProgress'> {
  lease: LeaseArgs;
  signal: AbortSignal;
}

/** The result of a build, and what became of earlier catalogues. */
export interface BuildReport extends Rebuilt {
  /** Older generations whose files were removed. */
  removed: number[];
  /** The address that a server's catalogue moved to. */
  movedTo?: string;
}

export interface RebuildReport extends BuildReport {
  durationMs: number;
}
