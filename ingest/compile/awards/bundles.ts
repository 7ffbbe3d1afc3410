import type { OcdsAward, OcdsContract, OcdsRelease } from '../../../schema/ocds/types.ts';
import { isLostAward } from '../status.ts';
import type { LeftOut } from '../types.ts';
import type { Said } from './history.ts';

/** One award with the contracts that were signed under it. */
export interface Bundle {
  awardId: string;
  award: OcdsAward | undefined;
  contracts: OcdsContract[];
}

/**
 * Awards of a process, each once, with the contracts joined to it by `awardID`. A contract whose award nobody published
 * stands for it. Awards that came to nothing or are not made yet, and deltas that only name an award (`{id, amendments}`),
 * are none.
 */
export function bundleAwards(
  merged: OcdsRelease,
  said: ReadonlyMap<string, readonly Said[]>,
): { bundles: Bundle[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const bundles = new Map<string, Bundle>();
  for (const [index, award] of merged.awards.entries()) {
    const awardId = award.id ?? `position-${index + 1}`;
    if (isLostAward(award.status)) leftOut.push({ awardId, why: `award status ${award.status}` });
    else if (isSubstantialAward(award)) bundles.set(awardId, { awardId, award, contracts: [] });
    else leftOut.push({ awardId, why: 'a delta: it names an award and says nothing of it' });
  }
  const cancelled = addContracts(bundles, merged);
  const drop = (awardId: string, why: string) => {
    bundles.delete(awardId);
    leftOut.push({ awardId, why });
  };
  // A contract is cancelled before it is signed (OCDS contractStatus): where no other was made, nothing was won.
  for (const awardId of cancelled) {
    if (!bundles.get(awardId)?.contracts.length) drop(awardId, 'its contract was cancelled before it was signed');
  }
  for (const bundle of [...bundles.values()]) {
    const why = notMadeYet(bundle, said.get(bundle.awardId) ?? []);
    if (why) drop(bundle.awardId, why);
  }
  return { bundles: [...bundles.values()], leftOut };
}

/** Joins contracts to their awards; answers the awards that have a cancelled one. */
function addContracts(bundles: Map<string, Bundle>, merged: OcdsRelease): Set<string> {
  const lost = new Set(merged.awards.filter(({ status }) => isLostAward(status)).map(({ id }) => id));
  const cancelled = new Set<string>();
  for (const contract of merged.contracts) {
    const awardId = contract.awardID ?? contract.id;
    if (!awardId || lost.has(awardId)) continue;
    const bundle = bundles.get(awardId);
    if (contract.status === 'cancelled') cancelled.add(awardId);
    else if (bundle) bundle.contracts.push(contract);
    else if (isSubstantialContract(contract))
      bundles.set(awardId, { awardId, award: undefined, contracts: [contract] });
  }
  return cancelled;
}

/** Notices that are published once an award is made: UK6 and every later type. */
const MADE = /^UK(?:[6-9]|1\d)$/;

/**
 * Why an award is not made yet, or null where it is: made is what is active or signed, or of which a notice spoke that is
 * only published once it is made (UK6 before the standstill ends; Contracts Finder's award notice, whatever its status).
 * A transparency notice (UK5) and a pending award of the old forms only say what is intended.
 */
function notMadeYet({ award, contracts }: Bundle, said: readonly Said[]): string | null {
  if (award?.status === 'active' || contracts.some(isSigned)) return null;
  const types = said.map(({ noticeType }) => noticeType);
  if (types.some((type) => MADE.test(type))) return null;
  if (types.length > 0 && types.every((type) => type === 'UK5'))
    return 'announced by a transparency notice (UK5) only: the award is not made yet';
  return award?.status === 'pending' ? 'award status pending, and no notice of its award: it is not made yet' : null;
}

function isSigned({ status, dateSigned }: OcdsContract): boolean {
  return status === 'active' || status === 'terminated' || dateSigned !== undefined;
}

function isSubstantialAward(award: OcdsAward): boolean {
  const { suppliers, value, date, items, title, status, contractPeriod } = award;
  return suppliers.length > 0 || items.length > 0 || [value, date, title, status, contractPeriod].some(Boolean);
}

function isSubstantialContract(contract: OcdsContract): boolean {
  return [contract.value, contract.period, contract.dateSigned, contract.title, contract.status].some(Boolean);
}
