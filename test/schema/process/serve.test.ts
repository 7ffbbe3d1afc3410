import { describe, expect, it } from 'vitest';
import { makeSequence } from '../../../schema/process/serve.ts';

describe('a sequence', () => {
  it('begins a piece of work when the previous one has ended', async () => {
    const run = makeSequence();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
    };
    await Promise.all([run(work('one')), run(work('two'))]);
    expect(steps).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  it('gives each caller its own result, and continues after a failure', async () => {
    const run = makeSequence();
    const failing = run(() => Promise.reject(new Error('lost')));
    const working = run(async () => 2);
    await expect(failing).rejects.toThrow('lost');
    expect(await working).toBe(2);
  });
});
