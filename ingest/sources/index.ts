import type { NoticesSource, Source } from '../source.ts';
import { companiesHouse } from './companies-house.ts';
import { contractsFinder } from './contracts-finder.ts';
import { findATender } from './find-a-tender.ts';
import { publicContractsScotland } from './public-contracts-scotland.ts';
import { sell2wales } from './sell2wales.ts';

/** What comes in: one row per upstream source. */
export const sources: readonly Source[] = [
  findATender,
  contractsFinder,
  publicContractsScotland,
  sell2wales,
  companiesHouse,
];

/** A source by its id or its name on the command line, or undefined. */
export function findSource(name: string): Source | undefined {
  return sources.find((source) => source.id === name || source.cliName === name);
}

/** The service with this id, or undefined where no service that publishes notices has it. */
export function findService(id: string): NoticesSource | undefined {
  return listServices().find((source) => source.id === id);
}

/** The sources that publish notices. */
export function listServices(): NoticesSource[] {
  return sources.filter((source) => source.kind === 'notices');
}
