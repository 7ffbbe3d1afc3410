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
  for (const contract of contracts.toSorted(byAwardId)) {
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

function byAwardId(one: CompiledContract, other: CompiledContract): number {
  return NUMERIC.compare(one.awardId, other.awardId);
}

/** What two publications of one award have in common; null where too little is stated to tell. */
function likenessOf(contract: CompiledContract, names: ReadonlyMap<string, string>): string | null {
  const { supplierParties, value, currency, valueBasis, awarded, signed, starts, ends, title, lotIds } = contract;
  const isStated = value !== null && valueBasis !== 'estimate' && supplierParties.length > 0;
  if (!isStated || (awarded ?? signed) === null) return null;
  const suppliers = supplierParties.map((id) => names.get(id) || id).toSorted();
  return JSON.stringify([suppliers, value, currency, valueBasis, awarded, signed, starts, ends, title, lotIds]);
}

/** Folds the nth of one notice with the nth of every other: as many are kept as one notice has alike. */
function foldGroup(group: readonly CompiledContract[], process: FoldedProcess): CompiledContract[] {
  const buckets = bucketByNotice(group);
  if (buckets.length === 1) return [...group];
  if (buckets.length > ALIKE_MOST) return group.map(warnOfLikeness);
  const kept: CompiledContract[] = [];
  const most = Math.max(...buckets.map(({ members }) => members.length));
  for (let nth = 0; nth < most; nth += 1) {
    const same = buckets.flatMap(({ members }) => members[nth] ?? []).toSorted(byAwardId);
    const [first, ...again] = same;
    if (first) kept.push(again.reduce((one, other) => foldInto(one, other, process), first));
  }
  return kept;
}

interface Bucket {
  notices: Set<string>;
  members: CompiledContract[];
}

/** Contracts of which a common notice speaks, together. */
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
