import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** Gauges of the library with the suffix of counters, which `promtool check metrics` refuses; each repeats another one. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** A registry of its own with the numbers of this process. */
export function makeRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}

/** Adds the age of a copy of the catalogue server, in seconds (NaN until its first sync), and whether it answers reads. */
export function addCopyMetrics(registry: Registry, age: () => { answers: boolean; seconds: number | null }): void {
  new Gauge({
    name: 'catalogue_replica_age_seconds',
    help: 'Seconds since the copy of the catalogue server had everything that the server had.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(age().seconds ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'catalogue_replica_answers',
    help: '1 while reads are answered from the copy of the catalogue server, 0 while the server itself is asked.',
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.set(age().answers ? 1 : 0);
    },
  });
}
