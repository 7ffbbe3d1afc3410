import { sources } from '../../ingest/sources/index.ts';
import { returnAddress } from '../../schema/accounts/watches/bounces.ts';
import {
  type DueDelivery,
  deliveredStatements,
  failedAttemptStatement,
  mailedStatement,
  readDueDeliveries,
} from '../../schema/accounts/watches/deliveries.ts';
import { noteReasonStatement, pauseStatement, readUnmailedReasons } from '../../schema/accounts/watches/lifecycle.ts';
import {
  PAUSED_REASONS,
  type PausedReason,
  WAITING_REASONS,
  WATCH_REASONS,
} from '../../schema/accounts/watches/row.ts';
import { stopToken } from '../../schema/accounts/watches/secret.ts';
import { DAY_MS, isoInstant } from '../../schema/config/clocks.ts';
import { readSecret } from '../../schema/config/secret.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { makePatient } from '../../schema/db/patient.ts';
import { type Mail, refusalOf, type SendMail, sayFault } from '../../schema/process/mail.ts';
import { joinAttributionsWithAddress } from '../../schema/reference/licence.ts';
import type { Holding } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';
import { type DeliveredItem, layDigest } from './digest-layout.ts';

/** For every publisher, with the address of the licence: a mail is read away from our pages. */
const ATTRIBUTION = joinAttributionsWithAddress(sources.map(({ attribution }) => attribution));
/** Mails in one run: a server that does not answer delays each. */
const MAILS_MAX = 50;
/** When a mail that failed is tried again, and one that was never recorded as sent, as its process was killed. */
const AGAIN_MS = 600_000;
/** After this a refusal for now is one for good, as with a webhook. Tries that met no server say nothing about the address. */
const REFUSED_MS_MAX = 3 * DAY_MS;
/** How long the record of a mail waits for an accounts server that is away. */
const AWAY_MS_MAX = 120_000;

/**
 * Sends the mails of watches that are due, each recorded before it is sent; returns how many were sent. If the process was
 * killed after the record, the mail is sent ten minutes later with the same `Message-ID`.
 */
export async function mailDigests(services: JobsServices, mail: SendMail, { fence, signal }: Holding): Promise<number> {
  const { accounts, clocks, settings, log } = services;
  const secret = await readSecret(settings);
  // What was sent and is never recorded is sent again.
  const onAway = (err: unknown) =>
    log.warn({ err }, 'the accounts do not answer; a mail that was sent waits to be recorded');
  const patient = makePatient(accounts, { forMs: AWAY_MS_MAX, signal, onAway });
  let sent = 0;
  const nowMs = clocks.wallNow().getTime();
  for (let turn = 0; turn < MAILS_MAX; turn++) {
    signal.throwIfAborted();
    // One at a time: while a mail is on its way, the next may be stopped, or part of its content taken down.
    const [delivery] = await readDueDeliveries(accounts, { nowMs, limit: 1, mailed: true });
    if (!delivery) break;
    const begin = performance.now();
    const attempt = (error: string | null) => ({
      status: null,
      ms: Math.round(performance.now() - begin),
      answer: null,
      isSent: error === null,
      error,
    });
    const at = () => isoInstant(clocks.wallNow());
    // A mail server may have taken minutes for each earlier mail.
    const againMs = () => clocks.wallNow().getTime() + AGAIN_MS;
    const [, noted] = await accounts.write([fence, mailedStatement(delivery, { at: at(), nextMs: againMs() })]);
    if (noted?.changes !== 1) continue;
    try {
      if (delivery.email === null)
        throw Object.assign(new Error('no address'), { command: 'RCPT TO', responseCode: 550 });
      // Part of it may have been taken down since it was read.
      const { body } = noted.rows[0] as Pick<DueDelivery, 'body'>;
      await mail(writeDigest({ ...delivery, body }, delivery.email, { settings, secret }));
    } catch (error) {
      log.error({ watch: delivery.watch_id, ...sayFault(error) }, 'a mail of a watch was not sent');
      const { why, pausedFor, refusedSince } = judgeFailure(error, delivery, clocks.wallNow());
      const paused = pausedFor ? [pauseStatement(delivery.watch_id, pausedFor, delivery.id)] : [];
      const ends = { nextMs: pausedFor ? null : againMs(), at: at(), refusedSince };
      const failed = failedAttemptStatement(delivery, attempt(why), ends);
      await accounts.write([fence, ...paused, failed]);
      continue;
    }
    await patient.write([fence, ...deliveredStatements(delivery, attempt(null), at())]);
    sent += 1;
  }
  return sent;
}

interface Failure {
  why: string;
  pausedFor: PausedReason | null;
  refusedSince: string | null;
}

/** What to do about a mail that was not accepted: a refused one is not tried again, an unavailable server is, after a pause. */
function judgeFailure(error: unknown, { refused_since }: DueDelivery, now: Date): Failure {
  const refusal = refusalOf(error);
  if (refusal === null) return { why: 'the mail server did not take it', pausedFor: null, refusedSince: null };
  const since = refused_since ?? isoInstant(now);
  const isForGood = refusal === 'for good' || now.getTime() - Date.parse(since) >= REFUSED_MS_MAX;
  const isOfText = (error as { command?: string }).command === 'DATA';
  const what = isOfText ? 'mail' : 'address';
  if (!isForGood)
    return { why: `the mail server refuses the ${what} for now, since ${since}`, pausedFor: null, refusedSince: since };
  // A mail refused for good for its text leaves an address that works, so the short mail that reports the pause arrives.
  const pausedFor = isOfText && refusal === 'for good' ? 'text_refused' : 'mail_refused';
  return { why: `the mail server refused the ${what}`, pausedFor, refusedSince: null };
}

/** The page of a watch, where its owner changes, pauses and resumes it. */
const watchUrl = (appUrl: string, id: string) => `${appUrl}/dashboard/watches/${id}`;

function writeDigest(
  { id, watch_id, name, items, body }: DueDelivery,
  to: string,
  { settings: { APP_URL: appUrl, MAIL_BOUNCES }, secret }: { settings: Settings; secret: string },
): Mail {
  const { data } = JSON.parse(body ?? '{"data":{"items":[]}}') as { data: { items: DeliveredItem[] } };
  const stopUrl = `${appUrl}/watches/stop/${stopToken(watch_id, secret)}`;
  const manageUrl = watchUrl(appUrl, watch_id);
  const count = items === 1 ? '1 change' : `${items} changes`;
  return {
    to,
    subject: items === 0 ? `Test of ${name}` : `${name}: ${count}`,
    ...layDigest({ name, items: data.items, appUrl, manageUrl, stopUrl, attribution: ATTRIBUTION }),
    ...(MAIL_BOUNCES && { returnTo: returnAddress(MAIL_BOUNCES, watch_id, secret) }),
    headers: {
      'Message-ID': `<${id}@${new URL(appUrl).hostname}>`,
      // RFC 8058: mail programs show a button, which posts to the address.
      'List-Unsubscribe': `<${stopUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** Stops by the owner, stops that mail cannot report, and those that end within the hour. */
const QUIET = ['by_owner', 'unsubscribed', 'mail_refused', 'mail_bounced', 'account_stopped', 'hourly_limit'];
const REASONS = [...Object.keys(WAITING_REASONS), ...Object.keys(PAUSED_REASONS)].filter((one) => !QUIET.includes(one));

/** Reasons of a pause after which its delivery is no longer tried. */
const FAILED = ['receiver_failed', 'text_refused'];
const CONTINUES = 'Nothing is lost: it continues from where it stood.';
const sayUntilWhen = (days: number) =>
  `Once resumed, it continues from where it stood. What failed is kept for ${days === 1 ? 'a day' : `${days} days`}.`;

/** Mails the owners of watches that wait or were paused, once each time; returns how many mails were sent. */
export async function mailOwners(
  { accounts, clocks, settings, log }: JobsServices,
  mail: SendMail,
  { fence, signal }: Holding,
): Promise<number> {
  let sent = 0;
  for (const { id, name, reason, email, state } of await readUnmailedReasons(accounts, REASONS, MAILS_MAX)) {
    signal.throwIfAborted();
    const at = isoInstant(clocks.wallNow());
    const [, noted] = await accounts.write([fence, noteReasonStatement(id, reason, at)]);
    if (noted?.changes !== 1) continue;
    try {
      const next = FAILED.includes(reason) ? sayUntilWhen(settings.WATCH_BODY_DAYS) : CONTINUES;
      const text = `${WATCH_REASONS[reason]}\n\n${next} Resume or change it: ${watchUrl(settings.APP_URL, id)}\n`;
      await mail({ to: email, subject: `Your watch "${name}" ${state === 'paused' ? 'is paused' : 'waits'}`, text });
      sent += 1;
    } catch (error) {
      log.error({ watch: id, ...sayFault(error) }, 'a mail about a watch was not sent');
      if (refusalOf(error) !== 'for good') await accounts.write([fence, noteReasonStatement(id, reason, null)]);
    }
  }
  return sent;
}
