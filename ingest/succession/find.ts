import { DAY_MS } from '../../schema/config/clocks.ts';
import { groupBy, groupByEach } from '../../schema/text/memoise.ts';
import {
  type EarlierContract,
  judgePair,
  type LaterProcurement,
  type Naming,
  SUCCESSION_MIN,
  type Succession,
} from './judge.ts';
import type { TitleWords } from './titles.ts';

/** Everything about one buyer from which successions are found. */
export interface BuyerPurchases {
  /** `texts` may name other processes; `continues` lists ocids that it states to continue or to be continued by. */
  later: readonly (LaterProcurement & { texts: readonly string[]; continues: readonly string[] })[];
  earlier: readonly EarlierContract[];
  /** Process id by each name that notices may use for it, in lower case: its ocid and the numbers of its notices. */
  names: ReadonlyMap<string, string>;
}

export interface FoundSuccession extends Succession {
  processId: string;
  contractId: string;
}

/** Similar titles share all but one or two words, so contracts that share the rarest words are compared. */
const CANDIDATE_WORDS = 2;
/** A word in the titles of more contracts than this is ignored: the buyer uses it for too many things. */
const BEARERS_MAX = 300;
/** Words before or after an identifier that mark it as the contract to be replaced. */
const CURRENT =
  /\b(?:current|currently|existing|previous|previously|incumbent|expir\w*|replac\w*|re-?tender\w*|re-?procur\w*|succe\w+|renew\w*|ends?|ending|follow\w*)\b/i;
const AROUND = 90;
const NAME = /[a-z0-9]+(?:-[a-z0-9]+)+/gi;
const SAME_START_DAYS = 20;
const PARALLEL_DAYS = 60;
/** A procurement that begins this long before the end of a contract, or later, may follow it. */
const BEFORE_END_DAYS = 120;
/** The shortest time that a contract without a published end runs. */
const UNDATED_DAYS = 365;
/** The longest time between procurements and contracts of one need. */
const NEAR_DAYS = 100;

interface Pair {
  later: LaterProcurement;
  earlier: EarlierContract;
  succession: Succession;
}

/** Finds which of a buyer's procurements may succeed which of its contracts. Pure: the same in any order of rows. Yields often, so that a caller may pause. */
export function* findSuccessions(purchases: BuyerPurchases): Generator<undefined, FoundSuccession[]> {
  const pairs: Pair[] = [];
  for (const own of listPairs(purchases)) {
    pairs.push(...own);
    yield;
  }
  const sure = pairs.filter(({ succession }) => succession.method !== 'title_cpv_dates');
  const alike = keepNext(keepLast(pairs.filter(({ succession }) => succession.method === 'title_cpv_dates')));
  return [...sure, ...alike].map(({ later, earlier, succession }) => ({
    processId: later.processId,
    contractId: earlier.contractId,
    ...succession,
  }));
}

/** After several contracts in a line, a later procurement succeeds the last. */
function keepLast(pairs: readonly Pair[]): Pair[] {
  const gapOf = ({ later, earlier }: Pair) => gap(later.expected, earlier);
  return [...groupBy(pairs, ({ later }) => later.processId).values()].flatMap((own) => {
    const least = Math.min(...own.map(gapOf));
    return own.filter((pair) => gapOf(pair) <= least + NEAR_DAYS);
  });
}

/** Of several procurements in a line, the first succeeds the contract. */
function keepNext(pairs: readonly Pair[]): Pair[] {
  return [...groupBy(pairs, ({ earlier }) => earlier.contractId).values()].flatMap((own) => {
    const first = Math.min(...own.map(({ later }) => day(later.expected)));
    return own.filter(({ later }) => day(later.expected) <= first + NEAR_DAYS);
  });
}

/** Days between the end of a contract, with or without its options to extend, and a day; 0 where the day lies between. */
function gap(start: string, { ends, endsLatest }: EarlierContract): number {
  const [least, most, at] = [day(ends), day(endsLatest ?? ends), day(start)];
  return Number.isNaN(least) ? Number.MAX_SAFE_INTEGER : Math.max(0, least - at, at - Math.max(least, most));
}

/** The pairs of one procurement after the other. */
function* listPairs({ later, earlier, names }: BuyerPurchases): Generator<Pair[]> {
  const byWord = groupByEach(earlier, ({ titles }) => new Set(titles.flatMap(({ words }) => words)));
  const byProcess = groupBy(earlier, ({ processId }) => processId);
  const byReference = groupByEach(earlier, referencesOf);
  const sharers = countSharers(later, earlier);
  const isParallel = makeParallels(later, earlier);
  const stated = statedPairs(later, names);
  for (const one of later) {
    const named = new Map([...namedIn(one.texts, names), ...(stated.get(one.processId) ?? [])]);
    const references = laterReferences(one);
    const candidates = new Set([
      ...rarest(one.title, byWord),
      ...[...named.keys()].flatMap((id) => byProcess.get(id) ?? []),
      ...references.flatMap((reference) => byReference.get(reference) ?? []),
    ]);
    yield [...candidates].flatMap((contract) => {
      const own = referencesOf(contract);
      const shared = references.flatMap((reference) => (own.has(reference) ? (sharers.get(reference) ?? 0) : []));
      const succession = judgePair(one, contract, {
        named: named.get(contract.processId) ?? null,
        sharing: shared.length > 0 ? Math.min(...shared) : 0,
        isParallel: () => isParallel(contract, one),
      });
      return succession && succession.score >= SUCCESSION_MIN ? [{ later: one, earlier: contract, succession }] : [];
    });
  }
}

/** Contracts whose titles share the rarest words of a title. */
function rarest({ words, distinctive }: TitleWords, byWord: ReadonlyMap<string, EarlierContract[]>): EarlierContract[] {
  if (distinctive === 0) return [];
  const lists = words.map((word) => byWord.get(word) ?? []).filter(({ length }) => length > 0 && length <= BEARERS_MAX);
  return lists
    .toSorted((a, b) => a.length - b.length)
    .slice(0, CANDIDATE_WORDS)
    .flat();
}

function laterReferences({ reference, title }: LaterProcurement): string[] {
  return [...new Set([...title.references, ...(reference ? [reference] : [])])];
}

function referencesOf({ reference, titles }: EarlierContract): Set<string> {
  return new Set([...titles.flatMap(({ references }) => references), ...(reference ? [reference] : [])]);
}

/** The number of the buyer's processes with each reference. */
function countSharers(later: readonly LaterProcurement[], earlier: readonly EarlierContract[]): Map<string, number> {
  const bearers = new Map<string, Set<string>>();
  const note = (references: Iterable<string>, processId: string) => {
    for (const reference of references) {
      const known = bearers.get(reference);
      if (known) known.add(processId);
      else bearers.set(reference, new Set([processId]));
    }
  };
  for (const one of later) note(laterReferences(one), one.processId);
  for (const one of earlier) note(referencesOf(one), one.processId);
  return new Map([...bearers].map(([reference, own]) => [reference, own.size]));
}

/** For each process, those that it continues or that continue it, whichever of the two states it. */
function statedPairs(later: BuyerPurchases['later'], names: BuyerPurchases['names']) {
  const pairs = new Map<string, Map<string, Naming>>();
  const note = (from: string, to: string, id: string) => {
    const known = pairs.get(from) ?? new Map<string, Naming>();
    pairs.set(from, known.set(to, { id, asCurrent: true, isStated: true }));
  };
  for (const { processId, continues } of later) {
    for (const id of continues) {
      const other = names.get(id);
      if (other === undefined || other === processId) continue;
      note(processId, other, id);
      note(other, processId, id);
    }
  }
  return pairs;
}

/** The processes that texts name, and whether as something that expires. */
function namedIn(texts: readonly string[], names: ReadonlyMap<string, string>) {
  const found = new Map<string, Naming>();
  for (const text of texts) {
    for (const match of text.matchAll(NAME)) {
      const processId = names.get(match[0].toLowerCase());
      if (processId === undefined) continue;
      const around = text.slice(Math.max(0, match.index - AROUND), match.index + match[0].length + AROUND);
      const asCurrent = CURRENT.test(around) || found.get(processId)?.asCurrent === true;
      found.set(processId, { id: match[0], asCurrent });
    }
  }
  return found;
}

/**
 * For each contract, the other procurements with its title whose contracts ran at the same time as that contract or as its
 * possible successor. If there are several, nothing says which follows which.
 */
function makeParallels(later: readonly LaterProcurement[], earlier: readonly EarlierContract[]) {
  const begun = groupBy(
    later.filter(({ isPlanOnly }) => !isPlanOnly),
    ({ title }) => keyOf(title),
  );
  const ran = groupBy(earlier.map(runOf), ({ key }) => key);
  return (contract: EarlierContract, next: LaterProcurement): boolean => {
    const { key, from, until } = runOf(contract);
    const start = day(next.expected);
    const isOther = ({ processId }: { processId: string }) =>
      processId !== contract.processId && processId !== next.processId;
    const runsOver = (run: Run, at: number) => run.from < at - SAME_START_DAYS && run.until > at + PARALLEL_DAYS;
    return (
      (begun.get(key) ?? []).some((one) => {
        const at = day(one.expected);
        return isOther(one) && at > from + SAME_START_DAYS && at < until - BEFORE_END_DAYS;
      }) || (ran.get(key) ?? []).some((run) => isOther(run) && (runsOver(run, from) || runsOver(run, start)))
    );
  };
}

interface Run {
  processId: string;
  key: string;
  from: number;
  until: number;
}

function runOf({ processId, titles, starts, awarded, ends }: EarlierContract): Run {
  const from = day(starts ?? awarded);
  return {
    processId,
    key: titles[0] ? keyOf(titles[0]) : '',
    from,
    until: ends === null ? from + UNDATED_DAYS : day(ends),
  };
}

function keyOf({ words }: TitleWords): string {
  return words.join(' ');
}

function day(text: string | null): number {
  return text === null ? Number.NaN : Date.parse(`${text}T00:00:00Z`) / DAY_MS;
}
