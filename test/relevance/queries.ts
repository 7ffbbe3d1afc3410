import type { Collection } from './documents.ts';
import type { JudgedQuery } from './grades.ts';
import { subjectQueries } from './queries-subjects.ts';
import { titleQueries } from './queries-titles.ts';

/**
 * Queries made from the documents by rule, with answers graded by their fields alone: title, buyer, supplier, CPV codes and
 * identifiers as published. No engine is asked.
 */
export function makeQueries({ judged }: Collection): JudgedQuery[] {
  const all = [...titleQueries(judged), ...subjectQueries(judged)];
  return all.filter(({ grades }) => grades.size > 0);
}
