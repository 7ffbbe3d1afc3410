import type { Judged } from './documents.ts';

/** How well a document answers: 3 is what was asked for, 1 is merely near it. */
type Grade = 1 | 2 | 3;

export interface JudgedQuery {
  kind: string;
  text: string;
  /** Document id to grade; who is not in it is not relevant. */
  grades: Map<string, Grade>;
}

/** Queries of each kind, as far as the documents allow. */
export const PER_KIND = 16;

/** Grades every document by the first rule that holds. */
export function gradeBy(judged: readonly Judged[], rules: [Grade, (one: Judged) => boolean][]): Map<string, Grade> {
  const grades = new Map<string, Grade>();
  for (const one of judged) {
    const rule = rules.find(([, holds]) => holds(one));
    if (rule) grades.set(one.document.id, rule[0]);
  }
  return grades;
}
