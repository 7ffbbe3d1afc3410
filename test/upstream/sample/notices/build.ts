import type { Json } from '../../data.ts';
import type { Deal } from '../deals/make.ts';
import type { Kind } from '../deals/stories.ts';
import { type CfDeal, type CfIssue, cfAwardNotice, cfPlanningNotice, cfTenderNotice } from './contracts-finder.ts';
import { cfOldNotice } from './contracts-finder-old.ts';
import { oldAwardNotice, oldPlanningNotice, oldTenderNotice } from './old-regime.ts';
import { awardNotice, contractNotice, marketNotice, transparencyNotice } from './procurement-act/award.ts';
import {
  cessationNotice,
  changeNotice,
  complianceNotice,
  contractTerminationNotice,
  modificationNotice,
  paymentNotice,
  performanceNotice,
} from './procurement-act/contract.ts';
import { engagementNotice, marketIntentionNotice, pipelineNotice, plannedNotice } from './procurement-act/planning.ts';
import { tenderNotice, terminationNotice } from './procurement-act/tender.ts';
import type { Issue } from './release-shape.ts';

type FtsKind = Exclude<Kind, `cf_${string}`>;
type CfKind = Extract<Kind, `cf_${string}`>;

const FIND_A_TENDER: Record<FtsKind, (deal: Deal, issue: Issue) => Json> = {
  UK1: pipelineNotice,
  UK2: engagementNotice,
  'UK2+': engagementNotice,
  UK3: plannedNotice,
  UK4: tenderNotice,
  'UK4+': tenderNotice,
  UK5: transparencyNotice,
  UK6: awardNotice,
  'UK6+': awardNotice,
  UK7: contractNotice,
  UK8: paymentNotice,
  UK9: performanceNotice,
  UK10: changeNotice,
  UK11: contractTerminationNotice,
  UK12: terminationNotice,
  UK13: marketIntentionNotice,
  UK14: marketNotice,
  UK15: modificationNotice,
  UK16: cessationNotice,
  UK17: complianceNotice,
  old_planning: oldPlanningNotice,
  old_tender: oldTenderNotice,
  'old_tender+': oldTenderNotice,
  old_award: oldAwardNotice,
  'old_award+': oldAwardNotice,
};

const CONTRACTS_FINDER: Record<CfKind, (deal: CfDeal, issue: CfIssue) => Json> = {
  cf_planning: cfPlanningNotice,
  cf_tender: cfTenderNotice,
  'cf_tender+': cfTenderNotice,
  cf_award: cfAwardNotice,
  'cf_award+': cfAwardNotice,
  cf_2017: cfOldNotice,
};

/** Builds a Find a Tender notice. */
export function buildNotice(kind: FtsKind, deal: Deal, issue: Issue): Json {
  return FIND_A_TENDER[kind](deal, issue);
}

/** Builds a Contracts Finder notice. */
export function buildCfNotice(kind: CfKind, deal: CfDeal, issue: CfIssue): Json {
  return CONTRACTS_FINDER[kind](deal, issue);
}

export function isCfKind(kind: Kind): kind is CfKind {
  return kind.startsWith('cf_');
}
