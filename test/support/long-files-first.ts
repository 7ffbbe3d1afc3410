import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Folder and name of the files that take seven seconds and more of a machine with nothing else to do. */
const LONG = [
  'browser/page-kinds.test.ts',
  'cluster/running.test.ts',
  'rebuild/register-order.test.ts',
  'browser/journeys.test.ts',
  'relevance/figures.test.ts',
  'jobs/main.test.ts',
  'ingest/served.test.ts',
  'backup/restore.test.ts',
  'jobs/signals.test.ts',
  'cli/bad-input.test.ts',
  'demo/running.test.ts',
  'tasks/server-away.test.ts',
  'index/killed.test.ts',
];

/** The order of a run: the long files first, so that none of them is left to one worker while the other has nothing to do. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((file) => moduleId.endsWith(`/${file}`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
