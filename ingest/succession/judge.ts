import { daysBetween } from '../../schema/config/clocks.ts';
import { cpvBranch } from '../../schema/reference/cpv.ts';
import { compareTitles, publishedWords, type TitleLikeness, type TitleWords } from './titles.ts';

/** A procurement, as the later one of a pair. Days are `YYYY-MM-DD`, or null if not published. */
export interface LaterProcurement {
  processId: string;
  title: TitleWords;
  reference: string | null;
  firstPublished: string;
  /** First day of the contract that it will lead to, or has led to. */
  starts: string | null;
  /** That day, or the usual one after its notices. */
  expected: string;
  /** Whether neither a call for bids nor an award is published. */
  isPlanOnly: boolean;
  cpvs: readonly string[];
  isFramework: boolean;
  /** Frameworks that its contracts are called off from. */
  frameworkIds: readonly string[];
}

/** A contract, as the earlier one of a pair. */
export interface EarlierContract {
  contractId: string;
  processId: string;
  /** Its own title, its process's, and the latter with the title of its lot. */
  titles: readonly TitleWords[];
  reference: string | null;
  /** The latest day on which it can have been awarded. */
  awarded: string;
  starts: string | null;
  ends: string | null;
  endsLatest: string | null;
  cpvs: readonly string[];
  frameworkId: string | null;
  isFramework: boolean;
}

/** How one process names another. */
export interface Naming {
  /** As it is written: an ocid or a notice number. */
  id: string;
  /** In words of succession. */
  asCurrent: boolean;
  /** As a related process that is renewed, replaced or continued, by either of the two. */
  isStated?: boolean;
}

/** What all of the buyer's purchases say about a pair. */
export interface PairFacts {
  /** How the later one's text names the contract's process: in words of succession, otherwise, or not at all. */
  named: Naming | null;
  /** The buyer's procurements under a reference that both have. */
  sharing: number;
  /** Whether others under the same title ran at once, so that the title does not say which follows which. */
  isParallel(): boolean;
}

/** Why a procurement may succeed a contract. */
export interface Succession {
  method: 'identifier' | 'reference' | 'title_cpv_dates';
  /** 0 to 1. */
  score: number;
  evidence: string[];
}

/** The lowest score at which a succession is reported. */
export const SUCCESSION_MIN = 0.8;

/** A contract this young has no successor yet. */
const RUN_DAYS_MIN = 60;
/** The longest time before the end of the old contract at which a new one begins. */
const OVERLAP_DAYS = 100;
/** A contract may be extended without a notice, but not for longer than this. */
const GAP_DAYS = 800;
/** The shortest and the longest time that a contract without a published end may have run when another follows it. */
const UNDATED_DAYS_MIN = 270;
const UNDATED_DAYS_MAX = 2_600;
/** The additional tolerance for an expected day. */
const GUESS_DAYS = 90;
/** Most procurements under one reference: a procurement and its predecessor, each on two services. */
const SHARING_MAX = 4;

/** Judges one pair of one buyer: how certain it is that the procurement repeats the contract's purchase. Null where too little says so. Pure. */
export function judgePair(later: LaterProcurement, earlier: EarlierContract, facts: PairFacts): Succession | null {
  if (later.processId === earlier.processId || isOfOneFramework(later, earlier)) return null;
  const dates = judgeDates(later, earlier);
  const title = bestTitle(later.title, earlier.titles);
  const cpv = compareCpv(later.cpvs, earlier.cpvs);
  const evidence = [...sayTitle(title, later.title), ...sayCpv(cpv, later, earlier), ...(dates?.evidence ?? [])];
  const { named } = facts;
  if (named && isNamedFairly(named, later, earlier, dates)) {
    const said = sayNaming(named);
    return {
      method: 'identifier',
      score: named.asCurrent ? 0.98 : 0.9,
      evidence: [`${said}: ${named.id}`, ...evidence],
    };
  }
  if (!dates || later.title.isChange) return null;
  const shared = facts.sharing > 0 && facts.sharing <= SHARING_MAX && cpv !== 'other';
  if (shared && dates.score >= 0) {
    const score = title === 'other' ? 0.85 : 0.95;
    return { method: 'reference', score, evidence: ['both have the same reference of the buyer', ...evidence] };
  }
  const score = titleScore(later, earlier, { title, cpv, dates });
  return score < SUCCESSION_MIN || facts.isParallel() ? null : { method: 'title_cpv_dates', score, evidence };
}

/** A framework and its call-off, or two call-offs of one framework that do not share a need. */
function isOfOneFramework(later: LaterProcurement, earlier: EarlierContract): boolean {
  return (
    earlier.frameworkId === later.processId ||
    later.frameworkIds.includes(earlier.processId) ||
    (earlier.isFramework && later.frameworkIds.length > 0)
  );
}

function isNamedFairly(
  naming: Naming,
  later: LaterProcurement,
  earlier: EarlierContract,
  dates: Dates | null,
): boolean {
  // Both of a stated pair name each other: only the later one succeeds.
  if (naming.isStated) return later.firstPublished > earlier.awarded;
  return naming.asCurrent || (!earlier.isFramework && dates !== null && dates.score >= 0);
}

function sayNaming({ isStated, asCurrent }: Naming): string {
  if (isStated) return 'stated to be a related process that renews, replaces or continues the other';
  return asCurrent ? 'its text names the current contract' : 'its text names the earlier notice';
}

interface Signs {
  title: TitleLikeness;
  cpv: CpvLikeness;
  dates: Dates;
}

const TITLE_SCORES = { same: [0.5, 0.82, 0.89], near: [0.4, 0.74, 0.81] } as const;
const CPV_SCORES = { same: 0.03, division: 0, unknown: -0.03, other: -0.1 } as const;

function titleScore(later: LaterProcurement, earlier: EarlierContract, signs: Signs): number {
  const { title, cpv, dates } = signs;
  if (title === 'other') return 0;
  const distinctive = Math.min(later.title.distinctive, 2);
  const base = TITLE_SCORES[title][distinctive] ?? 0;
  // A piece of works ends with its contract: a later `Roof replacement` is a different roof, unless more is said.
  const isOnce = later.cpvs[0]?.startsWith('45') && !later.title.words.includes('maintenance');
  const works = distinctive < 2 && isOnce ? -0.12 : 0;
  const otherKind = later.isFramework !== earlier.isFramework ? -0.2 : 0;
  const score = base + CPV_SCORES[cpv] + dates.score + otherKind + works;
  return Math.round(Math.min(score, 0.97) * 100) / 100;
}

function bestTitle(later: TitleWords, titles: readonly TitleWords[]): TitleLikeness {
  const found = titles.map((title) => compareTitles(later, title));
  if (found.includes('same')) return 'same';
  return found.includes('near') ? 'near' : 'other';
}

type CpvLikeness = 'same' | 'division' | 'other' | 'unknown';

function compareCpv(one: readonly string[], two: readonly string[]): CpvLikeness {
  const [left, right] = [one.map(cpvBranch), two.map(cpvBranch)];
  if (left.length === 0 || right.length === 0) return 'unknown';
  if (left.some((a) => right.some((b) => a.startsWith(b) || b.startsWith(a) || a.slice(0, 4) === b.slice(0, 4))))
    return 'same';
  return left.some((a) => right.some((b) => a.slice(0, 2) === b.slice(0, 2))) ? 'division' : 'other';
}

interface Dates {
  /** Added to the score of a title. */
  score: number;
  evidence: string[];
}

/** Whether one may come after the other; null if it cannot. */
function judgeDates(later: LaterProcurement, earlier: EarlierContract): Dates | null {
  const begun =
    earlier.starts && earlier.starts > earlier.awarded ? earlier.awarded : (earlier.starts ?? earlier.awarded);
  if (daysBetween(begun, later.firstPublished) < RUN_DAYS_MIN) return null;
  const { ends } = earlier;
  if (ends === null) return judgeUndated(begun, later);
  const latest = earlier.endsLatest !== null && earlier.endsLatest > ends ? earlier.endsLatest : ends;
  const until = latest === ends ? `the contract ends on ${ends}` : `the contract ends between ${ends} and ${latest}`;
  const before = daysBetween(later.expected, ends);
  const after = daysBetween(latest, later.expected);
  const slack = later.starts === null ? GUESS_DAYS : 0;
  if (before > OVERLAP_DAYS + slack || after > GAP_DAYS) return null;
  const score = before > 45 + slack ? -0.04 : scoreOfGap(after - slack);
  if (later.starts === null)
    return { score: score - 0.03, evidence: [`${until}; the new one was published on ${later.firstPublished}`] };
  return { score, evidence: [`${until}; the new one begins on ${later.starts}`] };
}

function scoreOfGap(days: number): number {
  if (days > 400) return -0.08;
  if (days > 150) return -0.03;
  return days > 60 ? 0.02 : 0.06;
}

/** A contract without a stated end: a procurement at least most of a year later may follow it. */
function judgeUndated(begun: string, later: LaterProcurement): Dates | null {
  const days = daysBetween(begun, later.expected);
  if (days < UNDATED_DAYS_MIN || days > UNDATED_DAYS_MAX) return null;
  const evidence = `no end of the contract is published; it was awarded or began on ${begun}, the new one is from ${later.expected}`;
  return { score: -0.08, evidence: [evidence] };
}

function sayTitle(title: TitleLikeness, later: TitleWords): string[] {
  if (title === 'other') return [];
  const said = publishedWords(later).slice(0, 8).join(' ');
  return [
    title === 'same' ? `the same words in both titles: ${said}` : `nearly the same words in both titles: ${said}`,
  ];
}

function sayCpv(cpv: CpvLikeness, later: LaterProcurement, earlier: EarlierContract): string[] {
  const codes = `${later.cpvs[0]} and ${earlier.cpvs[0]}`;
  if (cpv === 'same') return [`the same branch of the CPV: ${codes}`];
  return cpv === 'division' ? [`the same division of the CPV: ${codes}`] : [];
}
