import type { ContractStatement } from '../../../schema/catalogue/contract-details.ts';
import { makeContractId } from '../../../schema/text/ids.ts';
import { memoise } from '../../../schema/text/memoise.ts';
import { plain } from '../../fields/text/fold.ts';
import { isOneName } from '../../party/claims.ts';
import { joinKpis } from '../facts/measures.ts';
import type { PartiesOf } from '../parties/of-process.ts';
import type { Named } from '../parties/same-party.ts';
import type { CompiledContract, CompiledNotice } from '../types.ts';
import { isStated, moneyOf } from '../values/plausible.ts';

export interface FoldedProcess {
  processId: string;
  parties: PartiesOf;
  /** Oldest first. */
  notices: readonly CompiledNotice[];
}

/** The contracts of a process, each counted once. */
export interface Folded {
  contracts: CompiledContract[];
  /** Award ids replaced by a later publication of the same award. */
  superseded: ReadonlySet<string>;
}

const NUMERIC = new Intl.Collator('en', { numeric: true });

/** Compares contracts by award id, for sorting. Digits count as numbers, so 2 comes before 10. */
export function byAwardId(one: CompiledContract, other: CompiledContract): number {
  return NUMERIC.compare(one.awardId, other.awardId);
}

/** The suppliers of a contract, in the form in which publications of one award are compared. */
export function suppliersOf({ supplierParties }: CompiledContract, { parties }: FoldedProcess): Named[] {
  const wanted = new Set(supplierParties);
  return parties.parties.flatMap(({ role, partyId, sighting: { ids, nameKey, name } }) =>
    role === 'supplier' && wanted.has(partyId)
      ? [{ key: ids[0] ?? (nameKey || partyId), isNumber: ids.length > 0, name }]
      : [],
  );
}

/**
 * Combines several publications of one award, oldest first, into one contract. It has the first award id and the latest
 * details; the other ids lead to it. A value or bids that the last publication omits stay as they were.
 */
export function foldPublications(
  publications: readonly [CompiledContract, ...CompiledContract[]],
  warnings: readonly string[],
  process: FoldedProcess,
): CompiledContract {
  const latest = publications.at(-1) ?? publications[0];
  const awardIds = publications.toSorted(byAwardId).flatMap((one) => one.awardIds);
  const [awardId = latest.awardId, ...others] = awardIds;
  const noticeIds = new Set(publications.flatMap(({ detail }) => detail.notice_ids ?? []));
  const notices = process.notices.filter(({ noticeId }) => noticeIds.has(noticeId));
  const last = notices.at(-1);
  const counted = publications.findLast(({ detail }) => detail.bids) ?? latest;
  const kpis = publications.flatMap(({ detail }) => (detail.kpis ? [detail.kpis] : []));
  const reasoned = publications.findLast(({ detail }) => detail.no_kpis_reason);
  const former = formerSuppliers(publications, latest, process);
  // A notice that has the award twice says it once.
  const history = publications.flatMap((one) => one.detail.history ?? describePublication(one, process));
  return {
    ...latest,
    ...pickValue(publications.findLast(moneyOf) ?? publications.findLast(isStated) ?? latest),
    bidsReceived: counted.bidsReceived,
    bidsFromSmes: counted.bidsFromSmes,
    why: { ...latest.why, bids: counted.why.bids },
    id: makeContractId(process.processId, awardId),
    awardId,
    awardIds,
    noticeId: last?.noticeId ?? latest.noticeId,
    url: last?.url ?? latest.url,
    detail: {
      ...latest.detail,
      ...(counted.detail.bids ? { bids: counted.detail.bids } : {}),
      no_kpis_reason: kpis.length > 0 ? undefined : reasoned?.detail.no_kpis_reason,
      ...joinKpis(kpis.at(-1) ?? [], kpis, ({ results }) => results !== undefined),
      ...(former.length > 0 ? { former_suppliers: former } : {}),
      also_published_as: others.map((id) => makeContractId(process.processId, id)),
      history: [...new Map(history.map((one) => [JSON.stringify(one), one])).values()],
      notice_ids: notices.map(({ noticeId }) => noticeId),
      warnings: [...new Set([...latest.detail.warnings, ...warnings])],
    },
  };
}

/** A contract with later modifications of it that were read as contracts of their own. What these omit stays. */
export function foldModifications(
  original: CompiledContract,
  later: readonly CompiledContract[],
  process: FoldedProcess,
): CompiledContract {
  if (later.length === 0) return original;
  const folded = foldPublications([original, ...later], original.detail.warnings, process);
  const { ends, endsBasis, endsLatest } = later.findLast((one) => one.ends !== null) ?? original;
  const { awarded, signed, sortDate, starts } = original;
  const changes = [original, ...later].flatMap(({ detail }) => detail.changes ?? []);
  const detail = { ...original.detail, ...folded.detail, changes };
  return { ...folded, awarded, signed, sortDate, starts, ends, endsBasis, endsLatest, detail };
}

function pickValue({ value, currency, valueBasis, valueCandidates, valueClass }: CompiledContract) {
  return { value, currency, valueBasis, valueCandidates, valueClass };
}

function formerSuppliers(
  publications: readonly CompiledContract[],
  latest: CompiledContract,
  process: FoldedProcess,
): string[] {
  const current = new Set(suppliersOf(latest, process).map(({ key }) => key));
  const gone = publications.flatMap((one) => suppliersOf(one, process)).filter(({ key }) => !current.has(key));
  const before = publications.flatMap(({ detail }) => detail.former_suppliers ?? []);
  return [...new Set([...before, ...gone.map(({ name }) => name)])];
}

/** What the notice of an award states about it, if no other notice has the same award id. */
function describePublication(contract: CompiledContract, process: FoldedProcess): ContractStatement[] {
  const { value, currency, valueBasis, starts, ends, detail } = contract;
  const notice = process.notices.find(({ noticeId }) => noticeId === detail.notice_ids?.[0]);
  if (!notice) return [];
  const suppliers = suppliersOf(contract, process).map(({ name }) => name);
  return [
    {
      notice_id: notice.noticeId,
      notice_type: notice.noticeType,
      published: notice.published,
      ...(isStated(contract) && value !== null && currency && valueBasis
        ? { value, currency, value_basis: valueBasis }
        : {}),
      ...(starts ? { starts } : {}),
      ...(ends ? { ends } : {}),
      ...(suppliers.length > 0 ? { suppliers } : {}),
    },
  ];
}

/** Words that later notices add to a title. Titles are compared without them. */
const ADDED_WORDS =
  /\b(?:correct(?:ion|ions|ed)|amend(?:ment|ments|ed)|revis(?:ion|ed)|re-?(?:published|issued?)|updated|duplicate|(?:contract )?award(?: notice)?)\b/gi;
/** Below this many letters, two words that differ in one letter are mostly two words: `mill` and `hill`, `marsh` and `march`. */
const SLIP_LETTERS = 6;
/** Longer lists of titles are not searched for slips. */
const TITLES_MAX = 30;

/** The titles of an award and of its notice, in the form that is compared. Lots and regions may have titles of their own. */
export function titlesOf({ title, detail }: CompiledContract, { notices }: FoldedProcess): string {
  const own = notices.find(({ noticeId }) => noticeId === detail.notice_ids?.[0])?.title ?? '';
  return [title, own].map(comparedTitle).join('\n');
}

const comparedTitle = memoise((title) => plain(title.replace(ADDED_WORDS, ' ').replaceAll('&', ' and ')));

/** A function that returns one key for all titles that differ by a typing error. */
export function uniteTitles(titles: Iterable<string>): (titles: string) => string {
  const all = [...new Set(titles)].toSorted();
  const united = new Map<string, string>();
  if (all.length > TITLES_MAX) return (one) => one;
  for (const [index, one] of all.entries()) {
    const same = all.slice(0, index).find((other) => areSlips(one, other));
    if (same !== undefined) united.set(one, united.get(same) ?? same);
  }
  return (one) => united.get(one) ?? one;
}

function areSlips(one: string, other: string): boolean {
  const others = other.split('\n');
  return one.split('\n').every((title, place) => isSlip(title, others[place] ?? ''));
}

/** Whether two titles differ only in spaces, or in one word that is misspelt in one of them. */
function isSlip(one: string, other: string): boolean {
  if (one === other) return true;
  const [numbers, otherNumbers] = [one, other].map((title) => (title.match(/\d+/g) ?? []).join(' '));
  if (numbers !== otherNumbers) return false;
  if (one.replaceAll(' ', '') === other.replaceAll(' ', '')) return true;
  const [words, others] = [one.split(' '), other.split(' ')];
  const [place = -1, ...more] = words.flatMap((word, index) => (word === others[index] ? [] : index));
  const [word = '', otherWord = ''] = [words[place], others[place]];
  return (
    words.length === others.length &&
    more.length === 0 &&
    Math.min(word.length, otherWord.length) >= SLIP_LETTERS &&
    word[0] === otherWord[0] &&
    !/\d/.test(word) &&
    isOneName(word, otherWord)
  );
}

/** If one period corrects another, they have at least this part in common. */
const PART_IN_COMMON = 0.75;

/** Whether awards were made or signed on one day, as far as both state it. */
export function haveOneDate(before: CompiledContract, after: CompiledContract): boolean {
  const dates = [
    [before.awarded, after.awarded],
    [before.signed, after.signed],
  ].filter(([one, other]) => one !== null && other !== null);
  return dates.length > 0 && dates.every(([one, other]) => one === other);
}

/** Whether the award dates differ only by one year, a slip that is common in January, and the period is the same. */
export function isOtherYearAlone(before: CompiledContract, after: CompiledContract): boolean {
  const [one, other] = [before.awarded ?? '', after.awarded ?? ''];
  const years = Math.abs(Number(one.slice(0, 4)) - Number(other.slice(0, 4)));
  const isOnePeriod = before.starts !== null && before.starts === after.starts && before.ends === after.ends;
  return years === 1 && one.slice(4) === other.slice(4) && isOnePeriod;
}

/**
 * Whether the period is the same, as far as both publications state it.
 * @param mayMove whether one end may be corrected if both state the other end, or both ends by a little. That is safe for
 * publications with one price and one date: two awards like that would not overlap
 */
export function haveOnePeriod(before: CompiledContract, after: CompiledContract, mayMove: boolean): boolean {
  if (mayBeEqual(before.starts, after.starts) && mayBeEqual(before.ends, after.ends)) return true;
  const isStatedAlike = (one: string | null, other: string | null) => one !== null && one === other;
  if (!mayMove) return false;
  return isStatedAlike(before.starts, after.starts) || isStatedAlike(before.ends, after.ends) || overlap(before, after);
}

/** Whether two periods have nearly all of their days in common. */
function overlap(before: CompiledContract, after: CompiledContract): boolean {
  const [starts, otherStarts] = [daysOf(before.starts), daysOf(after.starts)];
  const [ends, otherEnds] = [daysOf(before.ends), daysOf(after.ends)];
  const common = Math.min(ends, otherEnds) - Math.max(starts, otherStarts);
  return common > (Math.max(ends, otherEnds) - Math.min(starts, otherStarts)) * PART_IN_COMMON;
}

/** A day as a number; NaN if none is stated. */
function daysOf(day: string | null): number {
  return Date.parse(day ?? '');
}

/** Whether two statements are equal, or at least one is missing. */
function mayBeEqual(one: string | null | undefined, other: string | null | undefined): boolean {
  return !one || !other || one === other;
}

/** Whether the lots are the same, as far as both publications state them. */
export function haveOneLot(before: CompiledContract, after: CompiledContract): boolean {
  const [lots, others] = [before.lotIds, after.lotIds].map((ids) => ids.toSorted().join('\n'));
  return mayBeEqual(lots, others);
}
