import { makeContractId } from '../../schema/ids.ts';
import type { PartiesOf } from './parties.ts';
import type { CompiledContract, CompiledNotice } from './types.ts';

/** More notices alike than this are taken for separate contracts of one price. */
const ALIKE_MOST = 5;

/**
 * Counts an award once that was published twice. A buyer who publishes an award notice again gets a new notice and a new
 * award number in the same process (Contracts Finder numbers them; the old forms of Find a Tender begin with the notice's
 * id): awards of different notices that are alike in suppliers, stated value, date, period, title and lots are one
 * contract under the first number, and the other numbers lead to it. Awards of one notice never are, however alike: they
 * are lots of one price.
 */
export function foldRepeats(contracts: CompiledContract[], process: FoldedProcess): CompiledContract[] {
  if (contracts.length < 2) return contracts;
  const names = new Map(
    process.parties.parties.map(({ partyId, sighting }) => [partyId, sighting.ids[0] ?? sighting.nameKey]),
  );
  const alike = new Map<string, CompiledContract[]>();
  for (const contract of contracts.toSorted((a, b) => NUMERIC.compare(a.awardId, b.awardId))) {
    const key = likenessOf(contract, names) ?? contract.id;
    const group = alike.get(key);
    if (group) group.push(contract);
    else alike.set(key, [contract]);
  }
  const kept = new Map([...alike.values()].flatMap((group) => foldGroup(group, process)).map((one) => [one.id, one]));
  return contracts.flatMap(({ id }) => kept.get(id) ?? []);
}

interface FoldedProcess {
  processId: string;
  parties: PartiesOf;
  /** Oldest first. */
  notices: readonly CompiledNotice[];
}

const NUMERIC = new Intl.Collator('en', { numeric: true });

/** What two publications of one award have in common; null where too little is stated to tell. */
function likenessOf(contract: CompiledContract, names: ReadonlyMap<string, string>): string | null {
  const { supplierParties, value, currency, valueBasis, awarded, signed, starts, ends, title, lotIds } = contract;
  const isStated = value !== null && valueBasis !== 'estimate' && supplierParties.length > 0;
  if (!isStated || (awarded ?? signed) === null) return null;
  const suppliers = supplierParties.map((id) => names.get(id) || id).toSorted();
  return JSON.stringify([suppliers, value, currency, valueBasis, awarded, signed, starts, ends, title, lotIds]);
}

/** Folds each contract of a group into the first kept one that shares no notice with it. */
function foldGroup(group: readonly CompiledContract[], process: FoldedProcess): CompiledContract[] {
  if (group.length === 1) return [...group];
  const notices = new Set(group.flatMap(({ detail }) => detail.notice_ids ?? []));
  if (notices.size > ALIKE_MOST) return group.map(warnOfLikeness);
  const kept: CompiledContract[] = [];
  for (const contract of group) {
    const at = kept.findIndex((other) => !shareNotice(other, contract));
    const first = kept[at];
    if (first) kept[at] = foldInto(first, contract, process);
    else kept.push(contract);
  }
  return kept;
}

function foldInto(first: CompiledContract, again: CompiledContract, process: FoldedProcess): CompiledContract {
  const awardIds = [...first.awardIds, ...again.awardIds];
  const others = awardIds.slice(1).map((awardId) => makeContractId(process.processId, awardId));
  const spoken = new Set([...(first.detail.notice_ids ?? []), ...(again.detail.notice_ids ?? [])]);
  const notices = process.notices.filter(({ noticeId }) => spoken.has(noticeId));
  const last = notices.at(-1);
  return {
    ...first,
    awardIds,
    noticeId: last?.noticeId ?? first.noticeId,
    url: last?.url ?? first.url,
    detail: {
      ...first.detail,
      also_published_as: others,
      notice_ids: notices.map(({ noticeId }) => noticeId),
      warnings: [...new Set([...first.detail.warnings, ...again.detail.warnings, PUBLISHED_AGAIN])],
    },
  };
}

const PUBLISHED_AGAIN = 'published more than once with equal supplier, value and dates: counted once';

function warnOfLikeness(contract: CompiledContract): CompiledContract {
  const warning = 'one of many awards of its process alike in supplier, value and dates: some may be published twice';
  return { ...contract, detail: { ...contract.detail, warnings: [...contract.detail.warnings, warning] } };
}

function shareNotice(one: CompiledContract, other: CompiledContract): boolean {
  return (one.detail.notice_ids ?? []).some((id) => other.detail.notice_ids?.includes(id));
}
