import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { COLLECTING } from '../../../schema/process/heap.ts';
import { ROOT } from '../../support/source-files.ts';

/** Two thirds of what fills the heap are garbage, spread evenly. */
const CODE = `
import { compactHeap } from '${pathToFileURL(`${ROOT}/schema/process/heap.ts`)}';
const all = Array.from({ length: 600_000 }, (_, at) => ({ name: 'name ' + at, others: [at] }));
const kept = all.filter((_, at) => at % 3 === 0);
all.length = 0;
gc();
const before = process.memoryUsage().heapTotal;
compactHeap();
console.log(JSON.stringify({ kept: kept.length, share: process.memoryUsage().heapTotal / before }));
`;

it('gives pages back that a plain collection keeps', async () => {
  const node = [COLLECTING, '--import', 'tsx', '--input-type=module', '-e', CODE];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: ROOT });
  const { kept, share } = JSON.parse(stdout) as { kept: number; share: number };
  expect(kept).toBe(200_000);
  expect(share).toBeLessThan(0.9);
});
