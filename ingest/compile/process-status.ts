import type { ProcessStatus, Stage } from '../../schema/details.ts';
import type { OcdsRelease } from '../../schema/ocds.ts';
import type { NoticeKind } from './notice-kind.ts';

/** An award that nothing came of. */
export function isLostAward(status: string | undefined): boolean {
  return status === 'cancelled' || status === 'unsuccessful';
}

/**
 * Status of a process from what its releases add up to. `open` means bids were asked for and nothing has ended it; whether
 * its deadline has passed is decided when somebody asks.
 */
export function statusOf(merged: OcdsRelease, kinds: readonly NoticeKind[], wonAwards: number): ProcessStatus {
  const { status } = merged.tender;
  const last = kinds.at(-1);
  if (status === 'withdrawn') return 'withdrawn';
  const stopped = status === 'cancelled' || kinds.some(isProcurementTermination);
  if (stopped && merged.contracts.every(({ dateSigned }) => !dateSigned)) return 'cancelled';
  // A dynamic market admits suppliers, and so stays open, while awards are made under it.
  if (status === 'active' && merged.tender.techniques?.dynamicPurchasing) return 'open';
  if (wonAwards > 0) return allTerminated(merged) ? 'complete' : 'awarded';
  if (status === 'unsuccessful') return 'unsuccessful';
  if (merged.awards.length > 0 && merged.awards.every((award) => isLostAward(award.status))) return 'unsuccessful';
  if (status === 'complete') return 'closed';
  return statusOfStage(last?.stage ?? 'planning', kinds);
}

function isProcurementTermination({ noticeType, stage }: NoticeKind): boolean {
  return noticeType === 'UK12' || (stage === 'termination' && noticeType === 'tenderCancellation');
}

function allTerminated({ contracts }: OcdsRelease): boolean {
  return contracts.length > 0 && contracts.every(({ status }) => status === 'terminated' || status === 'cancelled');
}

function statusOfStage(last: Stage, kinds: readonly NoticeKind[]): ProcessStatus {
  if (kinds.some(({ stage }) => stage === 'tender')) return 'open';
  if (last === 'planning') return 'planned';
  return last === 'market' ? 'open' : 'awarded';
}
