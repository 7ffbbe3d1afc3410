import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LATE_OPTIMISING } from './schema/process/child.ts';
import { compiledRooms } from './test/support/runner/compiled-rooms.ts';
import { LongFilesFirst } from './test/support/runner/long-files-first.ts';
import { LIMITS_MS } from './test/support/time-limits.ts';

export default defineConfig({
  plugins: [compiledRooms()],
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: 'test/support/compiled.ts',
    setupFiles: ['test/support/runner/compiled-children.ts', 'test/support/runner/quick-passwords.ts'],
    // The embedded engine and the servers are processes of their own; forks keep a native crash from hiding other files' results.
    pool: 'forks',
    // Most tests run their code a few times only: compiling it for speed, and collecting a small young heap often, took a fifteenth
    // of their processor time. Waking other threads to collect it, and looking for old garbage before there is much, took a twentieth.
    execArgv: [
      ...LATE_OPTIMISING,
      '--min-semi-space-size=16',
      '--max-semi-space-size=32',
      '--no-parallel-scavenge',
      '--initial-old-space-size=256',
    ],
    // One more than the cores: a worker waits a fifth of its time for the processes that its tests start. With two more, two cores
    // took as long. With these processes it takes up to a gigabyte, so no more than eight.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    // Modules are loaded once per worker: loading them for each file took a third of the run.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    testTimeout: LIMITS_MS.usual,
    hookTimeout: LIMITS_MS.usual,
    expect: { poll: { timeout: LIMITS_MS.wait } },
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'test-results/report.json' }]] : ['default'],
  },
});
