import { groupBy } from '../../party/claims.ts';
import type { CompiledContract } from '../types.ts';
import { doubtSlip } from '../values/plausible.ts';
import { type Folded, type FoldedProcess, foldPublications } from './fold.ts';
import {
  areAlike,
  haveOnePeriod,
  LEVELS,
  type Level,
  levelOf,
  moneyOf,
  type Publication,
  readPublications,
  titlesOf,
} from './publications.ts';

/** Publications of one award, the oldest first. */
type Chain = Publication[];

/**
 * Counts an award once that a later notice of its process corrects: published within 30 days with the same date, title,
 * lots and period (of one value: with one end of it) and nearly the same suppliers. What was published last counts. Where several awards are alike, so that
 * it is open which one is meant, none is folded and each says so. Values a power of ten apart are not believed.
 */
export function foldCorrections(contracts: readonly CompiledContract[], process: FoldedProcess): Folded {
  const superseded = new Set<string>();
  const folded = new Map<string, CompiledContract>();
  if (!mayCorrect(contracts, process)) return { contracts: [...contracts], superseded };
  const titled = groupBy(readPublications(contracts, process), ({ titles }) => titles);
  for (const [, alike] of titled) {
    const all = indexBySupplier(alike);
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

/** Whether two notices speak of awards of one title and one date: in most processes none do. */
function mayCorrect(contracts: readonly CompiledContract[], process: FoldedProcess): boolean {
  const seen = new Map<string, string | undefined>();
  return contracts.some((contract) => {
    const titles = titlesOf(contract, process);
    const noticeId = contract.detail.notice_ids?.[0];
    return [contract.awarded && `awarded ${contract.awarded}`, contract.signed && `signed ${contract.signed}`].some(
      (date) => {
        if (!date) return false;
        const key = `${date}\n${titles}`;
        if (!seen.has(key)) seen.set(key, noticeId);
        return seen.get(key) !== noticeId;
      },
    );
  });
}

/** The publications that have a supplier in common with one, itself among them. */
type Index = (one: Publication) => Iterable<Publication>;

function indexBySupplier(all: readonly Publication[]): Index {
  const bySupplier = groupBy(
    all.flatMap((one) => [...one.suppliers].map((supplier) => ({ supplier, one }))),
    ({ supplier }) => supplier,
  );
  return ({ suppliers }) =>
    new Set([...suppliers].flatMap((supplier) => (bySupplier.get(supplier) ?? []).map(({ one }) => one)));
}

/** Adds the awards of one notice to the chains that they correct, where that is plain; answers with the others. */
function joinNotice(own: readonly Publication[], chains: readonly Chain[], all: Index): Chain[] {
  const chainOf = new Map(chains.flatMap((chain) => chain.slice(-1).map((last) => [last, chain] as const)));
  const open = new Set(own);
  const taken = new Set<Chain>();
  for (const level of LEVELS) {
    const pairs = [...open].flatMap((later) =>
      [...all(later)].flatMap((last) => {
        const chain = chainOf.get(last);
        const fits =
          chain && !taken.has(chain) && levelOf(last, later) === level && isPlain(level, [...chain, later], all);
        return fits ? [{ chain, later }] : [];
      }),
    );
    for (const { chain, later } of pairs) {
      if (pairs.some((pair) => (pair.chain === chain) !== (pair.later === later))) continue;
      chain.push(later);
      taken.add(chain);
      open.delete(later);
    }
  }
  return [...open].map((one) => [one]);
}

/** Where the values do not tell, no other award may be alike. */
function isPlain(level: Level, members: readonly Publication[], all: Index): boolean {
  return level === 'equal' || level === 'slip' || !leavesOpen(members, all);
}

/** Whether further awards are as much alike as these are. */
function leavesOpen(members: readonly Publication[], all: Index): boolean {
  return members.some((member) => [...all(member)].some((one) => !members.includes(one) && areAlike(member, one)));
}

const UNSURE = 'one of several awards of its process alike in supplier, date and title: one may correct another';
export const PUBLISHED_AGAIN = 'published more than once with equal supplier, value and dates: counted once';
const CORRECTED = 'corrected by a later notice, which counts: before, ';

function foldChain(first: Publication, chain: Chain, all: Index, process: FoldedProcess): CompiledContract {
  const unsure = leavesOpen(chain, all) ? [UNSURE] : [];
  if (chain.length === 1) return addWarnings(first.contract, unsure);
  const before = tellBefore(chain);
  const slip = doubtSlip(chain.flatMap(({ contract }) => moneyOf(contract) ?? []));
  const warnings = [before === '' ? PUBLISHED_AGAIN : CORRECTED + before, ...(slip ? [slip] : []), ...unsure];
  const later = chain.slice(1).map(({ contract }) => contract);
  const folded = foldPublications([first.contract, ...later], warnings, process);
  return slip === null ? folded : { ...folded, valueClass: 'absurd' };
}

/** What the last of several publications says otherwise than those before. */
function tellBefore(chain: Chain): string {
  const last = chain.at(-1);
  const now = last && moneyOf(last.contract);
  const told = chain.slice(0, -1).flatMap(({ contract, suppliers }) => {
    const money = moneyOf(contract);
    const isOther =
      last && [...suppliers, ...last.suppliers].some((key) => !suppliers.has(key) || !last.suppliers.has(key));
    const count = suppliers.size === 1 ? 'there was one supplier' : `there were ${suppliers.size} suppliers`;
    return [
      ...(money && now && money.value !== now.value ? [`the value was ${money.value} ${money.currency}`] : []),
      ...(isOther ? [count] : []),
      ...(last && !haveOnePeriod(contract, last.contract, false) ? [`it ran ${periodOf(contract)}`] : []),
    ];
  });
  return [...new Set(told)].join('; ');
}

function periodOf({ starts, ends }: CompiledContract): string {
  return [...(starts ? [`from ${starts}`] : []), ...(ends ? [`to ${ends}`] : [])].join(' ');
}

function addWarnings(contract: CompiledContract, warnings: readonly string[]): CompiledContract {
  if (warnings.length === 0) return contract;
  return { ...contract, detail: { ...contract.detail, warnings: [...contract.detail.warnings, ...warnings] } };
}
