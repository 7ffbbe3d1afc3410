import { constants } from 'node:os';
import type { Logger } from 'pino';
import type { ExportStorage } from '../../schema/accounts/exports/storage.ts';
import type { Clocks } from '../../schema/config/clocks.ts';
import type { Settings } from '../../schema/config/settings.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { Searches } from '../../search/engine.ts';

/** Everything a job may use. Passed down from the front door; both databases are open for writing. */
export interface JobsServices {
  settings: Settings;
  clocks: Clocks;
  catalogue: Database;
  accounts: Database;
  /** The engine in its writer's role. */
  search: Searches;
  /** Where finished exports are stored. */
  exports: ExportStorage;
  /** Why this process cannot see the files that jobs write, for an operator; null where it can. Cheap to call. */
  findExportFault(): Promise<string | null>;
  log: Logger;
  /** The name of this process, for an operator who asks which one holds a lease. */
  holder: string;
  /** Whether it is a command run by a person. */
  byHand?: boolean;
}

/** A fault that an operator can mend: its message is the whole answer, without a stack. */
export class ExpectedFault extends Error {
  override name = 'ExpectedFault';
  /** The exit code of the process. */
  readonly exitCode: number = 1;
}

/** A command with arguments that make no sense. */
export class UsageFault extends ExpectedFault {
  override name = 'UsageFault';
  override readonly exitCode = 2;
}

/** Something is missing from what should be stored. */
export class SomethingMissing extends ExpectedFault {
  override name = 'SomethingMissing';
  override readonly exitCode = 3;
}

/** A fault that a run's row already records. */
export class RunFailed extends ExpectedFault {
  override name = 'RunFailed';
}

/** Work that a signal ended at a safe point. */
export class StoppedBySignal extends ExpectedFault {
  override name = 'StoppedBySignal';
  /** 128 plus the signal's number, as in shells. */
  override readonly exitCode: number;
  constructor(signal: NodeJS.Signals, message: string) {
    super(message);
    this.exitCode = 128 + constants.signals[signal];
  }
}
