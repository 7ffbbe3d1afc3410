import type { Logger } from 'pino';
import { type Callers, makeCallers } from '../access/caller.ts';
import { ACCOUNT_TIMES, type Limits, makeLimits } from '../access/limits.ts';
import { type KeptAnswers, makeKeptAnswers } from '../answer/cache.ts';
import { type Committer, makeCommitter } from '../concurrency/group-commit.ts';
import type { House, Operation } from '../contract/operation.ts';
import { countAnswers, type Metrics, makeMetrics } from './metrics.ts';

/** What both doors share: the house, the table and the machinery between them. One per server. */
export interface Kit {
  house: House;
  operations: readonly Operation[];
  log: Logger;
  metrics: Metrics;
  committer: Committer;
  kept: KeptAnswers;
  callers: Callers;
  keyLimits: Limits;
  accountLimits: Limits;
  addressLimits: Limits;
  /** Of their own, so that what else comes from an address keeps neither a paid file nor a payment out. */
  downloadLimits: Limits;
  webhookLimits: Limits;
}

export function makeKit(house: House, operations: readonly Operation[], log: Logger): Kit {
  const metrics = makeMetrics();
  const committer = makeCommitter(house.accounts, (size) => metrics.commitGroup.observe(size));
  const callers = makeCallers(house.accounts, committer, house.clocks, (error) =>
    log.warn({ error }, 'last-used times were not written'),
  );
  const requestsPerMinute = house.settings.KEY_REQUESTS_PER_MINUTE;
  return {
    house: { ...house, search: countAnswers(house.search, metrics.searches) },
    operations,
    log,
    metrics,
    committer,
    kept: makeKeptAnswers(house.catalogue, house.settings.KEPT_ANSWERS_MB),
    callers,
    keyLimits: makeLimits('key', requestsPerMinute),
    accountLimits: makeLimits('account', ACCOUNT_TIMES * requestsPerMinute),
    addressLimits: makeLimits('address', requestsPerMinute),
    downloadLimits: makeLimits('address', requestsPerMinute),
    webhookLimits: makeLimits('address', requestsPerMinute),
  };
}
