import type { Stage } from '../../schema/catalogue/details.ts';
import { makeLookup } from '../../schema/text/json-values.ts';

/** Stage of each notice type of the Procurement Act 2023 (UPSTREAM: UK extension's codelist and the notice types page). */
export const STAGE_OF_NOTICE_TYPE = makeLookup<Stage>({
  UK1: 'planning',
  UK2: 'planning',
  UK3: 'planning',
  UK4: 'tender',
  UK5: 'award',
  UK6: 'award',
  UK7: 'contract',
  UK8: 'payment',
  UK9: 'performance',
  UK10: 'change',
  UK11: 'termination',
  UK12: 'termination',
  UK13: 'market',
  UK14: 'market',
  UK15: 'market',
  UK16: 'market',
  UK17: 'payment',
});

/** Stage of each OCDS release tag (standard, codelist releaseTag). Later members win where a release has several. */
export const STAGE_OF_TAG = makeLookup<Stage>({
  compiled: 'planning',
  planning: 'planning',
  planningUpdate: 'planning',
  tender: 'tender',
  tenderAmendment: 'tender',
  tenderUpdate: 'tender',
  contract: 'contract',
  contractUpdate: 'contract',
  award: 'award',
  awardUpdate: 'award',
  implementation: 'performance',
  implementationUpdate: 'performance',
  contractAmendment: 'change',
  contractTermination: 'termination',
  awardCancellation: 'termination',
  tenderCancellation: 'termination',
});

const TAG_ORDER = Object.keys(STAGE_OF_TAG);

/** The tag that says most of a release: `award` of award+contract, a termination of anything. */
export function leadingTag(tags: readonly string[]): string | null {
  const known = tags.filter((tag) => tag in STAGE_OF_TAG && tag !== 'compiled');
  return known.toSorted((a, b) => TAG_ORDER.indexOf(a) - TAG_ORDER.indexOf(b)).at(-1) ?? null;
}
