import { afterAll, beforeAll, describe } from 'vitest';
import type { SearchEngine } from '../../../search/engine.ts';
import { makeTrial, type Trial } from '../trial.ts';
import { describeFilters } from './filters.ts';
import { describeInput } from './input.ts';
import { describeAny, describeOperators } from './operators.ts';
import { describeChanges, describePages, describeSorts } from './pages.ts';
import { describeExactness, describeRanking, describeStrictness, describeTechnology } from './ranking.ts';

/** What every engine promises. Run against each. */
export function describeContract(name: string, open: () => Promise<{ engine: SearchEngine; remove(): Promise<void> }>) {
  describe(name, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    const current: { trial?: Trial } = {};
    const trial = (): Trial => {
      if (!current.trial) throw new Error('the engine is not open');
      return current.trial;
    };
    beforeAll(async () => {
      opened = await open();
      current.trial = makeTrial(opened.engine);
    });
    afterAll(async () => {
      await opened.engine.close();
      await opened.remove();
    });
    describeRanking(trial);
    describeStrictness(trial);
    describeTechnology(trial);
    describeAny(trial);
    describeOperators(trial);
    describeExactness(trial);
    describeFilters(trial);
    describeSorts(trial);
    describePages(trial);
    describeChanges(trial);
    describeInput(trial);
  });
}
