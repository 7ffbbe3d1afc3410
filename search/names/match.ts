import { endingOf, nameKey } from '../../schema/names/spelling.ts';
import { compareText } from '../../schema/text/ids.ts';
import { rateLikeness, rateTrading, sameText, shareWord } from './likeness.ts';

/** How a name was matched, the surest first. A `number` is not a name, but was typed as one. */
type NameMethod = 'number' | 'exact' | 'cleaned' | 'other_name' | 'previous_name' | 'prefix' | 'near';

/** Below this score a name matches nothing: its candidates are listed, and nothing is charged. */
const MATCH_MIN = 0.75;
const CANDIDATES_MAX = 5;
/** Names less alike than this are not candidates either. */
const CANDIDATE_MIN = 0.4;
/** The same where it shares no word: more than two mistakes in seven letters are another word. */
const MISSPELT_MIN = 0.6;
/** In a shorter name a different letter makes a different name. */
const SHORT = 5;
/** A similar name must be ahead of the next by more than this, or it is a guess. */
const MARGIN = 0.03;
/** Two equally good matches that nothing separates are a guess; for identical names, twice the awards decide, at a small cost. */
const AMBIGUOUS = 0.3;
const DECISIVE = 2;
const SHARED = 0.1;
/** A former name. */
const PREVIOUS = 0.9;
const PREVIOUS_NEAR = 0.95;
const MARKED_DOWN = 0.1;

/** A stored name, with facts that may separate it from another one with the same spelling. */
export interface StoredName {
  /** Its key for further look-ups, unique among the stored names. */
  id: string;
  name: string;
  name_key: string;
  /** Its name on the register, where it is listed. */
  registered_name?: string;
  /** Set where the requested name is a former name of the organisation. */
  previous_name?: string;
  /** Contracts and places on frameworks. */
  award_count: number;
  /** Why another one with the same name is preferred: `dissolved`, `branch`. */
  markdowns: string[];
}

export interface RankedName<T extends StoredName> {
  stored: T;
  score: number;
  method: NameMethod;
  evidence: string[];
}

/** What to look for, and which cleaned names several organisations of its kind may have. */
interface NameKind {
  each: 'companies' | 'buyers';
  isCommon?: (key: string) => boolean;
}

/**
 * Ranks stored names by a requested one. `best` is null where the best is not good enough, or no better than another. Candidates
 * are at most five, in the order in which a person would choose.
 */
export function rankNames<T extends StoredName>(
  given: string,
  stored: T[],
  kind: NameKind,
): { best: RankedName<T> | null; candidates: { id: string; name: string }[] } {
  const key = nameKey(given);
  const ranked = stored
    .map((one) => rateName(given, key, one))
    .filter((one) => isCandidate(key, one))
    .sort(
      (a, b) =>
        b.score - a.score || b.stored.award_count - a.stored.award_count || compareText(a.stored.id, b.stored.id),
    );
  const seen = new Set<string>();
  const unique = ranked.filter(({ stored: { id } }) => !seen.has(id) && seen.add(id));
  const best = chooseBearer(bearersOf(given, key, unique), kind) ?? chooseNear(key, unique, kind);
  return {
    best: best && best.score >= MATCH_MIN ? best : null,
    candidates: likeliestFirst(key, unique)
      .slice(0, CANDIDATES_MAX)
      .map(({ stored: { id, name } }) => ({ id, name })),
  };
}

/** Whether awards decide among several with one name: the first has at least twice those of the next. */
export function isDecided([most = 0, next = 0]: readonly number[]): boolean {
  return most > 0 && most >= next * DECISIVE;
}

/** A short name that shares no word with the requested one is a different name, however few letters differ. */
function isCandidate(key: string, { method, score, stored }: RankedName<StoredName>): boolean {
  if (method !== 'near' && stored.previous_name === undefined) return score >= CANDIDATE_MIN;
  if (shareWord(key, matchedKey(stored))) return score >= CANDIDATE_MIN;
  return score >= (key.length < SHORT ? 1 : MISSPELT_MIN);
}

/** Organisations with exactly this name first, by awards; then those whose name contains every word of it, by awards; then any with awards; then by similarity. */
function likeliestFirst<T extends StoredName>(key: string, ranked: readonly RankedName<T>[]): RankedName<T>[] {
  const words = key.split(' ');
  const placeOf = ({ stored }: RankedName<T>): [number, number] => {
    const awards = stored.award_count;
    if (matchedKey(stored) === key) return [3, awards];
    const own = new Set(matchedKey(stored).split(' '));
    return words.every((word) => own.has(word)) ? [2, awards] : [Math.min(awards, 1), 0];
  };
  const places = new Map(ranked.map((one) => [one, placeOf(one)]));
  return ranked.toSorted((one, other) => {
    const [[a, x], [b, y]] = [places.get(one) ?? [0, 0], places.get(other) ?? [0, 0]];
    return b - a || y - x;
  });
}

function rateName<T extends StoredName>(given: string, key: string, stored: T): RankedName<T> {
  const { method, score, evidence } = compareNames(given, key, stored);
  const down = stored.markdowns.length * MARKED_DOWN;
  return {
    stored,
    method,
    score: round(Math.max(0, score - down)),
    evidence: [...evidence, ...stored.markdowns.map((why) => `marked down: ${why}`)],
  };
}

function compareNames(given: string, key: string, stored: StoredName): Omit<RankedName<StoredName>, 'stored'> {
  const said = `asked for "${given.trim()}"`;
  if (stored.previous_name !== undefined) return comparePrevious(said, key, stored.previous_name);
  if (sameText(given, stored.name)) return { method: 'exact', score: 1, evidence: [said, 'the same name'] };
  if (stored.name_key === key) {
    return { method: 'cleaned', score: 0.95, evidence: [said, `the same but for form and signs: "${stored.name}"`] };
  }
  const { score, method, why } = rateTrading(key, stored.name) ?? rateLikeness(key, stored.name_key);
  return { method, score, evidence: [said, `"${stored.name}" ${why}`] };
}

function comparePrevious(said: string, key: string, previous: string): Omit<RankedName<StoredName>, 'stored'> {
  const evidence = [said, `was named "${previous}"`];
  const bare = nameKey(previous);
  if (bare === key) return { method: 'previous_name', score: PREVIOUS, evidence };
  const { score, why } = rateLikeness(key, bare);
  return { method: 'previous_name', score: score * PREVIOUS_NEAR, evidence: [...evidence, `which ${why}`] };
}

/**
 * Those with exactly this name, the surest first: currently, otherwise formerly. Where the requested name states a legal form,
 * those with a different form are left out.
 */
function bearersOf<T extends StoredName>(
  given: string,
  key: string,
  ranked: readonly RankedName<T>[],
): RankedName<T>[] {
  const same = ranked.filter(({ stored }) => matchedKey(stored) === key);
  const now = same.filter(({ stored }) => stored.previous_name === undefined);
  const bearers = now.length > 0 ? now : same;
  const form = endingOf(given);
  const fitting = bearers.filter(({ stored }) => ['', form].includes(formOf(stored)));
  return form === '' || fitting.length === 0 ? bearers : fitting;
}

/** The legal form by which it was found; where a notice leaves it out, the register's. */
const formOf = ({ previous_name, name, registered_name = '' }: StoredName) =>
  endingOf(previous_name ?? name) || endingOf(registered_name);

/**
 * Among several with one name, the one with by far the most awards is meant. A register has many companies that never won
 * anything, and one body is often published under several numbers. Otherwise the one whose name or status fits better is
 * meant, unless it has no awards and another has some. A name that many may have (a parish, a school) identifies none,
 * whatever their awards. Undecided names become a list of candidates.
 */
function chooseBearer<T extends StoredName>(bearers: readonly RankedName<T>[], kind: NameKind): RankedName<T> | null {
  const [first, second] = bearers;
  if (!first || !second) return first ?? null;
  const byAwards = bearers.toSorted((a, b) => b.stored.award_count - a.stored.award_count);
  const counts = byAwards.map(({ stored }) => stored.award_count);
  const [most = first] = byAwards;
  const nearest = first.score > second.score && (first.stored.award_count > 0 || counts[0] === 0) ? first : null;
  const meant = isDecided(counts) ? most : nearest;
  if (!meant || kind.isCommon?.(matchedKey(first.stored))) return { ...first, score: first.score - AMBIGUOUS };
  const isRival = ({ stored }: RankedName<T>) =>
    stored !== meant.stored && (stored.award_count > 0 || stored.markdowns.length <= meant.stored.markdowns.length);
  const rivals = bearers.filter(isRival);
  if (rivals.length === 0) return meant;
  const own = meant.stored.award_count;
  const next = Math.max(...rivals.map(({ stored }) => stored.award_count));
  const evidence = [...meant.evidence, sayRivals(kind, rivals.length, own, next)];
  return { ...meant, score: round(meant.score - SHARED), evidence };
}

/** Why one of several with the same name is meant: `two companies have this name; awards of this one: 12, of the next: 4`. */
function sayRivals({ each }: NameKind, rivals: number, own: number, next: number): string {
  return `${sayBearers(each, rivals + 1)}; awards of this one: ${own}, of the next: ${next}`;
}

/** `two companies have this name`. */
export function sayBearers(each: NameKind['each'], count: number, name = 'this name'): string {
  return `${COUNTS[count] ?? count} ${each} have ${name}`;
}
const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five'];

/** The most similar of those with a different name, with a lower score where another may be meant as well. */
function chooseNear<T extends StoredName>(
  key: string,
  [first, ...others]: readonly RankedName<T>[],
  kind: NameKind,
): RankedName<T> | null {
  if (!first) return null;
  const doubt = doubtNear(key, first, others, kind);
  if (!doubt) return first;
  return { ...first, score: round(first.score - doubt.cost), evidence: [...first.evidence, doubt.why] };
}

function doubtNear(
  key: string,
  first: RankedName<StoredName>,
  others: readonly RankedName<StoredName>[],
  kind: NameKind,
): { cost: number; why: string } | null {
  const guess = (why: string) => ({ cost: AMBIGUOUS, why });
  const name = matchedKey(first.stored);
  // Status separates organisations with the same name, but not different names.
  const isRival = (other: RankedName<StoredName>) =>
    matchedKey(other.stored) === name ? other.score >= first.score : unmarked(other) >= unmarked(first) - MARGIN;
  const rivals = others.filter(isRival);
  const [own = 0, next = 0] = [first, ...rivals].map(({ stored }) => stored.award_count);
  const isOneName = rivals.every(({ stored }) => matchedKey(stored) === name);
  if (rivals.length > 0 && !(isOneName && isDecided([own, next]))) return guess('another is as near');
  // Places and saints may differ by one letter.
  const isShared = kind.isCommon?.(name) ?? false;
  if (isShared && (rivals.length > 0 || first.method === 'near')) return guess('many of its kind have such a name');
  const isBegun = others.some(({ stored }) => matchedKey(stored).startsWith(`${key} `));
  if (!['prefix', 'other_name'].includes(first.method) && isBegun)
    return guess('a longer name begins with what was asked');
  return rivals.length > 0 ? { cost: SHARED, why: sayRivals(kind, rivals.length, own, next) } : null;
}

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}

function unmarked({ score, stored }: RankedName<StoredName>): number {
  return score + stored.markdowns.length * MARKED_DOWN;
}

/** The cleaned name by which it was found. */
function matchedKey({ previous_name, name_key }: StoredName): string {
  return previous_name === undefined ? name_key : nameKey(previous_name);
}
