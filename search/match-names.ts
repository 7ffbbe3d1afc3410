import { nameKey } from '../schema/names.ts';
import { rateLikeness } from './name-likeness.ts';

/** How a name was matched, the surest first. A `number` is no name at all, but was typed as one. */
export type NameMethod = 'number' | 'exact' | 'cleaned' | 'previous_name' | 'prefix' | 'near';

/** Below this score a name matches nothing: its candidates are told, and nothing is billed. */
export const MATCH_LEAST = 0.75;
const CANDIDATES_MAX = 5;
/** Less alike than this it is no candidate either. */
const CANDIDATE_LEAST = 0.4;
/** A name that is merely near must be nearer than the next by more than this, or it is a guess. */
const MARGIN = 0.03;
/** Two equally good matches that nothing tells apart are a guess; twice the awards tell those of one name apart, at a small cost. */
const AMBIGUOUS = 0.3;
const DECISIVE = 2;
const SHARED = 0.1;
/** A name that it bore before. */
const PREVIOUS = 0.9;
const PREVIOUS_NEAR = 0.95;
const MARKED_DOWN = 0.1;

/** A name as held, with what may tell it from another of the same name. */
export interface HeldName {
  /** What leads onward to it, unique among the held. */
  id: string;
  name: string;
  name_key: string;
  /** Set where the asked name is one that the organisation bore before. */
  previous_name?: string;
  /** Contracts and places on frameworks. */
  award_count: number;
  /** Why it should give way to another of the same name: `dissolved`, `branch`. */
  markdowns: string[];
}

export interface RankedName<T extends HeldName> {
  held: T;
  score: number;
  method: NameMethod;
  evidence: string[];
}

/**
 * Ranks held names against an asked one. `best` is null where the best is not good enough, or no better than another.
 * Candidates are at most five, the best first.
 */
export function rankNames<T extends HeldName>(
  asked: string,
  held: T[],
): { best: RankedName<T> | null; candidates: { id: string; name: string }[] } {
  const key = nameKey(asked);
  const ranked = held
    .map((one) => rateName(asked, key, one))
    .filter(({ score }) => score >= CANDIDATE_LEAST)
    .sort((a, b) => b.score - a.score || b.held.award_count - a.held.award_count || (a.held.id < b.held.id ? -1 : 1));
  const seen = new Set<string>();
  const unique = ranked.filter(({ held: { id } }) => !seen.has(id) && seen.add(id));
  const [first, ...others] = unique;
  const best = first && withDoubt(key, first, others);
  return {
    best: best && best.score >= MATCH_LEAST ? best : null,
    candidates: unique.slice(0, CANDIDATES_MAX).map(({ held: { id, name } }) => ({ id, name })),
  };
}

function rateName<T extends HeldName>(asked: string, key: string, held: T): RankedName<T> {
  const { method, score, evidence } = compareNames(asked, key, held);
  const down = held.markdowns.length * MARKED_DOWN;
  return {
    held,
    method,
    score: Math.max(0, Math.round((score - down) * 1_000) / 1_000),
    evidence: [...evidence, ...held.markdowns.map((why) => `marked down: ${why}`)],
  };
}

function compareNames(asked: string, key: string, held: HeldName): Omit<RankedName<HeldName>, 'held'> {
  const said = `asked for "${asked.trim()}"`;
  if (held.previous_name !== undefined) return comparePrevious(said, key, held.previous_name);
  if (sameText(asked, held.name)) return { method: 'exact', score: 1, evidence: [said, 'the same name'] };
  if (held.name_key === key) {
    return { method: 'cleaned', score: 0.95, evidence: [said, `the same but for form and signs: "${held.name}"`] };
  }
  const { score, method, why } = rateLikeness(key, held.name_key);
  return { method, score, evidence: [said, `"${held.name}" ${why}`] };
}

function comparePrevious(said: string, key: string, previous: string): Omit<RankedName<HeldName>, 'held'> {
  const evidence = [said, `was named "${previous}"`];
  const bare = nameKey(previous);
  if (bare === key) return { method: 'previous_name', score: PREVIOUS, evidence };
  const { score, why } = rateLikeness(key, bare);
  return { method: 'previous_name', score: score * PREVIOUS_NEAR, evidence: [...evidence, `which ${why}`] };
}

/**
 * Of two of the same name, the one with by far the most awards is meant (one body is often published under several
 * numbers). A tie that neither name, standing nor awards decide is told as candidates, not answered.
 */
function withDoubt<T extends HeldName>(key: string, first: RankedName<T>, others: readonly RankedName<T>[]) {
  const name = matchedKey(first.held);
  // Standing tells namesakes apart, not whose name was meant.
  const isRival = (other: RankedName<T>) =>
    matchedKey(other.held) === name
      ? other.score >= first.score
      : name !== key && unmarked(other) >= unmarked(first) - MARGIN;
  const rivals = others.filter(isRival);
  if (rivals.length === 0) return first;
  const most = first.held.award_count;
  const next = Math.max(...rivals.map(({ held }) => held.award_count));
  const decided = most > 0 && most >= next * DECISIVE && rivals.every(({ held }) => matchedKey(held) === name);
  const why = decided ? `another bears the name, with ${next} awards to ${most}` : 'another is as near';
  return { ...first, score: first.score - (decided ? SHARED : AMBIGUOUS), evidence: [...first.evidence, why] };
}

function unmarked({ score, held }: RankedName<HeldName>): number {
  return score + held.markdowns.length * MARKED_DOWN;
}

/** The cleaned name by which it was found. */
function matchedKey({ previous_name, name_key }: HeldName): string {
  return previous_name === undefined ? name_key : nameKey(previous_name);
}

function sameText(a: string, b: string): boolean {
  return a.trim().replace(/\s+/g, ' ').toLowerCase() === b.trim().replace(/\s+/g, ' ').toLowerCase();
}
