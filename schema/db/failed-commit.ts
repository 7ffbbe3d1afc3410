import { OutcomeUnknown, readCode } from './interface.ts';

/**
 * Faults at which a commit may be whole in the log, though SQLite has rolled it back: of the sync, and of the log's index. The next
 * commit overwrites it. If the process that has the file open is killed before that, it counts when the file is opened again. A
 * libSQL server has one code for all faults of its disk (0.24).
 */
const MAY_STAY = /^SQLITE_(IOERR(?!_WRITE)|NOMEM)/;

/** The error of a commit that failed: `OutcomeUnknown` where it may be whole in the log, otherwise unchanged. @param place a path, or a server's address */
export function nameCommitFault(error: unknown, place: string): unknown {
  const code = readCode(error);
  if (!MAY_STAY.test(code)) return error;
  const said = `whether this was written to ${place} is not known, as its disk or the memory failed`;
  return new OutcomeUnknown(`${said} (${code}: ${(error as Error).message})`, { cause: error });
}
