import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { LATE_OPTIMISING } from '../../../schema/process/child.ts';
import { ANSWERING_HEAP, boundedHeap, YOUNG_HEAP } from '../../../schema/process/heap.ts';

it.each([
  ['a small heap', boundedHeap()],
  ['a young heap', YOUNG_HEAP],
  ['a process that answers', ANSWERING_HEAP],
  ['a process that works through releases', LATE_OPTIMISING],
])('the version of Node that runs here starts with the options of %s', (_what, options) => {
  const { status, stderr } = spawnSync(process.execPath, [...options, '--eval', ''], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
