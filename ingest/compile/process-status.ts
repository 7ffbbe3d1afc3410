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
export function statusOf(merged: OcdsRelease, kinds: readonly NoticeKind[], wonAwards: number): DecidedStatus {
  const { status } = merged.tender;
  if (status === 'withdrawn') return { status, why: 'tender.status says so' };
  const stopped = status === 'cancelled' || kinds.some(isProcurementTermination);
  if (stopped && merged.contracts.every(({ dateSigned }) => !dateSigned))
    return { status: 'cancelled', why: 'tender.status or a procurement termination says so, and nothing was signed' };
  // A dynamic market admits suppliers, and so stays open, while awards are made under it.
  if (status === 'active' && merged.tender.techniques?.dynamicPurchasing)
    return { status: 'open', why: 'a dynamic market whose tender.status is active' };
  if (wonAwards > 0 && allTerminated(merged)) return { status: 'complete', why: 'every contract was terminated' };
  if (wonAwards > 0) return { status: 'awarded', why: `awards that stand: ${wonAwards}` };
  if (status === 'unsuccessful') return { status, why: 'tender.status says so' };
  if (merged.awards.length > 0 && merged.awards.every((award) => isLostAward(award.status)))
    return { status: 'unsuccessful', why: 'every award came to nothing' };
  if (status === 'complete') return { status: 'closed', why: 'tender.status is complete, and no award is known' };
  const byStage = statusOfStage(kinds.at(-1)?.stage ?? 'planning', kinds);
  return { status: byStage, why: 'the stages of its notices' };
}

export interface DecidedStatus {
  status: ProcessStatus;
  why: string;
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
