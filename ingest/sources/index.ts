import type { Source } from '../source.ts';
import { companiesHouse } from './companies-house.ts';
import { contractsFinder } from './contracts-finder.ts';
import { findATender } from './find-a-tender.ts';

/** What comes in: one row per upstream source. */
export const sources: readonly Source[] = [findATender, contractsFinder, companiesHouse];

/** A source by its id or its name on the command line, or undefined. */
export function findSource(name: string): Source | undefined {
  return sources.find((source) => source.id === name || source.cliName === name);
}
