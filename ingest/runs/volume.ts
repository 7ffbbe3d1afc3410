import type { IngestTools } from '../context.ts';
import { isLoopback, type Source } from '../source.ts';
import type { Tally } from './record.ts';

/** How much a run found, in what, and where. */
export interface Found {
  volume: number;
  unit: string;
  url: string;
}

/**
 * Says loudly, in the log and in the run's row, when a run found far less or far more than a source is known for.
 * A loopback upstream serves a sample, which no expectation of the real service fits: it is judged only by `tools.expected`.
 */
export function judgeVolume(tools: IngestTools, source: Source, { volume, unit, url }: Found, tally: Tally): void {
  const expected = tools.expected ?? (isLoopback(url) ? null : source.expected);
  if (!expected || (volume >= expected.least && volume <= expected.most)) return;
  tally.warning = `${volume} ${unit}, expected ${expected.least} to ${expected.most}`;
  tools.log.warn({ source: source.id, volume, expected }, `an unusual volume: ${tally.warning}`);
}
