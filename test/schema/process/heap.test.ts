import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { COLLECTING } from '../../../schema/process/heap.ts';
import { needCompiled } from '../../support/compiled.ts';

/** Two thirds of what fills the heap are garbage, spread evenly. */
const GARBAGE = `
import { collectWhenIdle, compactHeap } from '${pathToFileURL(needCompiled('schema/process/heap.ts'))}';
const all = Array.from({ length: 600_000 }, (_, at) => ({ name: 'name ' + at, others: [at] }));
const kept = all.filter((_, at) => at % 3 === 0);
all.length = 0;
gc();
const before = process.memoryUsage().heapTotal;
const share = () => process.memoryUsage().heapTotal / before;
`;

/** What a process prints that has this garbage and then runs the code. */
async function run(code: string): Promise<{ kept: number; shares: number[] }> {
  const node = [COLLECTING, '--input-type=module', '-e', GARBAGE + code];
  const { stdout } = await promisify(execFile)(process.execPath, node);
  return JSON.parse(stdout);
}

describe('a heap with garbage', () => {
  it('gives pages back that a plain collection keeps', async () => {
    const { kept, shares } = await run(`
      compactHeap();
      console.log(JSON.stringify({ kept: kept.length, shares: [share()] }));`);
    expect(kept).toBe(200_000);
    expect(shares[0]).toBeLessThan(0.9);
  });

  it('gives them back once its process is idle, and not while pieces of work follow each other', async () => {
    const { kept, shares } = await run(`
      const isDone = collectWhenIdle();
      const shares = [];
      const work = setInterval(() => {
        isDone();
        if (shares.push(share()) < 24) return;
        clearInterval(work);
        const wait = setInterval(() => {
          if (share() > 0.9) return;
          clearInterval(wait);
          console.log(JSON.stringify({ kept: kept.length, shares: [Math.min(...shares), share()] }));
        }, 50);
      }, 100);`);
    expect(kept).toBe(200_000);
    expect(shares[0]).toBeGreaterThan(0.9);
    expect(shares[1]).toBeLessThan(0.9);
  });
});
