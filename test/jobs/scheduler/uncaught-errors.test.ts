import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { scriptArguments } from '../../support/compiled.ts';
import { makeEnvironment } from '../../support/environment.ts';

it('an error that no job catches is logged, counted and stored, and ends nothing else', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    scriptArguments('test/jobs/scheduler/failing-timers.ts'),
    {
      env: makeEnvironment({}),
    },
  );
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { worked, rows, counted } = lines.at(-1);
  expect(worked).toBe(3);
  expect(counted).toBeGreaterThanOrEqual(2);
  expect(rows).toContainEqual({
    job: 'process',
    state: 'failed',
    error: expect.stringMatching(/a timer that nobody watches\n +at /),
  });
  expect(rows).toContainEqual({ job: 'process', state: 'failed', error: expect.stringContaining('nobody waits for') });
  // One row for a job that goes on failing alike, not one a second.
  expect(rows.filter(({ job }: { job: string }) => job === 'failing')).toEqual([
    { job: 'failing', state: 'failed', error: expect.stringContaining('the disk is on fire') },
  ]);
  const loose = lines.find(({ msg }) => /no job caught/.test(msg ?? ''));
  expect(loose).toMatchObject({ level: 50, err: { stack: expect.stringMatching(/at /) } });
});
