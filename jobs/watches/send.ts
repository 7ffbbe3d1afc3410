import { setTimeout as pause } from 'node:timers/promises';
import { readRetryAfter } from '../../ingest/http/refusals.ts';
import {
  type DueDelivery,
  deliveredStatements,
  failedAttemptStatement,
  readDueDeliveries,
  sendingStatement,
} from '../../schema/accounts/watches/deliveries.ts';
import { pauseStatement } from '../../schema/accounts/watches/lifecycle.ts';
import { signingSecrets } from '../../schema/accounts/watches/secret.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import { readSecret } from '../../schema/config/secret.ts';
import type { Statement } from '../../schema/db/interface.ts';
import type { Holding } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';
import type { WebhookAttempt, WebhookClient } from './webhook.ts';

/** Webhooks sent to one host at once; its other watches wait. */
const PER_HOST = 4;
/** The part of all webhooks at once that may be of one account: its receivers may have many addresses, and all may hang. */
const ACCOUNT_PART = 1 / 4;
/** A call that takes longer makes its account a slow one for a time: a round may last for as long as there is something to send. */
const SLOW_MS = 1_000;
const SLOW_FOR_MS = 600_000;
/** The part of all webhooks at once that may be of all slow accounts together: several accounts may have hung receivers. */
const SLOW_PART = 1 / 2;

/** How soon it looks for more to send while a receiver is slow. */
const LOOK_MS = 250;

/** Pauses between attempts, in seconds, as the Standard Webhooks specification recommends: three days in all. */
const PAUSES_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Each pause is extended at random by up to this share, so that simultaneous failures are not repeated together. */
const JITTER = 0.1;
const GONE = 410;
/** The longest pause that a receiver may ask for. */
const RETRY_AFTER_SECONDS_MAX = 86_400;
/** The longest pause before an attempt, in milliseconds. */
export const PAUSE_MS_MAX = Math.max(...PAUSES_SECONDS, RETRY_AFTER_SECONDS_MAX) * 1_000 * (1 + JITTER);

/** The result of a round of sending. */
export interface SendReport {
  delivered: number;
  failed: number;
}

/**
 * Sends due webhooks until none is left: in order for each watch, several at a time for each host and account, all independent of
 * each other. If killed, unrecorded ones are sent again under the same id.
 */
export async function sendWebhooks(
  services: JobsServices,
  client: WebhookClient,
  { fence, signal }: Holding,
): Promise<SendReport> {
  const { accounts, clocks, settings } = services;
  const serviceSecret = await readSecret(settings);
  const report: SendReport = { delivered: 0, failed: 0 };
  const running: Running = new Map();
  const slow: Slow = new Map();
  const atOnce = settings.WATCH_SENDS_AT_ONCE;
  const faults: unknown[] = [];
  const start = (delivery: DueDelivery) => {
    const done = deliver(services, client, { delivery, serviceSecret, fence })
      .then((outcome) => void (outcome && report[outcome]++))
      .catch((error: unknown) => void faults.push(error))
      .finally(() => {
        addSlow(slow, running);
        running.delete(delivery.watch_id);
      });
    const begunMs = performance.now();
    running.set(delivery.watch_id, { host: hostOf(delivery), account: delivery.account_id, begunMs, done });
  };
  for (;;) {
    const wasIdle = running.size === 0;
    addSlow(slow, running);
    const room = atOnce - running.size;
    const mayStart = room > 0 && !signal.aborted && faults.length === 0;
    const due = mayStart
      ? await readDueDeliveries(accounts, {
          nowMs: clocks.wallNow().getTime(),
          busy: [...running.keys()],
          full: findFull(running, slow, atOnce),
          limit: room * PER_HOST,
          mailed: false,
        })
      : [];
    let started = 0;
    for (const delivery of due) {
      if (running.size >= atOnce || running.has(delivery.watch_id)) continue;
      if (!isFree(delivery, findFull(running, slow, atOnce))) continue;
      start(delivery);
      started += 1;
    }
    // A delivery that ended during the read may have had successors, which the read skipped.
    if (wasIdle && running.size === 0) break;
    if (started === 0 && running.size > 0)
      await Promise.race([...running.values()].map(({ done }) => done).concat(pause(LOOK_MS)));
  }
  if (faults.length > 0) throw faults[0];
  return report;
}

/** The calls in progress, by watch. */
type Running = Map<string, { host: string; account: string; begunMs: number; done: Promise<void> }>;
type Full = { hosts: string[]; accounts: string[] };

/** Slow accounts, each with when it was last slow. */
type Slow = Map<string, number>;

/** Adds the accounts with a call that has taken long, and drops those that were slow long ago. */
function addSlow(slow: Slow, running: Running): void {
  const nowMs = performance.now();
  for (const { account, begunMs } of running.values()) if (begunMs < nowMs - SLOW_MS) slow.set(account, nowMs);
  for (const [account, lastMs] of slow) if (lastMs < nowMs - SLOW_FOR_MS) slow.delete(account);
}

/** Hosts and accounts with as many calls in progress as allowed: their deliveries are not read. */
function findFull(running: Running, slow: Slow, atOnce: number): Full {
  const calls = [...running.values()];
  const hosts = calls.map(({ host }) => host);
  const accounts = calls.map(({ account }) => account);
  const ofSlow = accounts.filter((account) => slow.has(account)).length;
  return {
    hosts: repeated(hosts, PER_HOST),
    accounts: [
      ...repeated(accounts, Math.ceil(atOnce * ACCOUNT_PART)),
      ...(ofSlow >= Math.ceil(atOnce * SLOW_PART) ? slow.keys() : []),
    ],
  };
}

function repeated(names: readonly string[], times: number): string[] {
  return [...new Set(names)].filter((name) => names.filter((one) => one === name).length >= times);
}

function isFree(delivery: DueDelivery, { hosts, accounts }: Full): boolean {
  return !hosts.includes(hostOf(delivery)) && !accounts.includes(delivery.account_id);
}

/** Scheme, name and port of a receiver, as its address begins. */
function hostOf({ webhook }: DueDelivery): string {
  return URL.canParse(webhook ?? '') ? new URL('/', webhook ?? '').href : '';
}

interface Sending {
  delivery: DueDelivery;
  serviceSecret: string;
  fence: Statement;
}

/**
 * Makes one attempt, which is recorded before it is sent: what a receiver may have is not refunded. Returns the outcome; null
 * where the delivery was dropped meanwhile.
 */
async function deliver(
  { accounts, clocks, log }: JobsServices,
  client: WebhookClient,
  { delivery, serviceSecret, fence }: Sending,
): Promise<keyof SendReport | null> {
  const [, begun] = await accounts.write([fence, sendingStatement(delivery, isoInstant(clocks.wallNow()))]);
  if (begun?.changes !== 1) return null;
  const secrets = signingSecrets({ ...delivery, id: delivery.watch_id }, serviceSecret, clocks.wallNow());
  const attempt =
    secrets === null
      ? { status: null, ms: 0, answer: null, isSent: false, error: 'its secret cannot be read any more: rotate it' }
      : await client.send({
          url: delivery.webhook ?? '',
          id: delivery.id,
          // Part of it may have been taken down since it was read.
          body: String(begun.rows[0]?.body ?? ''),
          secrets,
          now: clocks.wallNow(),
        });
  const at = isoInstant(clocks.wallNow());
  if (attempt.error === null) {
    await accounts.write([fence, ...deliveredStatements(delivery, attempt, at)]);
    return 'delivered';
  }
  const nextMs = nextAttemptMs(delivery, attempt, clocks.wallNow());
  const isRepeat = delivery.delivered_at !== null && attempt.status !== GONE;
  const ends = nextMs === null && delivery.kind === 'items' && !isRepeat;
  const paused = ends ? [pauseStatement(delivery.watch_id, 'receiver_failed', delivery.id)] : [];
  const outcomes = await accounts.write([fence, ...paused, failedAttemptStatement(delivery, attempt, { nextMs, at })]);
  if (ends && outcomes[1]?.changes === 1)
    log.warn({ watch: delivery.watch_id, error: attempt.error }, 'a watch was paused: its receiver failed');
  return 'failed';
}

/**
 * When a failed delivery is sent again, in milliseconds since the epoch; null where it is not: a test is not, nor is a delivery
 * that is repeated on request, as new ones would wait for it.
 */
function nextAttemptMs(
  { attempts, kind, delivered_at }: DueDelivery,
  attempt: WebhookAttempt,
  now: Date,
): number | null {
  const seconds = PAUSES_SECONDS[attempts];
  if (kind === 'test' || delivered_at !== null || attempt.status === GONE || seconds === undefined) return null;
  const wanted = Math.min(readRetryAfter(attempt.retryAfter ?? null, now) ?? 0, RETRY_AFTER_SECONDS_MAX);
  return now.getTime() + Math.max(seconds, wanted) * 1_000 * (1 + Math.random() * JITTER);
}
