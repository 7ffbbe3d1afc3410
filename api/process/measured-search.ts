import type { Counter } from 'prom-client';
import type { SearchEngine } from '../../search/engine.ts';

/** The engine, with its answers counted: by which engine gave them, and why it was not the one that was meant to. */
export function countAnswers(search: SearchEngine, answers: Counter<'engine' | 'failover'>): SearchEngine {
  return {
    ...search,
    async find(query) {
      const answer = await search.find(query);
      answers.inc({ engine: answer.meta.engine, failover: answer.meta.failover?.reason ?? 'none' });
      return answer;
    },
  };
}
