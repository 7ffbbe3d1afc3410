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
  const isWithdrawn = status === 'withdrawn';
  const stopped = isWithdrawn || status === 'cancelled' || kinds.some(isProcurementTermination);
  // What was signed before (of other lots, say) stays won.
  if (stopped && merged.contracts.every(({ dateSigned }) => !dateSigned)) {
    const why = 'tender.status or a procurement termination says so, and nothing was signed';
    return { status: isWithdrawn ? 'withdrawn' : 'cancelled', why };
  }
  if (kinds.some(({ noticeType }) => noticeType === 'UK16'))
    return { status: 'complete', why: 'the dynamic market has ceased (UK16)' };
  // A dynamic market admits suppliers, and so stays open, while awards are made under it.
  if (status === 'active' && merged.tender.techniques?.dynamicPurchasing)
    return { status: 'open', why: 'a dynamic market whose tender.status is active' };
  if (wonAwards > 0) return { status: 'awarded', why: `awards that stand: ${wonAwards}` };
  if (status === 'unsuccessful') return { status, why: 'tender.status says so' };
  if (merged.awards.length > 0 && merged.awards.every((award) => isLostAward(award.status)))
    return { status: 'unsuccessful', why: 'every award came to nothing' };
  if (merged.awards.some((award) => award.status === 'pending') || kinds.at(-1)?.noticeType === 'UK5')
    return { status: 'planned', why: 'an award is intended and not made yet' };
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

/** A process ends with the last of its contracts. */
export function endedBy(contracts: readonly { status: string }[], decided: DecidedStatus): DecidedStatus {
  const isOver = contracts.length > 0 && contracts.every(({ status }) => status === 'terminated');
  return decided.status === 'awarded' && isOver
    ? { status: 'complete', why: 'every contract was terminated' }
    : decided;
}

function statusOfStage(last: Stage, kinds: readonly NoticeKind[]): ProcessStatus {
  if (kinds.some(({ stage }) => stage === 'tender')) return 'open';
  if (last === 'planning') return 'planned';
  return last === 'market' ? 'open' : 'awarded';
}
