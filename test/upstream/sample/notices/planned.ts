import type { PublishedRelease } from '../../data.ts';

/** A service that publishes notices, by its id in the table of sources. */
export type Source = 'find_a_tender' | 'contracts_finder' | 'public_contracts_scotland' | 'sell2wales';

/** A notice that is decided but has no number yet: numbers follow the order of publication. */
export interface Planned {
  /** The process's index. */
  process: number;
  source: Source;
  /** The notice type of a service that is asked by it. */
  type?: string;
  at: number;
  /** Goes out under the number of the notice before it, which belongs to another process (11 such numbers are known). */
  twin?: boolean;
  build(serial: number, year: number): PublishedRelease;
}
