import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** Folder of genuine recordings to serve instead of the generated sample. */
  recordings: string | undefined;
  /** The instant at which the catalogue's clock is fixed; default: one that the data chooses. */
  asOf: Date | undefined;
}

/** The options of the demo. @throws Error naming an invalid option. */
export function readDemoOptions(args: string[]): DemoOptions {
  const { values } = parseArgs({ args, options: { recordings: { type: 'string' }, 'as-of': { type: 'string' } } });
  const asOf = values['as-of'];
  const instant = asOf === undefined ? undefined : new Date(asOf);
  if (instant && Number.isNaN(instant.getTime())) {
    throw new Error(`--as-of: expected an instant such as 2026-11-20T09:00:00Z, got ${JSON.stringify(asOf)}`);
  }
  return { recordings: values.recordings, asOf: instant };
}
