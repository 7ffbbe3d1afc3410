import { awardQueries } from './awards.ts';
import type { Collection } from './documents.ts';
import type { JudgedQuery } from './grades.ts';
import { subjectQueries } from './subjects.ts';
import { titleQueries } from './titles.ts';
import type { Draw } from './words.ts';

/**
 * Queries made from the documents by rule, with answers graded by their fields alone: title, buyer, supplier, CPV codes and
 * identifiers as published. No engine is asked.
 */
export function makeQueries({ of, judged }: Collection, draw: Draw = 'known'): JudgedQuery[] {
  const ofContracts = of === 'contracts' ? awardQueries(judged, draw) : [];
  const all = [...titleQueries(judged, draw), ...subjectQueries(judged, draw), ...ofContracts];
  return all.filter(({ grades }) => grades.size > 0);
}
