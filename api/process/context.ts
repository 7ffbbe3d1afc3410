import type { Logger } from 'pino';
import { type Callers, makeCallers } from '../access/caller.ts';
import { ACCOUNT_TIMES, type Limits, makeLimits } from '../access/limits.ts';
import { type AnswerCache, makeAnswerCache } from '../answer/cache.ts';
import { type Committer, makeCommitter } from '../concurrency/group-commit.ts';
import type { Operation, Services } from '../contract/operation.ts';
import { countAnswers, type Metrics, makeMetrics } from './metrics.ts';

/** What REST, MCP and the pages share: the services, the table of operations, limits and metrics. One per server. */
export interface Context {
  services: Services;
  operations: readonly Operation[];
  log: Logger;
  metrics: Metrics;
  committer: Committer;
  answerCache: AnswerCache;
  callers: Callers;
  keyLimits: Limits;
  accountLimits: Limits;
  addressLimits: Limits;
  /** Of their own, so that what else comes from an address keeps neither a paid file nor a payment out. */
  downloadLimits: Limits;
  webhookLimits: Limits;
}

/** Builds the context of one server: metrics, committer, answer cache, authentication and limits. */
export function makeContext(services: Services, operations: readonly Operation[], log: Logger): Context {
  const metrics = makeMetrics();
  const committer = makeCommitter(services.accounts, (size) => metrics.commitGroup.observe(size));
  const callers = makeCallers(services.accounts, committer, services.clocks, (error) =>
    log.warn({ error }, 'last-used times were not written'),
  );
  const requestsPerMinute = services.settings.KEY_REQUESTS_PER_MINUTE;
  return {
    services: { ...services, search: countAnswers(services.search, metrics.searches) },
    operations,
    log,
    metrics,
    committer,
    answerCache: makeAnswerCache(services.catalogue, services.settings.KEPT_ANSWERS_MB),
    callers,
    keyLimits: makeLimits('key', requestsPerMinute),
    accountLimits: makeLimits('account', ACCOUNT_TIMES * requestsPerMinute),
    addressLimits: makeLimits('address', requestsPerMinute),
    downloadLimits: makeLimits('address', requestsPerMinute),
    webhookLimits: makeLimits('address', requestsPerMinute),
  };
}
