import { groupBy, groupByEach, memoiseByObject } from '../../../schema/text/memoise.ts';
import { distinctiveWords } from '../../fields/text/fold.ts';
import type { CompiledContract } from '../types.ts';
import { doubtSlip, isStated, moneyOf } from '../values/plausible.ts';
import {
  byAwardId,
  type Folded,
  type FoldedProcess,
  foldPublications,
  haveOnePeriod,
  suppliersOf,
  titlesOf,
} from './fold.ts';
import { areAlike, joinModified, LEVELS, levelOf, type Publication, readPublications } from './publications.ts';

/** Publications of one award, the oldest first. */
type Chain = Publication[];

/**
 * Counts an award once if a later notice of its process corrects it. Such a notice comes within 30 days. It has the same
 * date, title, lots and period, and nearly the same suppliers. With equal values, one end of the period is enough. The last
 * one counts. If it may correct any of several awards, none is combined. Values a power of ten apart are not believed.
 */
function foldCorrections(contracts: readonly CompiledContract[], process: FoldedProcess): Folded {
  const superseded = new Set<string>();
  const folded = new Map<string, CompiledContract>();
  if (!mayCorrect(contracts, process)) return { contracts: [...contracts], superseded };
  const titled = groupBy(readPublications(contracts, process), ({ titleGroup }) => titleGroup);
  for (const [, alike] of titled) {
    const all = neighboursIn(alike);
    const chains: Chain[] = [];
    for (const [, own] of groupBy(alike, ({ noticeIds }) => noticeIds[0])) chains.push(...joinNotice(own, chains, all));
    for (const chain of chains) {
      for (const { contract } of chain.slice(0, -1)) for (const id of contract.awardIds) superseded.add(id);
      const [first] = chain;
      if (first) folded.set(first.contract.id, foldChain(first, chain, all, process));
    }
  }
  return { contracts: contracts.flatMap(({ id }) => folded.get(id) ?? []), superseded };
}

/** So many letters at the beginning of two titles must be equal before these are compared for slips. */
const TITLE_BEGINS = 4;

/** Whether two notices may be about one award, by date and title or by day of the year, value and beginning of the title. */
function mayCorrect(contracts: readonly CompiledContract[], process: FoldedProcess): boolean {
  const seen = new Map<string, string | undefined>();
  return contracts.some((contract) => {
    const titles = titlesOf(contract, process);
    const noticeId = contract.detail.notice_ids?.[0];
    const begins = `${contract.value} ${titles.slice(0, TITLE_BEGINS)}`;
    const keys = [contract.awarded, contract.signed].flatMap((date, kind) =>
      date ? [`${kind} ${date} ${titles}`, `${kind} ${date.slice(4)} ${begins}`] : [],
    );
    return keys.some((key) => {
      if (!seen.has(key)) seen.set(key, noticeId);
      return seen.get(key) !== noticeId;
    });
  });
}

/**
 * Of publications of one title, those that share a supplier with a given one, itself included; and those among them that may
 * correct it, or that it may correct.
 */
function neighboursIn(all: readonly Publication[]) {
  const bySupplier = groupByEach(all, ({ suppliers }) => suppliers);
  const sharing = ({ suppliers }: Publication) => [
    ...new Set([...suppliers].flatMap((supplier) => bySupplier.get(supplier) ?? [])),
  ];
  // Cached, because every pair of a notice's awards with earlier ones asks for it.
  const alike = memoiseByObject((one: Publication) => sharing(one).filter((other) => areAlike(one, other)));
  return { sharing, alike };
}
type Neighbours = ReturnType<typeof neighboursIn>;

/** Adds the awards of one notice to the chains that they clearly correct; returns the other awards as new chains. */
function joinNotice(own: readonly Publication[], chains: readonly Chain[], all: Neighbours): Chain[] {
  const chainOf = new Map(chains.flatMap((chain) => chain.slice(-1).map((last) => [last, chain] as const)));
  const clear = own.flatMap((later) =>
    all.sharing(later).flatMap((last) => {
      const chain = chainOf.get(last);
      const level = chain ? levelOf(last, later) : null;
      if (!chain || !level) return [];
      // The values decide, or no other award is as similar.
      const isClear = level === 'equal' || level === 'slip' || !hasOthersAlike([...chain, later], all);
      return isClear ? [{ chain, later, level }] : [];
    }),
  );
  const open = new Set(own);
  const extended = new Set<Chain>();
  for (const level of LEVELS) {
    const pairs = clear.filter((one) => one.level === level && open.has(one.later) && !extended.has(one.chain));
    for (const { chain, later } of pairs) {
      if (pairs.some((pair) => (pair.chain === chain) !== (pair.later === later))) continue;
      chain.push(later);
      extended.add(chain);
      open.delete(later);
    }
  }
  return [...open].map((one) => [one]);
}

/** Whether any other award is as similar as these are to each other. */
function hasOthersAlike(members: readonly Publication[], { alike }: Neighbours): boolean {
  return members.some((member) => alike(member).some((one) => !members.includes(one)));
}

const ALIKE = 'one of many awards of its process alike in supplier, value and dates: some may be published twice';
const UNSURE = 'one of several awards of its process alike in supplier, date and title: one may correct another';
const PUBLISHED_AGAIN = 'published more than once with equal supplier, value and dates: counted once';
const CORRECTED = 'corrected by a later notice, which counts: before, ';

function foldChain(first: Publication, chain: Chain, all: Neighbours, process: FoldedProcess): CompiledContract {
  const unsure = hasOthersAlike(chain, all) ? [UNSURE] : [];
  if (chain.length === 1) return addWarnings(first.contract, unsure);
  const before = describeDifferences(chain);
  const slip = doubtSlip(chain.flatMap(({ contract }) => moneyOf(contract) ?? []));
  const warnings = [before === '' ? PUBLISHED_AGAIN : CORRECTED + before, ...(slip ? [slip] : []), ...unsure];
  const later = chain.slice(1).map(({ contract }) => contract);
  const folded = foldPublications([first.contract, ...later], warnings, process);
  return slip === null ? folded : { ...folded, valueClass: 'absurd' };
}

/** How the last of several publications differs from the earlier ones. */
function describeDifferences(chain: Chain): string {
  const last = chain.at(-1);
  const now = last && moneyOf(last.contract);
  const differences = chain.slice(0, -1).flatMap(({ contract, suppliers }) => {
    const { starts, ends } = contract;
    const money = moneyOf(contract);
    const isOther =
      last && [...suppliers, ...last.suppliers].some((key) => !suppliers.has(key) || !last.suppliers.has(key));
    const count = suppliers.size === 1 ? 'there was one supplier' : `there were ${suppliers.size} suppliers`;
    return [
      ...(money && now && money.value !== now.value ? [`the value was ${money.value} ${money.currency}`] : []),
      ...(isOther ? [count] : []),
      ...(last && !haveOnePeriod(contract, last.contract, false)
        ? [`it ran${starts ? ` from ${starts}` : ''}${ends ? ` to ${ends}` : ''}`]
        : []),
    ];
  });
  return [...new Set(differences)].join('; ');
}

function addWarnings(contract: CompiledContract, warnings: readonly string[]): CompiledContract {
  if (warnings.length === 0) return contract;
  return { ...contract, detail: { ...contract.detail, warnings: [...contract.detail.warnings, ...warnings] } };
}

/** More equal notices than this are separate contracts of one price. */
const ALIKE_MAX = 5;

/**
 * Counts an award once if it was published twice. A buyer who publishes an award notice again gets a new notice and a new
 * award id in the same process. Contracts Finder numbers awards; old forms of Find a Tender begin their ids with the
 * notice's. So awards of different notices that agree in suppliers, stated value, date, period, title and lots are one
 * contract under the first id. Awards of one notice are mostly lots of one price: only two of the very same lots are one.
 */
export function foldRepeats(contracts: readonly CompiledContract[], process: FoldedProcess): Folded {
  if (process.notices.length < 2 && !mayBeTwins(contracts)) return { contracts: [...contracts], superseded: new Set() };
  const alike = groupBy(contracts.toSorted(byAwardId), (contract) => likenessOf(contract, process) ?? contract.id);
  const groups = [...alike.values()].map((group) => foldGroup(group, process));
  const unsure = groups.flatMap((group) => group.unsure);
  const counted = groups.flatMap((group) => group.contracts);
  const corrected = foldCorrections(counted, process);
  const folded = new Map([...unsure, ...corrected.contracts].map((one) => [one.id, one]));
  const superseded = new Set([...groups.flatMap((group) => [...group.superseded]), ...corrected.superseded]);
  return joinModified({ contracts: contracts.flatMap(({ id }) => folded.get(id) ?? []), superseded }, process);
}

const hasLots = ({ lotIds }: CompiledContract) => lotIds.length > 0;
/** What is bought, where and on what terms. */
const termsOf = ({ valueCandidates, detail }: CompiledContract) => {
  const { regions, delivery_places, cpvs, bids, kpis, options } = detail;
  return JSON.stringify([valueCandidates, regions, delivery_places, cpvs, bids, kpis, options]);
};

/** Whether two awards state the same lots and value. */
function mayBeTwins(contracts: readonly CompiledContract[]): boolean {
  const stated = contracts.filter((one) => hasLots(one) && isStated(one));
  return new Set(stated.map(({ lotIds, value }) => `${value} ${lotIds}`)).size < stated.length;
}

/** What two publications of one award have in common; null if too little is stated. */
function likenessOf(contract: CompiledContract, process: FoldedProcess): string | null {
  const { value, currency, valueBasis, awarded, signed, starts, ends, lotIds, detail } = contract;
  const suppliers = suppliersOf(contract, process).map(({ key }) => key);
  if (!isStated(contract) || suppliers.length === 0 || (awarded ?? signed) === null) return null;
  const notice = process.notices.find(({ noticeId }) => noticeId === detail.notice_ids?.[0]);
  const distinctive = [detail.description, notice?.description].map((text) => distinctiveWords(text ?? ''));
  const stated = [value, currency, valueBasis, awarded, signed, starts, ends, lotIds, distinctive];
  return JSON.stringify([suppliers.toSorted(), titlesOf(contract, process), stated]);
}

/** Combines the nth award of one notice with the nth of every other, so that as many remain as one notice has; twins count as one. */
function foldGroup(
  group: readonly CompiledContract[],
  process: FoldedProcess,
): Folded & { unsure: readonly CompiledContract[] } {
  const buckets = bucketByNotice(group);
  if (buckets.length > ALIKE_MAX) {
    return { contracts: [], superseded: new Set(), unsure: group.map((one) => addWarnings(one, [ALIKE])) };
  }
  // A notice may have the award of a lot twice by mistake (FTS 076600-2026 says so itself). More of them are contracts of one price,
  // and so are two call-offs of a lot for other things, at other places or on other terms.
  const isTwice = (members: readonly CompiledContract[]) =>
    members.length === 2 && members.every(hasLots) && new Set(members.map(termsOf)).size === 1;
  const own = buckets.map(({ members }) => (isTwice(members) ? [members] : members.map((one) => [one])));
  const most = Math.max(...own.map(({ length }) => length));
  const places = Array.from({ length: most }, (_, nth) =>
    own.flatMap((awards) => awards[nth] ?? []).toSorted(byPublication(process)),
  );
  const contracts = places.flatMap((same) => {
    const [first, ...later] = same;
    return first && later.length > 0 ? [foldPublications([first, ...later], [PUBLISHED_AGAIN], process)] : same;
  });
  const earlier = places.flatMap((same) => same.slice(0, -1));
  return { contracts, superseded: new Set(earlier.flatMap(({ awardIds }) => awardIds)), unsure: [] };
}

/** The order of the notices, oldest first. */
function byPublication({ notices }: FoldedProcess) {
  const places = new Map(notices.map(({ noticeId }, place) => [noticeId, place]));
  const placeOf = ({ detail }: CompiledContract) => places.get(detail.notice_ids?.[0] ?? '') ?? -1;
  return (one: CompiledContract, other: CompiledContract) => placeOf(one) - placeOf(other) || byAwardId(one, other);
}

/** Groups contracts by the notices that they share. */
function bucketByNotice(group: readonly CompiledContract[]) {
  const buckets: { notices: Set<string>; members: CompiledContract[] }[] = [];
  for (const contract of group) {
    const notices = contract.detail.notice_ids ?? [];
    const [first, ...more] = buckets.filter((bucket) => notices.some((id) => bucket.notices.has(id)));
    const bucket = first ?? { notices: new Set<string>(), members: [] };
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
