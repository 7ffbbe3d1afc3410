import type { CompiledContract } from './types.ts';

/** More than this many alike are lots of one price, not repeats. */
const ALIKE_MOST = 5;

/**
 * Says so where two awards of one process are alike in supplier, value and dates and no notice speaks of both: a buyer who
 * publishes an award again gets a new award number from Contracts Finder. Likeness merges nothing; a reader may judge.
 */
export function warnOfRepeats(contracts: CompiledContract[]): CompiledContract[] {
  const alike = new Map<string, CompiledContract[]>();
  for (const contract of contracts) {
    if (contract.value === null || contract.awarded === null) continue;
    const { supplierParties, value, currency, awarded, starts, ends, lotIds } = contract;
    const key = JSON.stringify([supplierParties, value, currency, awarded, starts, ends, lotIds]);
    alike.set(key, [...(alike.get(key) ?? []), contract]);
  }
  const otherOf = new Map<CompiledContract, CompiledContract>();
  for (const group of alike.values()) {
    if (group.length > ALIKE_MOST) continue;
    for (const contract of group) {
      const other = group.find((one) => one !== contract && !shareNotice(one, contract));
      if (other) otherOf.set(contract, other);
    }
  }
  if (otherOf.size === 0) return contracts;
  return contracts.map((contract) => {
    const other = otherOf.get(contract);
    if (!other) return contract;
    const warning = `alike to ${other.id} of another notice in supplier, value and dates: it may be published twice`;
    return { ...contract, detail: { ...contract.detail, warnings: [...contract.detail.warnings, warning] } };
  });
}

function shareNotice(one: CompiledContract, other: CompiledContract): boolean {
  return (one.detail.notice_ids ?? []).some((id) => other.detail.notice_ids?.includes(id));
}
