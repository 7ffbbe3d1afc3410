import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges of the library that bear the ending of counters, which `promtool check metrics` refuses; each repeats another one. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** A registry of its own with the numbers of this process. */
export function makeRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}
