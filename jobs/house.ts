import type { Logger } from 'pino';
import type { Clocks } from '../schema/clocks.ts';
import type { Database } from '../schema/database.ts';
import type { Settings } from '../schema/env.ts';
import type { SearchEngine } from '../search/engine.ts';

/** Everything a job may touch. Handed down from the front door; both databases are open for writing. */
export interface JobsHouse {
  settings: Settings;
  clocks: Clocks;
  catalogue: Database;
  accounts: Database;
  /** The engine in its writer's role. */
  search: SearchEngine;
  log: Logger;
  /** Who this process is, for an operator who asks which one holds a lease. */
  holder: string;
}

/** A fault that an operator can mend: its message is the whole answer, without a stack. */
export class ExpectedFault extends Error {
  override name = 'ExpectedFault';
}
