import type { ContractDetail } from '../../schema/catalogue/contract-details.ts';
import type { ContractStatus, Procedure } from '../../schema/catalogue/enums.ts';
import { relatedItems, relatedLots } from '../../schema/ocds/terms.ts';
import type { OcdsAward, OcdsContract, OcdsItem, OcdsRelease } from '../../schema/ocds/types.ts';
import { groundsOf } from '../../schema/reference/notice-types.ts';
import { makeContractId } from '../../schema/text/ids.ts';
import { EMPTY } from '../../schema/text/json-values.ts';
import { readCodes, regionsOf, wordPlaces } from '../fields/classifications.ts';
import { spanOfPeriods, warnOfDays, warnOfPeriods } from '../fields/dates.ts';
import type { ActiveAward, Bundle } from './awards/active.ts';
import {
  type AwardStatement,
  applyChanges,
  describeChanges,
  describeHistory,
  lastStated,
  newestValues,
} from './awards/history.ts';
import { bidsOf, justificationOf } from './facts/competition.ts';
import { finalValueOf, latestBids, performanceOf } from './facts/measures.ts';
import { lineOf, optionWordsOf, wordsOf } from './facts/options.ts';
import { ownLotsOf, type Term, termOf } from './facts/term.ts';
import type { FrameworkSigns } from './frameworks/signs.ts';
import { titleOf } from './notice.ts';
import { type PartiesOf, warnOfSuppliers } from './parties/of-process.ts';
import type { CompiledContract, CompiledNotice, Money } from './types.ts';
import { classifyValue, isPriced, readValue, type Valuation, valueAward } from './values/money.ts';
import { believedDays, doubtSlip, isSoonAfter } from './values/plausible.ts';

/** Raise it whenever facts of a notice or contract are read differently. `cli rebuild` then updates the stored rows. */
export const READING = 32;

export interface ContractContext {
  processId: string;
  merged: OcdsRelease;
  parties: PartiesOf;
  notices: readonly CompiledNotice[];
  signs: FrameworkSigns | null;
  isOnlyAward: boolean;
  /** The estimated value of the process. */
  estimate: Money | null;
  procedure: Procedure | null;
}

/** One contract from its award, the contracts signed under it, later changes and the notices about it. */
export function compileContract(active: ActiveAward, context: ContractContext): CompiledContract {
  const { awardId, award, statements, awardedTo } = active;
  const { merged, parties, notices, processId } = context;
  const { contracts, valueFrom, periodChanged } = applyChanges(active.contracts, statements);
  const bundle = { ...active, contracts };
  const last = notices.findLast(({ noticeId }) => noticeId === statements.at(-1)?.noticeId) ?? notices.at(-1);
  const valued = { isOnlyAward: context.isOnlyAward, valueFrom, newest: newestValues(statements) };
  const valuation = valueAward(award, contracts, merged.tender, valued);
  const { money, basis, candidates } = valuation;
  const term = termOf({ periodChanged, ...bundle }, merged);
  const facts = factsOf(term, bundle, context);
  const { awarded, signed, doubts } = believedDays(bundle, term.starts);
  const classed = classOf(valuation, context, active);
  const warnings = [...valuation.warnings, ...classed.warnings, ...doubts, ...warningsOf(bundle, term, context)];
  return {
    id: makeContractId(processId, awardId),
    awardId,
    awardIds: [awardId],
    noticeId: last?.noticeId ?? '',
    title: contractTitle(bundle, merged),
    buyerParty: parties.buyerParty,
    supplierParties: awardedTo.current,
    value: money?.value ?? null,
    currency: money?.currency ?? null,
    valueBasis: basis,
    valueCandidates: candidates,
    valueClass: classed.valueClass,
    awarded,
    signed,
    ...facts.columns,
    status: statusOf(bundle, term),
    sortDate: awarded ?? signed ?? last?.published ?? '1970-01-01',
    url: last?.url ?? null,
    lotIds: award?.relatedLots ?? [],
    signedIds: contracts.flatMap(({ id }) => id ?? []),
    detail: {
      ...EMPTY,
      ...describeContract(bundle, merged),
      warnings,
      ...facts.detail,
      ...(term.terminated ? { terminated: term.terminated } : {}),
      ...historyOf(bundle, parties),
      notice_ids: statements.map(({ noticeId }) => noticeId),
    },
  };
}

/** Term, procedure and bids, as far as the notices state them. */
function factsOf(term: Term, { award, contracts, statements }: ActiveAward, { merged, procedure }: ContractContext) {
  const { starts, ends, endsBasis, endsLatest, endsLatestBasis, endsLatestWords } = term;
  const counted = statements.findLast(({ bids }) => bids.statistics.length > 0);
  const bids = bidsOf(latestBids(statements.map((one) => one.bids)), award?.relatedLots ?? [], merged);
  const standstill = spanOfPeriods(award?.standstillPeriods ?? []).ends;
  const [justification, grounds] = [justificationOf(merged.tender), groundsOf(merged.tender.methodGrounds)];
  return {
    columns: {
      ...{ starts, ends, endsBasis, endsLatest, procedure },
      bidsReceived: bids?.received ?? null,
      bidsFromSmes: bids?.from_smes ?? null,
      why: { endsLatest: endsLatestWords, bids: bids && counted ? counted.noticeId : null },
    },
    detail: {
      ...EMPTY,
      ...(endsLatest && endsLatestBasis ? { extends_to: endsLatest, ends_latest_basis: endsLatestBasis } : {}),
      ...(bids ? { bids } : {}),
      ...(justification ? { justification } : {}),
      ...(grounds.length > 0 ? { direct_award_grounds: grounds } : {}),
      ...(standstill ? { standstill_until: standstill } : {}),
      ...performanceOf(statements),
      ...finalValueOf(contracts),
    },
  };
}

/** The value of an award that sets up a framework is a ceiling, and one to several suppliers is shared. */
function classOf(valuation: Valuation, { signs, estimate }: ContractContext, { awardedTo, statements }: ActiveAward) {
  const slip = doubtRepublished(statements);
  if (slip) return { valueClass: 'absurd' as const, warnings: [slip] };
  return classifyValue(valuation, {
    isCeiling: signs !== null,
    suppliers: awardedTo.count,
    isShared: awardedTo.areSeveral,
    estimate,
  });
}

/** Why the value of an award is not believed if it was soon published again with a value a power of ten apart; otherwise null. */
function doubtRepublished(statements: readonly AwardStatement[]): string | null {
  const stated = statements.flatMap(({ stage, published, award, contracts }) => {
    if (stage === 'change') return [];
    const value = readValue([award?.value, ...contracts.map((one) => one.value)].find(isPriced));
    return value ? [{ stage, at: Date.parse(published), money: value.money }] : [];
  });
  for (const [index, later] of stated.entries()) {
    const near = stated.slice(0, index).filter(({ stage, at }) => stage === later.stage && isSoonAfter(at, later.at));
    const slip = doubtSlip([...near.map(({ money }) => money), later.money]);
    if (slip) return slip;
  }
  return null;
}

function historyOf({ award, contracts, statements, awardedTo }: ActiveAward, { parties }: PartiesOf) {
  const changes = describeChanges(award, contracts, statements);
  const nameOf = (id: string) => parties.find((one) => one.role === 'supplier' && one.partyId === id)?.sighting.name;
  const history = describeHistory(statements, nameOf);
  const former = [...new Set(awardedTo.former.flatMap((id) => nameOf(id) ?? []))];
  return {
    ...EMPTY,
    ...(changes.length > 0 ? { changes } : {}),
    ...(history.length > 0 ? { history } : {}),
    ...(former.length > 0 ? { former_suppliers: former } : {}),
  };
}

function contractTitle({ award, contracts }: Bundle, merged: OcdsRelease): string {
  const own = lineOf(contracts.findLast(({ title }) => lineOf(title))?.title) || lineOf(award?.title);
  return own || titleOf(merged) || 'Untitled contract';
}

function statusOf({ award, contracts, awardedTo, statements }: ActiveAward, term: Term): ContractStatus {
  const goesOn = term.ends !== null && term.ends >= (statements.at(-1)?.published ?? '');
  const statuses = contracts.map(({ status }) => (status === 'ended' && goesOn ? 'active' : status));
  // A termination notice ends its contract even if it omits the status. A status of `ended` counts only once the end has passed.
  if (term.terminated !== null || awardedTo.haveLeft) return 'terminated';
  if (term.isCompleted) return 'ended';
  const over = statuses.filter((status) => status === 'terminated' || status === 'ended');
  if (over.length > 0 && over.length === statuses.length) return over.includes('ended') ? 'ended' : 'terminated';
  return ['pending', 'planned'].includes(award?.status ?? '') && !statuses.includes('active') ? 'pending' : 'active';
}

function warningsOf(active: ActiveAward, { starts, ends, period }: Term, { parties }: ContractContext): string[] {
  const { award, awardedTo, contracts, statements } = active;
  const newest = lastStated(statements, (one) => one.contracts.findLast(({ period }) => period)?.period);
  const signed = lastStated(statements, (one) => one.contracts.findLast((each) => each.dateSigned)?.dateSigned);
  return [
    ...warnOfDays('award date', [award?.date, lastStated(statements, (one) => one.award?.date)]),
    ...warnOfDays('date of signing', [...contracts.map(({ dateSigned }) => dateSigned), signed]),
    ...warnOfPeriods([period, newest]),
    ...warnOfParties(active, parties),
    ...(awardedTo.haveLeft ? ['its supplier has left the dynamic market or framework'] : []),
    ...(starts && ends && ends < starts ? ['the contract is said to end before it starts'] : []),
    ...(award ? [] : ['known from its contract only: the award was not seen']),
  ];
}

/** Warnings about missing facts of the buyer and the suppliers. */
function warnOfParties(active: ActiveAward, { buyerParty, parties }: PartiesOf): string[] {
  const { award, contracts, awardedTo, statements } = active;
  const current = new Set(awardedTo.current);
  const isUnnamed = parties.some(
    ({ role, partyId, sighting }) => role === 'supplier' && current.has(partyId) && sighting.unnamedId !== undefined,
  );
  const added = statements.some(({ contracts }) =>
    contracts.some((one) => one.amendments.some((a) => a.suppliersAdded.length)),
  );
  const isSigned = contracts.some(({ suppliers }) => suppliers.length > 0);
  const isListed = current.size > 0 && !award?.suppliers.length && !added && !isSigned;
  return [
    ...(buyerParty === null ? ['no buyer was named'] : []),
    ...(current.size === 0 ? ['no supplier was named'] : []),
    ...(isUnnamed ? ['a supplier was published without a name'] : []),
    ...warnOfSuppliers(parties, awardedTo.current),
    ...(isListed ? ['the award names no supplier: those that its notice lists are taken'] : []),
  ];
}

/** What an award and its contracts state besides parties, money and dates. */
function describeContract({ award, contracts }: Bundle, merged: OcdsRelease): Omit<ContractDetail, 'warnings'> {
  const items = ownItems(award, contracts, merged);
  const ofItems = items.flatMap((item) => item.addresses);
  const places = ofItems.length > 0 ? ofItems : merged.tender.addresses;
  const description = wordsOf(contracts.findLast((one) => wordsOf(one.description))?.description ?? award?.description);
  // Contracts Finder writes `Other - ` if the procedure was not described.
  const procedure = lineOf(merged.tender.procurementMethodDetails).replace(/\s*-$/, '');
  return {
    ...EMPTY,
    ...(description && !/^see description of related tender\.?$/i.test(description) ? { description } : {}),
    ...optionWordsOf(award, contracts, ownLotsOf(award, merged.tender)),
    lots: lotsOf(award, merged),
    ...(procedure ? { procedure } : {}),
    regions: regionsOf(places),
    ...wordPlaces(places),
    cpvs: readCodes([...items.flatMap((item) => item.classifications), ...merged.tender.classifications]).codes,
  };
}

/** Items of the award; if it has none, the tender's items for its lots, otherwise all items of the tender. */
function ownItems(
  award: OcdsAward | undefined,
  contracts: readonly OcdsContract[],
  { tender }: OcdsRelease,
): OcdsItem[] {
  const own = [...(award?.items ?? []), ...contracts.flatMap((contract) => contract.items)];
  if (own.length > 0) return own;
  const ofLots = relatedItems(award, tender);
  return ofLots.length > 0 ? ofLots : tender.items;
}

function lotsOf(award: OcdsAward | undefined, merged: OcdsRelease): { lot_id: string; title?: string }[] {
  const titles = new Map(relatedLots(award, merged.tender).map(({ id, title }) => [id, title]));
  return (award?.relatedLots ?? []).map((lotId) => {
    const title = lineOf(titles.get(lotId));
    return { lot_id: lotId, ...(title ? { title } : {}) };
  });
}
