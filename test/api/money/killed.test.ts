import { describe, expect, it } from 'vitest';
import { buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';
import { runMoneyChaos } from './harness.ts';
import { TEST_ASKS } from './metered-calls.ts';

describe('API processes that are killed while they bill', () => {
  it('charge every success that was seen once, every key at most once, and nothing besides', async () => {
    const built = await buildServer({ operations: testRows });
    const size = { kills: 2, clients: 8, processes: 2, seed: 1, answersMost: 60, impatient: true };
    const report = await runMoneyChaos({ server: built, rows: 'test', asks: TEST_ASKS, ...size });
    expect(report).toMatchObject({ kills: 2, faults: [] });
    expect(report.successes).toBeGreaterThan(20);
    expect(report.seen.keyed.length).toBeGreaterThan(10);
    await built.close();
  });
});
