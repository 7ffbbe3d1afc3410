import type { Logger } from 'pino';
import { AggregatorRegistry, Counter, Gauge, type Registry } from 'prom-client';
import type { Settings } from '../../schema/config/settings.ts';
import { inTime } from '../../schema/process/in-time.ts';
import { makeRegistry } from '../../schema/process/metrics.ts';
import type { Readiness } from '../../schema/process/operator-answers.ts';
import { openReaders } from '../../search/open.ts';
import { makeSummaryReaders } from '../../search/summary/open.ts';
import { makeLongReadPool } from '../find/readers.ts';
import type { PrivateServer } from '../private-server.ts';
import { makeRowReaders } from '../reads/export-rows/counter.ts';
import type { Metric } from '../server.ts';
import { makeAllowances } from './allowances.ts';
import { type Crew, type Member, makeCrew } from './crew.ts';
import { makeJointWriter } from './joint-writes.ts';
import { makeTurns } from './turns.ts';

/** Several API processes behind one port, as one server. */
export interface Cluster {
  url: string;
  privateUrl: string;
  /** From now on `/readyz` sends new calls elsewhere; those that still come are answered. */
  startDraining(): void;
  /** Lets every worker finish its calls and end, then the readers. */
  close(): Promise<void>;
}

/**
 * Starts `API_PROCESSES` workers, which share the port, and everything that they have in common: readers, allowances, turns, and
 * the private server, which reports for all. A worker that dies is replaced. @throws NotStarted where a worker does not start.
 */
export async function startCluster(settings: Settings, log: Logger, privateServer: PrivateServer): Promise<Cluster> {
  const search = openReaders(settings);
  const rows = makeRowReaders();
  const longReads = makeLongReadPool(settings);
  const summaries = makeSummaryReaders(settings);
  const takeShare = makeAllowances(settings.API_PROCESSES);
  const turns = makeTurns();
  const metrics = makeMetrics();
  const accounts = makeJointWriter(settings.ACCOUNTS_URL);
  const crew = makeCrew({
    processes: settings.API_PROCESSES,
    hangSeconds: settings.API_HANG_SECONDS,
    log,
    onReplaced: () => metrics.restarts.inc(),
    answer: (worker) => ({
      share: (asked) => takeShare(worker(), asked),
      turn: ({ place, waitingMost }) => turns.take(worker(), place, waitingMost),
      endTurn({ place }) {
        turns.end(place);
        return null;
      },
      search: (asked) => search.ask(asked),
      rows: (asked) => rows.ask(asked),
      longReads: (asked) => longReads.ask(asked),
      summaries: (asked) => summaries.ask(asked),
      write: (asked) => accounts.write(asked),
      writeGroup: (asked) => accounts.writeGroup(asked),
    }),
    onGone(worker, counted) {
      turns.leave(worker);
      metrics.keep(counted);
    },
  });
  const closeReaders = () => Promise.all([search.close(), rows.close(), longReads.close(), summaries.close()]);
  const url = await crew.start();
  privateServer.answerWith({
    checkReadiness: () => checkReadiness(crew),
    writeMetrics: () => metrics.write(crew),
  });
  return {
    url,
    privateUrl: privateServer.url,
    startDraining: () => privateServer.startDraining(),
    async close() {
      privateServer.startDraining();
      await crew.close();
      await closeReaders();
      await accounts.close();
      await privateServer.close();
    },
  };
}

/** A worker that takes longer is stuck: every check in it ends within two seconds. */
const READY_MS = 4_000;

/** Whether all workers answer, with the faults and remarks of each, without repeats. */
async function checkReadiness(crew: Crew): Promise<Readiness> {
  const members = crew.members();
  const found = await Promise.all(members.map(askReadiness));
  const missing = crew.processes - members.length;
  const count = missing > 0 ? [`${members.length} of ${crew.processes} API processes answer`] : [];
  const once = (said: (one: Readiness) => string[]) => [...new Set(found.flatMap(said))];
  return { faults: [...count, ...once(({ faults }) => faults)], remarks: once(({ remarks }) => remarks) };
}

function askReadiness({ peer }: Member): Promise<Readiness> {
  const gone = () => ({ faults: ['an API process ended'], remarks: [] });
  const faults = [`an API process did not answer within ${READY_MS / 1_000} s`];
  return inTime(READY_MS, peer.ask('readiness', null).catch(gone), { faults, remarks: [] });
}

interface Metrics {
  restarts: Counter;
  /** The metrics of all processes combined, in Prometheus's text format. */
  write(crew: Crew): Promise<string>;
  /** Keeps the counts of workers that have ended: a counter never falls. */
  keep(counted: Metric[]): void;
}

function makeMetrics(): Metrics {
  const registry = makeRegistry();
  const running = new Gauge({
    name: 'api_processes',
    help: 'API processes that answer calls.',
    registers: [registry],
  });
  let ended: Metric[][] = [];
  return {
    restarts: new Counter({
      name: 'api_process_restarts_total',
      help: 'API processes that ended and were replaced.',
      registers: [registry],
    }),
    async write(crew) {
      const members = crew.members();
      running.set(members.length);
      const [own, ...read] = await Promise.all([registry.getMetricsAsJSON(), ...members.map(crew.readMetrics)]);
      // A process that ended while it was asked, such as a hung one, is counted with those that ended.
      const left = new Set(crew.members());
      const theirs = read.filter((_metrics, index) => left.has(members[index] as Member));
      ended = [await joinMetrics(ended).getMetricsAsJSON()];
      return joinMetrics([own, ...theirs, ...ended]).metrics();
    },
    keep: (counted) => void ended.push(counted.filter(({ type }) => isCounted(String(type)))),
  };
}

function isCounted(type: string): boolean {
  return type === 'counter' || type === 'histogram';
}

/** The metrics of several processes as those of one: most are added up. */
export function joinMetrics(processes: Metric[][]): Registry {
  return AggregatorRegistry.aggregate(processes.map(toJoin));
}

/** The fraction of a second that counts are rounded to. As a power of two it makes their sums exact. */
const PARTS = 2 ** 20;

/** The longest of the delays, and the first of the starts. A count is rounded: otherwise its sum would fall by a last digit where the order changes. */
function toJoin(metrics: Metric[]): Metric[] {
  return metrics.map((metric) => {
    const { name } = metric;
    if (isCounted(String(metric.type))) {
      const values = metric.values.map((one) => ({ ...one, value: Math.round(one.value * PARTS) / PARTS }));
      return { ...metric, values };
    }
    if (name === 'process_start_time_seconds') return { ...metric, aggregator: 'min' };
    return name.startsWith('nodejs_eventloop_lag') ? { ...metric, aggregator: 'max' } : metric;
  });
}
