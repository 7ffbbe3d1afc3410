import type { ContractDetail } from '../../schema/details.ts';
import { makeContractId } from '../../schema/ids.ts';
import type { OcdsAward, OcdsContract, OcdsItem, OcdsPeriod, OcdsRelease } from '../../schema/ocds.ts';
import { readCodes } from './cpv.ts';
import { parseDay } from './dates.ts';
import { classifyValue, valueAward } from './money.ts';
import { titleOf } from './notices.ts';
import type { PartiesOf } from './parties.ts';
import { isLostAward } from './process-status.ts';
import { regionsOf } from './regions.ts';
import { cleanLine, cleanText } from './text.ts';
import type { CompiledContract, CompiledNotice, LeftOut } from './types.ts';

/** One award with the contracts that were signed under it. */
interface Bundle {
  awardId: string;
  award: OcdsAward | undefined;
  contracts: OcdsContract[];
}

export interface ContractContext {
  processId: string;
  merged: OcdsRelease;
  parties: PartiesOf;
  notices: readonly CompiledNotice[];
  setsUpFramework: boolean;
}

/**
 * Awards of a process, each once, with the contracts joined to it by `awardID`. A contract whose award nobody published
 * stands for it. Awards that came to nothing, and deltas that only name an award (`{id, amendments}`), are none.
 */
export function bundleAwards(merged: OcdsRelease): { bundles: Bundle[]; leftOut: LeftOut[] } {
  const bundles = new Map<string, Bundle>();
  const leftOut: LeftOut[] = [];
  for (const [index, award] of merged.awards.entries()) {
    const awardId = award.id ?? `position-${index + 1}`;
    if (isLostAward(award.status)) leftOut.push({ awardId, why: `award status ${award.status}` });
    else if (isSubstantialAward(award)) bundles.set(awardId, { awardId, award, contracts: [] });
    else leftOut.push({ awardId, why: 'a delta: it names an award and says nothing of it' });
  }
  const lost = new Set(merged.awards.filter(({ status }) => isLostAward(status)).map(({ id }) => id));
  const cancelled = new Set<string>();
  for (const contract of merged.contracts) {
    const awardId = contract.awardID ?? contract.id;
    if (!awardId || lost.has(awardId)) continue;
    if (contract.status === 'cancelled') {
      cancelled.add(awardId);
      continue;
    }
    const bundle = bundles.get(awardId);
    if (bundle) bundle.contracts.push(contract);
    else if (isSubstantialContract(contract))
      bundles.set(awardId, { awardId, award: undefined, contracts: [contract] });
  }
  // A contract is cancelled before it is signed (OCDS contractStatus): where no other was made, nothing was won.
  for (const awardId of cancelled) {
    if (bundles.get(awardId)?.contracts.length) continue;
    bundles.delete(awardId);
    leftOut.push({ awardId, why: 'its contract was cancelled before it was signed' });
  }
  return { bundles: [...bundles.values()], leftOut };
}

function isSubstantialAward(award: OcdsAward): boolean {
  const { suppliers, value, date, items, title, status, contractPeriod } = award;
  return suppliers.length > 0 || items.length > 0 || [value, date, title, status, contractPeriod].some(Boolean);
}

function isSubstantialContract(contract: OcdsContract): boolean {
  return [contract.value, contract.period, contract.dateSigned, contract.title, contract.status].some(Boolean);
}

/** One contract: the award, what was signed, and the notices that spoke of it. */
export function compileContract(bundle: Bundle, bundles: number, context: ContractContext): CompiledContract {
  const { awardId, award, contracts } = bundle;
  const { merged, parties, notices, processId } = context;
  const spoken = notices.filter((notice) => notice.awardIds.includes(awardId));
  const last = spoken.at(-1) ?? notices.at(-1);
  const suppliers = award ? parties.suppliersOf(award) : [];
  const valuation = valueAward(award, contracts, merged.tender, bundles === 1);
  const period = periodOf(bundle, merged);
  const starts = parseDay(period?.startDate);
  const ends = parseDay(period?.endDate);
  const awarded = parseDay(award?.date);
  const signed = contracts.map(({ dateSigned }) => parseDay(dateSigned)).findLast((day) => day !== null) ?? null;
  const warnings = [...valuation.warnings, ...warningsOf(suppliers, starts, ends, bundle, spoken)];
  return {
    id: makeContractId(processId, awardId),
    awardId,
    noticeId: last?.noticeId ?? '',
    title: contractTitle(bundle, merged),
    buyerParty: parties.buyerParty,
    supplierParties: suppliers,
    value: valuation.money?.value ?? null,
    currency: valuation.money?.currency ?? null,
    valueBasis: valuation.basis,
    valueCandidates: valuation.candidates,
    valueClass: classifyValue(valuation, context.setsUpFramework, award ? parties.countSuppliers(award) : 0),
    awarded,
    signed,
    starts,
    ends,
    status: statusOf(bundle, spoken),
    sortDate: awarded ?? signed ?? last?.published ?? '1970-01-01',
    url: last?.url ?? null,
    lotIds: award?.relatedLots ?? [],
    signedIds: contracts.flatMap(({ id }) => id ?? []),
    detail: detailOf(bundle, context, parseDay(period?.maxExtentDate), warnings, spoken),
  };
}

function contractTitle({ award, contracts }: Bundle, merged: OcdsRelease): string {
  const own = cleanLine(contracts.findLast(({ title }) => title)?.title) || cleanLine(award?.title);
  return own || titleOf(merged) || 'Untitled contract';
}

function periodOf({ award, contracts }: Bundle, merged: OcdsRelease): OcdsPeriod | undefined {
  const lots = merged.tender.lots.filter(({ id }) => id !== undefined && award?.relatedLots.includes(id));
  return [
    contracts.findLast(({ period }) => period)?.period,
    award?.contractPeriod,
    lots.find(({ contractPeriod }) => contractPeriod?.endDate)?.contractPeriod,
    merged.tender.contractPeriod,
  ].find((period) => period?.startDate ?? period?.endDate);
}

function statusOf({ award, contracts }: Bundle, spoken: readonly CompiledNotice[]): string {
  const statuses = contracts.map(({ status }) => status);
  // A termination notice ends the contract it speaks of, also where it leaves the status out.
  if (contracts.length === 1 && spoken.some(isTermination)) return 'terminated';
  if (statuses.length > 0 && statuses.every((status) => status === 'terminated')) return 'terminated';
  if (statuses.includes('active')) return 'active';
  return award?.status === 'pending' || award?.status === 'planned' ? 'pending' : 'active';
}

function isTermination({ noticeType }: CompiledNotice): boolean {
  return noticeType === 'UK11' || noticeType === 'contractTermination';
}

function warningsOf(
  suppliers: string[],
  starts: string | null,
  ends: string | null,
  { award }: Bundle,
  spoken: readonly CompiledNotice[],
): string[] {
  const warnings: string[] = [];
  if (suppliers.length === 0) warnings.push('no supplier was named');
  if (starts && ends && ends < starts) warnings.push('the contract is said to end before it starts');
  if (!award) warnings.push('known from its contract only: the award was not seen');
  if (spoken.length > 0 && spoken.every(({ noticeType }) => noticeType === 'UK5'))
    warnings.push('announced by a transparency notice only: the award may still be to come');
  return warnings;
}

function detailOf(
  { award, contracts }: Bundle,
  { merged }: ContractContext,
  extendsTo: string | null,
  warnings: string[],
  spoken: readonly CompiledNotice[],
): Omit<ContractDetail, 'framework_link'> {
  const items = ownItems(award, contracts, merged);
  const main = merged.tender.classification ? [merged.tender.classification] : [];
  const cpvs = readCodes([...items.flatMap((item) => item.classifications), ...main]).codes;
  const description = cleanText(contracts.findLast((one) => one.description)?.description ?? award?.description);
  const procedure = cleanLine(merged.tender.procurementMethodDetails);
  const changes = changesOf(award, contracts, spoken);
  return {
    ...(description && !/^see description of related tender\.?$/i.test(description) ? { description } : {}),
    lots: lotsOf(award, merged),
    warnings,
    ...(extendsTo ? { extends_to: extendsTo } : {}),
    ...(procedure ? { procedure } : {}),
    regions: regionsOf(items.flatMap((item) => item.addresses)),
    cpvs,
    ...(changes.length > 0 ? { changes } : {}),
    notice_ids: spoken.map(({ noticeId }) => noticeId),
  };
}

/** Items of the award; where it has none, the tender's for its lots, or all of the tender's. */
function ownItems(award: OcdsAward | undefined, contracts: OcdsContract[], merged: OcdsRelease): OcdsItem[] {
  const own = [...(award?.items ?? []), ...contracts.flatMap((contract) => contract.items)];
  if (own.length > 0) return own;
  const ofLots = merged.tender.items.filter(({ relatedLot }) => relatedLot && award?.relatedLots.includes(relatedLot));
  return ofLots.length > 0 ? ofLots : merged.tender.items;
}

function lotsOf(award: OcdsAward | undefined, merged: OcdsRelease): { lot_id: string; title?: string }[] {
  return (award?.relatedLots ?? []).map((lotId) => {
    const title = cleanLine(merged.tender.lots.find(({ id }) => id === lotId)?.title);
    return { lot_id: lotId, ...(title ? { title } : {}) };
  });
}

function changesOf(award: OcdsAward | undefined, contracts: OcdsContract[], spoken: readonly CompiledNotice[]) {
  const amendments = [...(award?.amendments ?? []), ...contracts.flatMap((contract) => contract.amendments)];
  return amendments.flatMap(({ id, date, description }) => {
    const notice = spoken.find(({ noticeId }) => noticeId === id);
    if (!id && !date) return [];
    const text = cleanText(description);
    const day = parseDay(date) ?? notice?.published ?? '';
    return [{ notice_id: id ?? notice?.noticeId ?? '', date: day, ...(text ? { description: text } : {}) }];
  });
}
