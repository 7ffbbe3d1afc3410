import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** Folder of genuine recordings to serve instead of the generated sample. */
  recordings: string | undefined;
  /** The instant at which the catalogue's clock is fixed; default: one that the data chooses. */
  asOf: Date | undefined;
}

/** The options of the demo. @throws Error naming an invalid option. */
export function readDemoOptions(args: string[]): DemoOptions {
  const values = parse(args);
  const asOf = values['as-of'];
  const instant = asOf === undefined ? undefined : new Date(asOf);
  if (instant && Number.isNaN(instant.getTime())) {
    throw new Error(`--as-of: expected an instant such as 2026-11-20T09:00:00Z, got ${JSON.stringify(asOf)}`);
  }
  const { recordings } = values;
  if (recordings !== undefined && !existsSync(recordings))
    throw new Error(`--recordings: there is no folder ${recordings}`);
  return { recordings, asOf: instant };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: { recordings: { type: 'string' }, 'as-of': { type: 'string' } } }).values;
  } catch (error) {
    // Its own words name the fault alone, also for --help.
    throw new Error(
      `${(error as Error).message}. The demo takes --recordings DIR and --as-of INSTANT; both may be left out.`,
    );
  }
}
