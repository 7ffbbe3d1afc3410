import { constants } from 'node:os';
import type { Logger } from 'pino';
import type { ExportStorage } from '../../schema/accounts/exports/storage.ts';
import type { Clocks } from '../../schema/config/clocks.ts';
import type { Settings } from '../../schema/config/settings.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { Searches } from '../../search/engine.ts';

/** Everything a job may touch. Handed down from the front door; both databases are open for writing. */
export interface JobsServices {
  settings: Settings;
  clocks: Clocks;
  catalogue: Database;
  accounts: Database;
  /** The engine in its writer's role. */
  search: Searches;
  /** Where finished exports lie. */
  exports: ExportStorage;
  /** Why this process does not see the files that jobs write, for an operator; null where it does. Cheap to ask. */
  findExportFault(): Promise<string | null>;
  log: Logger;
  /** Who this process is, for an operator who asks which one holds a lease. */
  holder: string;
  /** Whether a person is at its command line. */
  byHand?: boolean;
}

/** A fault that an operator can mend: its message is the whole answer, without a stack. */
export class ExpectedFault extends Error {
  override name = 'ExpectedFault';
  /** What the process ends with. */
  readonly exitCode: number = 1;
}

/** A command that was asked for in a way that makes no sense. */
export class UsageFault extends ExpectedFault {
  override name = 'UsageFault';
  override readonly exitCode = 2;
}

/** The answer to whether everything is there: no. */
export class SomethingMissing extends ExpectedFault {
  override name = 'SomethingMissing';
  override readonly exitCode = 3;
}

/** A fault that a run's row tells already. */
export class RunFailed extends ExpectedFault {
  override name = 'RunFailed';
}

/** Work that was ended by SIGINT or SIGTERM at a safe point. */
export class StoppedBySignal extends ExpectedFault {
  override name = 'StoppedBySignal';
  /** 128 and the signal's number, as shells have it. */
  override readonly exitCode: number;
  constructor(signal: NodeJS.Signals, message: string) {
    super(message);
    this.exitCode = 128 + constants.signals[signal];
  }
}
