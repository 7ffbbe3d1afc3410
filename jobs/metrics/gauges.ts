import { Gauge, type Registry } from 'prom-client';

/** Reads current values from the databases; called once before each rendering. */
export type Refresh = () => Promise<void>;

/** Adds a gauge, without labels unless some are named. */
export function addGauge(registry: Registry, name: string, help: string, labelNames: string[] = []): Gauge {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}
