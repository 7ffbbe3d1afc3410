import { nameKey } from '../schema/names.ts';
import { editDistance } from './similarity.ts';

/** How a name was matched, the surest first. `number` and `identifier` are no names at all, but what was typed as one. */
export type NameMethod = 'number' | 'exact' | 'cleaned' | 'previous_name' | 'prefix' | 'near';

/** Below this score a name matches nothing: its candidates are told, and nothing is billed. */
export const MATCH_LEAST = 0.75;
const CANDIDATES_MAX = 5;
const MISTAKES_MAX = 3;
/** Two equally good matches that nothing tells apart are a guess; twice the contracts tell them apart, at a small cost. */
const AMBIGUOUS = 0.3;
const DECISIVE = 2;
const SHARED = 0.1;
const MARKED_DOWN = 0.1;

/** A name as held, with what may tell it from another of the same name. */
export interface HeldName {
  /** What leads onward to it, unique among the held. */
  id: string;
  name: string;
  name_key: string;
  /** Set where the asked name is one that the organisation bore before. */
  previous_name?: string;
  contract_count: number;
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
    .filter(({ score }) => score > 0)
    .sort(
      (a, b) => b.score - a.score || b.held.contract_count - a.held.contract_count || (a.held.id < b.held.id ? -1 : 1),
    );
  const seen = new Set<string>();
  const unique = ranked.filter(({ held: { id } }) => !seen.has(id) && seen.add(id));
  const [first, second] = unique;
  const best = first && second ? withDoubt(first, second) : first;
  return {
    best: best && best.score >= MATCH_LEAST ? best : null,
    candidates: unique.slice(0, CANDIDATES_MAX).map(({ held: { id, name } }) => ({ id, name })),
  };
}

/** How alike two cleaned names are, 0 to 1: by their letters, or by the words they share, whichever says more. */
export function nameSimilarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  const mistakes = editDistance(a, b, MISTAKES_MAX);
  const byLetters = mistakes > MISTAKES_MAX || longest === 0 ? 0 : 1 - mistakes / longest;
  return Math.max(byLetters, sharedWords(a.split(' '), b.split(' ')));
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
  if (held.previous_name !== undefined) {
    return { method: 'previous_name', score: 0.9, evidence: [said, `was named "${held.previous_name}"`] };
  }
  if (sameText(asked, held.name)) return { method: 'exact', score: 1, evidence: [said, 'the same name'] };
  if (held.name_key === key) {
    return { method: 'cleaned', score: 0.95, evidence: [said, `the same but for form and signs: "${held.name}"`] };
  }
  const near = nameSimilarity(key, held.name_key);
  if (held.name_key.startsWith(key)) {
    const score = Math.max(0.5 + 0.4 * (key.length / held.name_key.length), 0.9 * near);
    return { method: 'prefix', score, evidence: [said, `"${held.name}" begins so`] };
  }
  return { method: 'near', score: 0.9 * near, evidence: [said, `"${held.name}" is ${Math.round(near * 100)}% alike`] };
}

/**
 * Of two of the same name, the one with by far the most contracts is meant (one body is often published under several
 * numbers). A tie that neither name, standing nor contracts decide is told as candidates, not answered.
 */
function withDoubt<T extends HeldName>(first: RankedName<T>, second: RankedName<T>): RankedName<T> {
  if (first.score > second.score) return first;
  const [most, next] = [first.held.contract_count, second.held.contract_count];
  const decided = most > 0 && most >= next * DECISIVE;
  const why = decided ? `another bears the name, with ${next} contracts to ${most}` : 'another is as near';
  return { ...first, score: first.score - (decided ? SHARED : AMBIGUOUS), evidence: [...first.evidence, why] };
}

function sameText(a: string, b: string): boolean {
  return a.trim().replace(/\s+/g, ' ').toLowerCase() === b.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Twice the shared letters of words in common over all letters, so that long words count for more; a typing mistake costs little. */
function sharedWords(a: string[], b: string[]): number {
  const left = [...b];
  let shared = 0;
  for (const word of a) {
    const place = left.findIndex((other) => other === word || (word.length > 4 && editDistance(word, other, 1) <= 1));
    if (place < 0) continue;
    shared += word.length + (left[place]?.length ?? 0) - (left[place] === word ? 0 : 1);
    left.splice(place, 1);
  }
  const letters = [...a, ...b].join('').length;
  return letters === 0 ? 0 : shared / letters;
}
