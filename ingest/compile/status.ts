import type { ProcessStatus } from '../../schema/catalogue/details.ts';
import { isoInstant, londonInstant } from '../../schema/config/clocks.ts';
import type { OcdsRelease } from '../../schema/ocds/types.ts';
import type { NoticeKind } from '../fields/notice.ts';

/** An award that nothing came of. */
export function isLostAward(status: string | undefined): boolean {
  return status === 'cancelled' || status === 'unsuccessful';
}

/**
 * Status of a process from what its releases add up to. `open` means bids were asked for and nothing has ended it; whether
 * its deadline has passed is decided when somebody asks.
 */
export function statusOf(merged: OcdsRelease, allKinds: readonly NoticeKind[], wonAwards: number): DecidedStatus {
  const { status } = merged.tender;
  const kinds = allKinds.filter(({ noticeType }) => noticeType !== COMPLIANCE);
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
  if (allKinds.length > 0 && kinds.length === 0)
    return { status: 'complete', why: 'it reports payments (UK17), and buys nothing' };
  return { status: statusOfStage(kinds), why: 'the stages of its notices' };
}

/** How a buyer kept to its terms of payment, of all that it bought. */
const COMPLIANCE = 'UK17';

interface DecidedStatus {
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

function statusOfStage(kinds: readonly NoticeKind[]): ProcessStatus {
  const last = kinds.at(-1);
  if (kinds.some(({ stage }) => stage === 'tender')) return 'open';
  // UK13 says that a market is intended.
  if (!last || last.stage === 'planning' || last.noticeType === 'UK13') return 'planned';
  if (last.stage === 'market') return 'open';
  return last.noticeType === 'UK11' ? 'complete' : 'awarded';
}

/**
 * Until when bids may come in while a process is open: the deadline of the notice that asks for them, else the end of its
 * dynamic market; null where neither is known. One that asks for bids and names no day is closed.
 */
export function bidsOf(
  decided: DecidedStatus,
  tender: { deadlineAt: string | null } | undefined,
  market: { kind: string; ends: string | null } | null,
): DecidedStatus & { bidsUntil: string | null } {
  if (decided.status !== 'open') return { ...decided, bidsUntil: null };
  const ends = market?.kind === 'dynamic_market' ? market.ends : null;
  const bidsUntil = tender?.deadlineAt ?? (ends && isoInstant(londonInstant(`${ends}T23:59:59`)));
  if (bidsUntil === null && tender && market?.kind !== 'dynamic_market')
    return { status: 'closed', why: 'bids were asked for, and no deadline is published', bidsUntil };
  return { ...decided, bidsUntil };
}
