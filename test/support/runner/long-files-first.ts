import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Folder and name of the files that take several seconds on an idle machine, the longest first. */
const LONG = [
  'browser/page-kinds.test.ts',
  'cluster/running.test.ts',
  'rebuild/register-order.test.ts',
  'demo/running.test.ts',
  'chaos/killed-ingest.test.ts',
  'api/main.test.ts',
  'browser/journeys.test.ts',
  'relevance/figures.test.ts',
  'summary/equal-to-exports.test.ts',
  'takedown/rebuilt.test.ts',
  'cells/turns.test.ts',
  'jobs/main.test.ts',
  'scheduler/timetable.test.ts',
  'ingest/served.test.ts',
  'startup/older-program.test.ts',
  'index/killed.test.ts',
  'rebuild/generation.test.ts',
  'backup/restore.test.ts',
  'mcp/hostile-texts.test.ts',
  'jobs/signals.test.ts',
  'api/whole-table.test.ts',
  'scheduler/fill-index.test.ts',
  'browser/try.test.ts',
  'chaos/killed-watches.test.ts',
  'cli/bad-input.test.ts',
  'tasks/server-away.test.ts',
  'process/heap.test.ts',
  'browser/keyboard.test.ts',
  'money/killed.test.ts',
];

/** The order of a run: long files first, so that one worker is not left with a long file while the others are idle. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
    const long = sorted.filter((file) => place(file) >= 0);
    return [...long.sort((a, b) => place(a) - place(b)), ...sorted.filter((file) => place(file) < 0)];
  }
}
