import type { Collection } from './documents.ts';
import type { JudgedQuery } from './grades.ts';

const RANKED = 10;
/** How many answers a searcher gives. */
export const ANSWERS = 100;
/** A document of this grade or above must be found. */
const WANTED = 2;

/** Anything that finds: ids of documents, best first, at most ANSWERS. */
export interface Searcher {
  name: string;
  search(text: string): Promise<string[]>;
  close(): Promise<void>;
}

export interface Score {
  ndcg: number;
  recall: number;
}

export interface Judgement {
  searcher: string;
  collection: Collection['name'];
  queries: number;
  overall: Score;
  /** nDCG@10 of the answers in the best order: the rest is for what was not found. */
  best: number;
  kinds: Record<string, Score>;
}

/** Asks every query and judges the answers: means over all queries and over those of each kind. */
export async function judgeSearcher(
  searcher: Searcher,
  collection: Collection['name'],
  queries: readonly JudgedQuery[],
): Promise<Judgement> {
  const scored: (Score & { kind: string })[] = [];
  const best: Score[] = [];
  for (const { kind, text, grades } of queries) {
    const ids = await searcher.search(text);
    scored.push({ kind, ...score(ids, grades) });
    best.push(score(inBestOrder(ids, grades), grades));
  }
  const kinds = [...new Set(scored.map(({ kind }) => kind))];
  return {
    searcher: searcher.name,
    collection,
    queries: queries.length,
    overall: mean(scored),
    best: mean(best).ndcg,
    kinds: Object.fromEntries(kinds.map((kind) => [kind, mean(scored.filter((one) => one.kind === kind))])),
  };
}

/** Answers by their grades: what ordering alone could come to. */
export function inBestOrder(ids: readonly string[], grades: JudgedQuery['grades']): string[] {
  return ids.toSorted((a, b) => (grades.get(b) ?? 0) - (grades.get(a) ?? 0));
}

/** nDCG@10 with gains of 1, 3 and 7, and the share of the well-graded documents among the first hundred. */
export function score(ids: readonly string[], grades: JudgedQuery['grades']): Score {
  const gain = (grade: number | undefined) => 2 ** (grade ?? 0) - 1;
  const sum = (gains: number[]) => gains.slice(0, RANKED).reduce((all, one, at) => all + one / Math.log2(at + 2), 0);
  const best = sum([...grades.values()].map(gain).sort((a, b) => b - a));
  const wanted = [...grades].filter(([, grade]) => grade >= WANTED).map(([id]) => id);
  const first = new Set(ids.slice(0, ANSWERS));
  const found = wanted.filter((id) => first.has(id)).length;
  return {
    ndcg: sum(ids.map((id) => gain(grades.get(id)))) / best,
    recall: found / Math.max(1, Math.min(wanted.length, ANSWERS)),
  };
}

function mean(scores: readonly Score[]): Score {
  const of = (pick: (one: Score) => number) =>
    Math.round((scores.reduce((sum, one) => sum + pick(one), 0) / Math.max(1, scores.length)) * 1_000) / 1_000;
  return { ndcg: of(({ ndcg }) => ndcg), recall: of(({ recall }) => recall) };
}
