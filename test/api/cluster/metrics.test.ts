import { expect, it } from 'vitest';
import { joinMetrics } from '../../../api/cluster/primary.ts';
import { makeMetrics } from '../../../api/process/context.ts';
import type { Metric } from '../../../api/server.ts';

/** The metrics of a process in which one request took so long. */
async function measure(seconds: number, exportFault: string | null = null): Promise<Metric[]> {
  const { registry, requests } = makeMetrics(async () => exportFault);
  requests.observe({ door: 'rest', operation: 'get_balance', status: '200' }, seconds);
  return registry.getMetricsAsJSON();
}

const sumOf = (text: string) => Number(/^api_request_duration_seconds_sum\{.*\} (\S+)$/m.exec(text)?.[1]);

it('a sum over several processes does not fall when one of them moves to those that ended', async () => {
  const [first, second, third] = [await measure(0.1), await measure(0.2), await measure(0.3)];
  const before = await joinMetrics([third, second, first]).metrics();
  const ended = await joinMetrics([third]).getMetricsAsJSON();
  const after = await joinMetrics([first, second, ended]).metrics();
  expect([0.3 + 0.2 + 0.1, 0.1 + 0.2 + 0.3]).toEqual([0.6, 0.6000000000000001]);
  expect(sumOf(after)).toBe(sumOf(before));
  expect(sumOf(before)).toBeCloseTo(0.6, 5);
});

it('exports are out of reach as 1, however many processes say so', async () => {
  const both = joinMetrics([await measure(1, 'the folder is gone'), await measure(1, 'the folder is gone')]);
  expect(await both.metrics()).toMatch(/^api_exports_out_of_reach 1$/m);
  const one = joinMetrics([await measure(1), await measure(1, 'the folder is gone')]);
  expect(await one.metrics()).toMatch(/^api_exports_out_of_reach 1$/m);
});
