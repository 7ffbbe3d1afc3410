import type { RunParts } from './run-windows.ts';
import type { RegisterSource } from './source.ts';
import type { IngestTools } from './tools.ts';

/** One run of the register under way. */
export interface RegisterRun extends RunParts {
  tools: IngestTools;
  source: RegisterSource;
}
