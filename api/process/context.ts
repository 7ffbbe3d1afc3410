import type { Logger } from 'pino';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { addCopyMetrics, makeRegistry } from '../../schema/process/metrics.ts';
import type { AnyHit, SearchEngine, Searches } from '../../search/engine.ts';
import { type Callers, makeCallers } from '../access/caller.ts';
import { ACCOUNT_TIMES, type Limits, makeLimits } from '../access/limits.ts';
import { type AnswerCache, makeAnswerCache } from '../answer/cache.ts';
import { type Committer, makeCommitter } from '../concurrency/group-commit.ts';
import type { Operation, Services } from '../contract/operation.ts';
import { knowSources, makeDescriber } from '../validation/known-sources.ts';

/** What REST, MCP and the pages share: the services, the table of operations, limits and metrics. One per server. */
export interface Context {
  services: Services;
  operations: readonly Operation[];
  /** The operations as described now, with the services of the catalogue; the same array until those change. */
  describeOperations(): Promise<readonly Operation[]>;
  /** The operation that judges these inputs: if one names a service, those of the catalogue are accepted. */
  judgeOf(operation: Operation, given: Readonly<Record<string, unknown>>): Promise<Operation>;
  log: Logger;
  metrics: Metrics;
  committer: Committer;
  answerCache: AnswerCache;
  /** Credits that each key could spend when its account was last read, by key id. */
  spendable: Map<string, number>;
  callers: Callers;
  keyLimits: Limits;
  accountLimits: Limits;
  addressLimits: Limits;
  /** Separate, so that other requests from an address cannot block a paid file or a payment. */
  downloadLimits: Limits;
  webhookLimits: Limits;
}

/** Builds the context of one server: metrics, committer, answer cache, authentication and limits. */
export function makeContext(services: Services, operations: readonly Operation[], log: Logger): Context {
  const metrics = makeMetrics(services.findExportFault);
  const { copyAge } = services.catalogue;
  if (copyAge) addCopyMetrics(metrics.registry, copyAge);
  const { accounts, machine } = services;
  const onGroup = (size: number) => metrics.commitGroup.observe(size);
  // Each process writes to a server itself.
  const writeGroup = accounts.url.startsWith('file:') ? machine.writeGroup : undefined;
  const committer = makeCommitter(accounts, onGroup, writeGroup);
  const callers = makeCallers(services.accounts, committer, services.clocks, (error) =>
    log.warn({ err: error }, 'last-used times were not written'),
  );
  const requestsPerMinute = services.settings.KEY_REQUESTS_PER_MINUTE;
  const limit = (name: string, policy: 'key' | 'account' | 'address', requests = requestsPerMinute) =>
    makeLimits(services.machine, { name, policy, requests });
  return {
    services: { ...services, search: countAnswers(services.search, metrics.searches) },
    operations,
    describeOperations: makeDescriber(services.catalogue, operations, (error) =>
      log.warn({ err: error }, 'the contract stays as it was described: the sources cannot be read'),
    ),
    judgeOf: (operation, given) => knowSources(operation, given, services.catalogue),
    log,
    metrics,
    committer,
    answerCache: makeAnswerCache(services.catalogue, services.settings.KEPT_ANSWERS_MB, services.clocks.catalogueNow),
    spendable: new Map(),
    callers,
    keyLimits: limit('keys', 'key'),
    accountLimits: limit('accounts', 'account', ACCOUNT_TIMES * requestsPerMinute),
    addressLimits: limit('addresses', 'address'),
    downloadLimits: limit('downloads', 'address'),
    webhookLimits: limit('webhooks', 'address'),
  };
}

interface Metrics {
  registry: Registry;
  requests: Histogram<'door' | 'operation' | 'status'>;
  credits: Counter<'operation'>;
  commitGroup: Histogram;
  searches: Counter<'engine' | 'failover'>;
}

/**
 * Counters of one server, in a separate registry so that two servers in one process do not mix. @param findExportFault - returns
 * why exports are refused, if they are
 */
export function makeMetrics(findExportFault: Services['findExportFault'] = async () => null): Metrics {
  const registry = makeRegistry();
  new Gauge({
    name: 'api_exports_out_of_reach',
    help: '1 while exports are refused, as this process does not see the store that jobs write them to.',
    registers: [registry],
    aggregator: 'max',
    async collect() {
      this.set((await findExportFault()) === null ? 0 : 1);
    },
  });
  return {
    registry,
    requests: new Histogram({
      name: 'api_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['door', 'operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    credits: new Counter({
      name: 'api_credits_charged_total',
      help: 'Credits debited, by operation.',
      labelNames: ['operation'],
      registers: [registry],
    }),
    commitGroup: new Histogram({
      name: 'api_commit_group_size',
      help: 'How many calls shared one durable commit.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    }),
    searches: new Counter({
      name: 'search_answers_total',
      help: 'Searches answered, by the engine that did and why another one did not.',
      labelNames: ['engine', 'failover'],
      registers: [registry],
    }),
  };
}

/** The search engines, with their answers counted by the engine that gave them and the reason for a failover. */
function countAnswers(search: Searches, answers: Counter<'engine' | 'failover'>): Searches {
  const counted = <Hit extends AnyHit>(engine: SearchEngine<Hit>): SearchEngine<Hit>['find'] => {
    return async (query) => {
      const answer = await engine.find(query);
      answers.inc({ engine: answer.meta.engine, failover: answer.meta.failover?.reason ?? 'none' });
      return answer;
    };
  };
  return {
    ...search,
    find: counted(search),
    contracts: { ...search.contracts, find: counted(search.contracts) },
  };
}
