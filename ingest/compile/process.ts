import type { ProcessStatus } from '../../schema/catalogue/details.ts';
import { isoInstant, londonInstant } from '../../schema/config/clocks.ts';
import { toOcds } from '../../schema/ocds/release.ts';
import type { OcdsRelease } from '../../schema/ocds/types.ts';
import { endOfLots, isLostAward } from '../../schema/reference/notice-types.ts';
import type { JsonObject } from '../../schema/text/json-values.ts';
import { makeResults } from '../../schema/text/memoise.ts';
import type { NoticeKind } from '../fields/notice.ts';
import type { MergeReport } from '../merge/ocds.ts';
import { mergeUk, ownParties, type StoredRelease } from '../merge/uk.ts';
import { findService, noticeIdOf } from '../sources/index.ts';
import { type ActiveAward, activeAwards, joinContracts } from './awards/active.ts';
import { documentsOfProcess, lotsOf, referenceOf } from './contents.ts';
import { type ContractContext, compileContract } from './contract.ts';
import { areAllLost, leavesOthers, procedureOf } from './facts/competition.ts';
import { callOffOf, compileFramework } from './framework.ts';
import { frameworkSigns, wordSigns } from './frameworks/signs.ts';
import {
  admitsMore,
  compileNotice,
  groupNotices,
  invitesBids,
  markTender,
  type NoticeGroup,
  titleOf,
} from './notice.ts';
import { type PartiesOf, partiesOfProcess } from './parties/of-process.ts';
import { distinguishIds } from './parties/same-party.ts';
import { relatedSignsOf } from './related.ts';
import type { Folded } from './repeats/fold.ts';
import { foldRepeats } from './repeats/published-again.ts';
import type { CompiledContract, CompiledFramework, CompiledProcess, CompilerRelease, LeftOut } from './types.ts';
import { estimateOf } from './values/money.ts';
import { doubtedAwards, withoutDoubted } from './values/plausible.ts';

/** A stored release and what is read of it. */
export type Prepared = CompilerRelease & { stored: StoredRelease };

/** A stored release in the form that the compiler reads. */
export function prepare(stored: StoredRelease): Prepared {
  const { releaseId, date, json } = stored;
  const ocds = READ.get(json) ?? toOcds(ownParties(stored, noticeIdOf));
  READ.set(json, ocds);
  return { releaseId, date, stored, ocds };
}

/** Cached, because a new release is read for its parties first and compiled later. */
const READ = makeResults<JsonObject, OcdsRelease>();

/** One process from its releases, which are given in the order of merging. */
export function compileProcess(id: string, ocid: string, published: readonly Prepared[]): CompiledProcess {
  const releases = withDistinctIds(published);
  const source = releases[0]?.stored.source ?? '';
  const { merged, report } = mergeAll(releases);
  const parties = partiesOfProcess(
    merged,
    releases.map(({ ocds }) => ocds),
  );
  const groups = groupNotices(releases);
  const kinds = groups.map(({ kind }) => kind);
  const { awards, leftOut } = activeAwards(merged, groups, parties);
  const { callOff, signs, procedure } = signsOf(merged, releases, kinds, buyerName(parties));
  const stated = markTender(groups.map((group) => compileNotice(source, group, merged, signs !== null)));
  const decided = statusOf(merged, groups, awards.length, signs?.kind === 'dynamic_market');
  const won = decided.status === 'cancelled' || decided.status === 'withdrawn' ? [] : awards;
  const estimate = estimateOf(merged.tender);
  const isOnlyAward = won.length === 1;
  const context = { processId: id, merged, parties, notices: stated, signs, isOnlyAward, estimate, procedure };
  const { contracts, superseded } = compileContracts(won, context);
  const doubted = doubtedAwards(contracts);
  const notices = stated.map((notice) => withoutDoubted(notice, doubted, contracts));
  const title = titleOf(merged) || notices.at(-1)?.title || 'Untitled';
  const lasting = won.filter(({ awardId }) => !superseded.has(awardId));
  const framework = signs && compileFramework(signs, merged, notices, lasting, contracts, decided.status);
  const tender = notices.find(({ isTender }) => isTender);
  const { status, why, bidsUntil } = bidsOf(endedBy(contracts, decided), tender, framework);
  const isCallOff = callOff !== null && framework === null;
  return {
    id,
    ocid,
    source,
    title,
    stage: kinds.at(-1)?.stage ?? 'planning',
    status,
    bidsUntil,
    buyerParty: parties.buyerParty,
    parties: parties.parties,
    documents: documentsOfProcess(notices),
    notices,
    noticeReferences: notices.map(referenceOf),
    contracts,
    framework,
    callOff,
    lots: lotsOf(merged),
    related: relatedSignsOf({ source, title, merged, notices, contracts, isCallOff }),
    why: {
      releases: releases.map(({ releaseId }) => releaseId),
      merge: report,
      status: why,
      leftOut: won.length > 0 ? leftOut : [...leftOut, ...awards.map(({ awardId }) => stopped(awardId, status))],
    },
  };
}

/** The releases of a process with contracts that name their awards, and ids that each mean one supplier. */
function withDistinctIds(releases: readonly Prepared[]): readonly Prepared[] {
  const own = releases.map(({ stored }) => ownParties(stored, noticeIdOf));
  const distinguished = distinguishIds(joinContracts(own, (json) => noticeIdOf(toOcds(json))));
  return releases.map((release, place) => {
    const json = distinguished[place];
    return json === undefined || json === own[place] ? release : prepare({ ...release.stored, json });
  });
}

/** The contracts, each counted once. The tender's estimate may be the value of a single award, even if that was published twice. */
function compileContracts(won: readonly ActiveAward[], context: ContractContext): Folded {
  const compile = (isOnlyAward: boolean) =>
    foldRepeats(
      won.map((award) => compileContract(award, { ...context, isOnlyAward })),
      context,
    );
  const folded = compile(won.length === 1);
  return folded.contracts.length === 1 && won.length > 1 ? compile(true) : folded;
}

/** Whether a process sets up a framework or was called off from one, and its procedure. */
function signsOf(merged: OcdsRelease, releases: readonly Prepared[], kinds: readonly NoticeKind[], buyer: string) {
  const parsed = releases.map(({ ocds }) => ocds);
  const words = wordSigns(merged, parsed, buyer);
  const methods = parsed.map(({ tender }) => tender.procurementMethodDetails);
  const callOff = callOffOf(merged, methods, words.buysUnder);
  const signs = frameworkSigns(merged, kinds, words, callOff);
  const stated = procedureOf(merged.tender);
  const isCallOff = callOff !== null && signs === null && (stated === null || stated === 'other');
  return { callOff, signs, procedure: isCallOff ? ('call_off' as const) : stated };
}

function buyerName({ buyerParty, parties }: PartiesOf): string {
  const buyer = parties.find(({ role, partyId }) => role === 'buyer' && partyId === buyerParty);
  return buyer?.sighting.name ?? '';
}

function stopped(awardId: string, status: ProcessStatus): LeftOut {
  return { awardId, why: `the process was ${status}` };
}

/** The merged process. Most processes have one release, which needs no merge. */
function mergeAll(releases: readonly Prepared[]): { merged: OcdsRelease; report: MergeReport } {
  const [first] = releases;
  if (first && releases.length === 1) return { merged: first.ocds, report: { nullsKept: [] } };
  const { compiled, report } = mergeUk(
    releases.map(({ stored }) => stored),
    { nullDeletes: findService(releases[0]?.stored.source ?? '')?.notices.nullDeletes ?? true, numberOf: noticeIdOf },
  );
  return { merged: toOcds(compiled), report };
}

/**
 * Status of a process from all of its releases. `open` means that bids were invited and nothing has ended the process.
 * Whether its deadline has passed is decided when it is served.
 */
function statusOf(merged: OcdsRelease, groups: readonly NoticeGroup[], won: number, isMarket: boolean): DecidedStatus {
  const { status } = merged.tender;
  const buying = groups.filter(({ kind }) => kind.noticeType !== COMPLIANCE);
  const kinds = buying.map(({ kind }) => kind);
  // Its members were admitted, whatever status of the tender ends it.
  if (kinds.some(({ noticeType }) => noticeType === 'UK16'))
    return { status: 'complete', why: 'the dynamic market has ceased (UK16)' };
  const isOver = status === 'withdrawn' || status === 'cancelled';
  const lastStop = kinds.findLastIndex(isProcurementTermination);
  const stop = buying[lastStop];
  // A termination may concern some lots or awards only, or a competition that is followed by a direct award.
  const isFollowed = kinds.slice(lastStop + 1).some(({ stage }) => PURCHASE.has(stage));
  const goesOn = stop !== undefined && (isFollowed || (!isOver && leavesOthers(stop, merged, won)));
  const stopped = !goesOn && (isOver || stop !== undefined);
  // Contracts that were signed earlier, for instance for other lots, still count, unless they were cancelled too.
  if (stopped && merged.contracts.every((one) => !one.dateSigned || isLostAward(one.status))) {
    const why = 'tender.status or a procurement termination says so, and nothing was signed';
    return { status: status === 'withdrawn' ? status : 'cancelled', why };
  }
  // A need that was awarded in part, or to nobody, may be tendered again.
  if (buying.slice(-1).some(invitesBids)) return { status: 'open', why: 'its last notice invites bids' };
  if (isMarket && !stopped && admitsMore(merged.tender, buying))
    return { status: 'open', why: 'a dynamic market that has not ended' };
  if (won > 0) return { status: 'awarded', why: `awards that stand: ${won}` };
  if (status === 'unsuccessful') return { status, why: 'tender.status says so' };
  const ended = endOfLots(merged.tender);
  if (ended) return { status: ended, why: 'every lot came to nothing' };
  if (areAllLost(merged, kinds)) return { status: 'unsuccessful', why: 'every award came to nothing' };
  if (merged.awards.some((award) => award.status === 'pending') || kinds.at(-1)?.noticeType === 'UK5')
    return { status: 'planned', why: 'an award is intended and not made yet' };
  if (status === 'complete') return { status: 'closed', why: 'tender.status is complete, and no award is known' };
  if (groups.length > 0 && kinds.length === 0)
    return { status: 'complete', why: 'it reports payments (UK17), and buys nothing' };
  return { status: statusOfStage(kinds), why: 'the stages of its notices' };
}

/** Stages of notices that a terminated procurement does not publish. */
const PURCHASE: ReadonlySet<string> = new Set(['tender', 'award', 'contract']);

/** The notice about a buyer's compliance with its payment terms, over all of its purchases. */
const COMPLIANCE = 'UK17';

type DecidedStatus = { status: ProcessStatus; why: string };

function isProcurementTermination({ noticeType, stage }: NoticeKind): boolean {
  return noticeType === 'UK12' || (stage === 'termination' && noticeType === 'tenderCancellation');
}

/** A process ends with the last of its contracts. */
function endedBy(contracts: readonly CompiledContract[], decided: DecidedStatus): DecidedStatus {
  const isOver = contracts.length > 0 && contracts.every(({ status }) => status === 'terminated' || status === 'ended');
  return decided.status === 'awarded' && isOver
    ? { status: 'complete', why: 'every contract was terminated or completed' }
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
 * The last instant for bids while a process is open: the deadline of its tender notice, otherwise the end of its dynamic
 * market. Null if neither is known. A tender notice without a deadline counts as closed.
 */
function bidsOf(
  decided: DecidedStatus,
  tender: { deadlineAt: string | null } | undefined,
  market: Pick<CompiledFramework, 'kind' | 'ends'> | null,
): DecidedStatus & { bidsUntil: string | null } {
  if (decided.status !== 'open') return { bidsUntil: null, ...decided };
  const ends = market?.kind === 'dynamic_market' ? market.ends : null;
  const bidsUntil = tender?.deadlineAt ?? (ends && isoInstant(londonInstant(`${ends}T23:59:59`)));
  if (bidsUntil === null && tender && market?.kind !== 'dynamic_market')
    return { status: 'closed', why: 'bids were asked for, and no deadline is published', bidsUntil };
  return { bidsUntil, ...decided };
}
