import { nameKey } from '../../../schema/names/spelling.ts';
import { compareText } from '../../../schema/text/ids.ts';
import { groupBy, memoiseByObject } from '../../../schema/text/memoise.ts';
import { comparedWords, DISTINCTIVE, properWordsOf } from '../../fields/text/fold.ts';
import { isOneName } from '../../party/claims.ts';
import { type Named, uniteSlips } from '../parties/same-party.ts';
import type { CompiledContract } from '../types.ts';
import { isSlip, isSoonAfter, isStated, moneyOf } from '../values/plausible.ts';
import {
  byAwardId,
  type Folded,
  type FoldedProcess,
  foldModifications,
  haveOneDate,
  haveOneLot,
  haveOnePeriod,
  isOtherYearAlone,
  suppliersOf,
  titlesOf,
  uniteTitles,
} from './fold.ts';

/** With this many suppliers in common, two lists that nearly agree are one list, whatever the values. */
const MANY_IN_COMMON = 5;
/** Of a longer list, this part may differ. */
const PART_DIFFERING = 0.1;

/** Words by which a notice says that it corrects another. */
const SAYS_CORRECTION =
  /\b(?:correct(?:ion|ions|ed|s)|amend(?:ment|ments|ed|s)|supersed(?:es|ed|ing)|re-?(?:published|issued)|published in error|this notice replaces)\b/i;

/** An award as one notice published it, or as several did under one award id. */
export interface Publication {
  contract: CompiledContract;
  noticeIds: readonly string[];
  firstAt: number;
  lastAt: number;
  titles: string;
  /** The same for all titles that differ by a typing error. */
  titleGroup: string;
  /** Whether its notice says that it corrects another. */
  saysCorrection: boolean;
  /** The words of the award's description and of its notice's; empty without a description. */
  descriptions: readonly ReadonlySet<string>[];
  /** Words written like names of places, schools or buildings. */
  proper: ReadonlySet<string>;
  suppliers: ReadonlySet<string>;
  /** The words of their names. */
  names: ReadonlySet<string>;
}

/**
 * How the values of two publications compare: equal, a power of ten apart, different, or not stated by one of the two. The
 * surest sign of a correction comes first.
 */
export const LEVELS = ['equal', 'slip', 'other', 'unstated'] as const;
export type Level = (typeof LEVELS)[number];

/** The contracts of a process as they were published, the oldest first. */
export function readPublications(contracts: readonly CompiledContract[], process: FoldedProcess): Publication[] {
  const named = contracts.map((contract) => suppliersOf(contract, process));
  const keyOf = uniteSlips(named.flat());
  const all = contracts
    .map((contract, index) => readPublication(contract, new Set((named[index] ?? []).map(keyOf)), process))
    .toSorted(byAge);
  const groupOf = uniteTitles(all.map(({ titles }) => titles));
  return all.map((one) => ({ ...one, titleGroup: groupOf(one.titles) }));
}

function readPublication(
  contract: CompiledContract,
  suppliers: ReadonlySet<string>,
  process: FoldedProcess,
): Omit<Publication, 'titleGroup'> {
  const noticeIds = new Set(contract.detail.notice_ids);
  const notices = process.notices.filter(({ noticeId }) => noticeIds.has(noticeId));
  const times = notices.map(({ publishedAt }) => Date.parse(publishedAt));
  const [first] = notices;
  const descriptions = [contract.detail.description, first?.description];
  const names = suppliersOf(contract, process).map(({ name }) => name);
  return {
    contract,
    noticeIds: notices.map(({ noticeId }) => noticeId),
    firstAt: times[0] ?? 0,
    lastAt: times.at(-1) ?? 0,
    titles: titlesOf(contract, process),
    saysCorrection: [first?.title, ...descriptions].some((text) => text && SAYS_CORRECTION.test(text)),
    descriptions: descriptions.map((text) => comparedWords(text ?? '')),
    proper: properWordsOf(descriptions.join('. ')),
    suppliers,
    names: comparedWords(names.join(' ')),
  };
}

/** Modifications in the older forms of an award that was published twice join the contract with their lots, day and suppliers. */
export function joinModified({ contracts, superseded }: Folded, process: FoldedProcess): Folded {
  const changes = process.notices.flatMap(({ noticeId, stage }) => (stage === 'change' ? noticeId : []));
  if (changes.length === 0) return { contracts, superseded };
  const isModified = ({ awardId, detail }: CompiledContract) =>
    changes.some((id) => id === detail.notice_ids?.[0] && awardId.startsWith(id));
  const namedIn = (one: CompiledContract) => {
    const former = (one.detail.former_suppliers ?? []).map((name) => ({ key: nameKey(name), isNumber: false, name }));
    return [...suppliersOf(one, process), ...former];
  };
  const groups = groupBy(contracts, ({ id, signed, lotIds }) => JSON.stringify([signed ?? id, lotIds.toSorted()]));
  const joined = [...groups.values()].flatMap((group) => {
    const originals = group.filter((one) => !isModified(one));
    const homes = originals.map((one) => ({ one, named: namedIn(one), later: new Set<CompiledContract>() }));
    const modified = group.filter(isModified).toSorted(byAwardId);
    const others = modified.filter((one) => {
      const named = namedIn(one);
      const home = homeOf(named, homes);
      home?.later.add(one);
      const more = home ? named.filter((own) => !isAmong(own, home.named)) : [];
      if (home && more.length > 0) home.named = [...home.named, ...more];
      return !home;
    });
    return [...homes.map(({ one, later }) => foldModifications(one, [...later], process)), ...others];
  });
  const byId = new Map(joined.map((one) => [one.id, one]));
  const gone = contracts.flatMap(({ id, awardIds }) => (byId.has(id) ? [] : awardIds));
  return {
    contracts: contracts.flatMap(({ id }) => byId.get(id) ?? []),
    superseded: new Set([...superseded, ...gone]),
  };
}

/** The only one with these suppliers, otherwise the only one with some of them. */
function homeOf<T extends { named: Named[] }>(named: readonly Named[], homes: readonly T[]): T | undefined {
  const sharing = homes.filter((one) => named.some((own) => isAmong(own, one.named)));
  const same = sharing.filter(
    (one) => named.every((own) => isAmong(own, one.named)) && one.named.every((own) => isAmong(own, named)),
  );
  const [home, ...more] = same.length > 0 ? same : sharing;
  return more.length === 0 ? home : undefined;
}

const tokensOf = memoiseByObject(
  (all: readonly Named[]) => new Set(all.flatMap((one) => [one.key, `${one.isNumber} ${nameKey(one.name)}`])),
);

/** Whether a supplier is one of others: by its number, or by its name where one of the two has no number. */
function isAmong({ key, isNumber, name }: Named, others: readonly Named[]): boolean {
  return tokensOf(others).has(key) || tokensOf(others).has(`${!isNumber} ${nameKey(name)}`);
}

type Aged = Pick<Publication, 'firstAt' | 'noticeIds' | 'contract'>;

function byAge(one: Aged, other: Aged): number {
  const placeOf = ({ noticeIds, contract }: Aged) => `${noticeIds[0]} ${contract.awardId}`;
  return one.firstAt - other.firstAt || compareText(placeOf(one), placeOf(other));
}

/** Whether one of two publications may correct the other, whatever the numbers of bids. */
export function areAlike(one: Publication, other: Publication): boolean {
  return (byAge(one, other) < 0 ? levelOfAlike(one, other) : levelOfAlike(other, one)) !== null;
}

/** How the values compare if a later publication may correct an earlier one; null if it cannot. */
export function levelOf(earlier: Publication, later: Publication): Level | null {
  const level = levelOfAlike(earlier, later);
  return level === 'other' && isOtherCompetition(earlier, later) ? null : level;
}

/** How the values compare, whatever the numbers of bids. */
function levelOfAlike(earlier: Publication, later: Publication): Level | null {
  const [before, after] = [earlier.contract, later.contract];
  const isSoon = isSoonAfter(earlier.lastAt, later.firstAt);
  if (!isSoon || later.noticeIds.some((id) => earlier.noticeIds.includes(id))) return null;
  const isOneDate = haveOneDate(before, after);
  if (earlier.titleGroup !== later.titleGroup || !haveOneLot(before, after)) return null;
  if (!isOneDate && !isOtherYearAlone(before, after)) return null;
  const common = countCommon(earlier, later);
  const { saysCorrection } = later;
  const apart = earlier.suppliers.size + later.suppliers.size - 2 * common;
  if (common === 0 || apart > mostDiffering(earlier, later, common, saysCorrection)) return null;
  const level = compareValues(before, after);
  if (level === null || !haveOnePeriod(before, after, level === 'equal')) return null;
  if (level !== 'equal' && !(isOneDate && earlier.titles === later.titles)) return null;
  const likeness = compareDescriptions(earlier, later);
  if (level === 'equal' || level === 'slip') return saysCorrection || likeness !== 'apart' ? level : null;
  const isOneList = apart === 0 || common >= MANY_IN_COMMON;
  return isOneList && (saysCorrection || likeness === 'same' || likeness === 'more') ? level : null;
}

/** How many suppliers may be in only one of two lists. A long list may lose or gain a few and still be the same list. */
function mostDiffering(earlier: Publication, later: Publication, common: number, saysCorrection: boolean): number {
  const [shorter, longer] = [earlier.suppliers.size, later.suppliers.size].toSorted((a, b) => a - b);
  const isPart = common === shorter;
  const few = common >= MANY_IN_COMMON && (isPart || saysCorrection) ? 2 : 1;
  return Math.max(few, (longer ?? 0) * PART_DIFFERING);
}

/** Whether another price is another competition's, by its number of bids. Mini-competitions end on one day, under one title. */
function isOtherCompetition(earlier: Publication, later: Publication): boolean {
  const mayCorrectBids = later.saysCorrection || countCommon(earlier, later) >= MANY_IN_COMMON;
  const [bids, others] = [earlier.contract.bidsReceived, later.contract.bidsReceived];
  return !mayCorrectBids && bids !== null && others !== null && bids !== others;
}

function countCommon(one: Publication, other: Publication): number {
  return [...other.suppliers].filter((key) => one.suppliers.has(key)).length;
}

function compareValues(before: CompiledContract, after: CompiledContract): Level | null {
  const isEqual = before.value === after.value && before.currency === after.currency;
  if (isEqual && isStated(before) && isStated(after)) return 'equal';
  const [one, other] = [moneyOf(before), moneyOf(after)];
  if (!one || !other) return 'unstated';
  if (one.currency !== other.currency) return null;
  return isSlip(one, other) ? 'slip' : 'other';
}

/**
 * How the descriptions of two publications compare, without names of suppliers. They are the `same`; one has `more` words;
 * both have words of their own (`edited`); or they name different lots, places or times (`apart`).
 */
type Likeness = 'same' | 'more' | 'edited' | 'apart';
const WORST_FIRST = ['apart', 'edited', 'more'] as const;

/** Compares descriptions word by word: the award's with the award's, the notice's with the notice's. */
function compareDescriptions(one: Publication, other: Publication): Likeness {
  const isName = (word: string) => one.names.has(word) || other.names.has(word);
  const isDistinctive = (word: string) => DISTINCTIVE.test(word) || one.proper.has(word) || other.proper.has(word);
  const each = one.descriptions.map((words, place) =>
    compareWords(words, other.descriptions[place] ?? new Set(), isName, isDistinctive),
  );
  return WORST_FIRST.find((likeness) => each.includes(likeness)) ?? 'same';
}

function compareWords(
  words: ReadonlySet<string>,
  others: ReadonlySet<string>,
  isName: (word: string) => boolean,
  isDistinctive: (word: string) => boolean,
): Likeness {
  const own = [...words].filter((word) => !others.has(word) && !isName(word));
  const ownOfOther = [...others].filter((word) => !words.has(word) && !isName(word));
  if (own.length === 0 && ownOfOther.length === 0) return 'same';
  if (own.length === 0 || ownOfOther.length === 0) return 'more';
  const [distinctive, distinctiveOfOther] = [own.filter(isDistinctive), ownOfOther.filter(isDistinctive)];
  const isSlip = distinctive.every((word) =>
    distinctiveOfOther.some((other) => word.length > 3 && isOneName(word, other)),
  );
  return distinctiveOfOther.length > 0 && !isSlip ? 'apart' : 'edited';
}
