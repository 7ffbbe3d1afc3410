import { groupBy } from '../../party/claims.ts';
import type { CompiledContract } from '../types.ts';
import { foldCorrections, PUBLISHED_AGAIN } from './corrections.ts';
import { byAwardId, type Folded, type FoldedProcess, foldPublications, isStated, suppliersOf } from './fold.ts';
import { titlesOf } from './publications.ts';

/** More notices alike than this are taken for separate contracts of one price. */
const ALIKE_MOST = 5;

/**
 * Counts an award once that was published twice. A buyer who publishes an award notice again gets a new notice and a new
 * award number in the same process (Contracts Finder numbers them; the old forms of Find a Tender begin with the notice's
 * id): awards of different notices that are alike in suppliers, stated value, date, period, title and lots are one
 * contract under the first number, and the other numbers lead to it. Awards of one notice never are, however alike: they
 * are lots of one price.
 */
export function foldRepeats(contracts: readonly CompiledContract[], process: FoldedProcess): Folded {
  if (contracts.length < 2 || process.notices.length < 2) return { contracts: [...contracts], superseded: new Set() };
  const alike = groupBy(contracts.toSorted(byAwardId), (contract) => likenessOf(contract, process) ?? contract.id);
  const groups = [...alike.values()].map((group) => foldGroup(group, process));
  const unsure = groups.flatMap((group) => group.unsure);
  const corrected = foldCorrections(
    groups.flatMap((group) => group.contracts),
    process,
  );
  const folded = new Map([...unsure, ...corrected.contracts].map((one) => [one.id, one]));
  return {
    contracts: contracts.flatMap(({ id }) => folded.get(id) ?? []),
    superseded: new Set([...groups.flatMap((group) => [...group.superseded]), ...corrected.superseded]),
  };
}

/** What two publications of one award have in common; null where too little is stated to tell. */
function likenessOf(contract: CompiledContract, process: FoldedProcess): string | null {
  const { value, currency, valueBasis, awarded, signed, starts, ends, lotIds } = contract;
  const suppliers = suppliersOf(contract, process).map(({ key }) => key);
  if (!isStated(contract) || suppliers.length === 0 || (awarded ?? signed) === null) return null;
  const said = [value, currency, valueBasis, awarded, signed, starts, ends, lotIds];
  return JSON.stringify([suppliers.toSorted(), titlesOf(contract, process), said]);
}

/** Folds the nth of one notice with the nth of every other: as many are kept as one notice has alike. */
function foldGroup(
  group: readonly CompiledContract[],
  process: FoldedProcess,
): Folded & { unsure: readonly CompiledContract[] } {
  const buckets = bucketByNotice(group);
  if (buckets.length > ALIKE_MOST) return { contracts: [], superseded: new Set(), unsure: group.map(warnOfLikeness) };
  const most = Math.max(...buckets.map(({ members }) => members.length));
  const places = Array.from({ length: most }, (_, nth) =>
    buckets.flatMap(({ members }) => members[nth] ?? []).toSorted(byPublication(process)),
  );
  const contracts = places.flatMap((same) => {
    const [first, ...later] = same;
    return first && later.length > 0 ? [foldPublications([first, ...later], [PUBLISHED_AGAIN], process)] : same;
  });
  const earlier = places.flatMap((same) => same.slice(0, -1));
  return { contracts, superseded: new Set(earlier.flatMap(({ awardIds }) => awardIds)), unsure: [] };
}

/** Those of an older notice first. */
function byPublication({ notices }: FoldedProcess) {
  const places = new Map(notices.map(({ noticeId }, place) => [noticeId, place]));
  const placeOf = ({ detail }: CompiledContract) => places.get(detail.notice_ids?.[0] ?? '') ?? -1;
  return (one: CompiledContract, other: CompiledContract) => placeOf(one) - placeOf(other) || byAwardId(one, other);
}

interface Bucket {
  notices: Set<string>;
  members: CompiledContract[];
}

/** Contracts that share a notice, as groups. */
function bucketByNotice(group: readonly CompiledContract[]): Bucket[] {
  const buckets: Bucket[] = [];
  for (const contract of group) {
    const notices = contract.detail.notice_ids ?? [];
    const [first, ...more] = buckets.filter((bucket) => notices.some((id) => bucket.notices.has(id)));
    const bucket = first ?? { notices: new Set(), members: [] };
    if (!first) buckets.push(bucket);
    for (const other of more) {
      bucket.members.push(...other.members);
      for (const id of other.notices) bucket.notices.add(id);
      buckets.splice(buckets.indexOf(other), 1);
    }
    bucket.members.push(contract);
    for (const id of notices) bucket.notices.add(id);
  }
  return buckets;
}

function warnOfLikeness(contract: CompiledContract): CompiledContract {
  const warning = 'one of many awards of its process alike in supplier, value and dates: some may be published twice';
  return { ...contract, detail: { ...contract.detail, warnings: [...contract.detail.warnings, warning] } };
}
