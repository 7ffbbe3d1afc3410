import { IS_NEXT } from '../../schema/accounts/watches/deliveries.ts';
import { openMail } from '../../schema/process/mail.ts';
import { type Done, withLease } from '../process/lease.ts';
import { readSameSecret } from '../process/same-secret.ts';
import type { JobsServices } from '../process/services.ts';
import { mailDigests, mailOwners } from '../watches/digest.ts';
import { type MatchReport, matchWatches } from '../watches/match.ts';
import { type SendReport, sendWebhooks } from '../watches/send.ts';
import { openWebhookClient } from '../watches/webhook.ts';

const hasRow = async ({ accounts }: JobsServices, sql: string, args: number[] = []) =>
  (await accounts.read({ sql, args })).length > 0;

/** Matches watches with changed rows. Takes the lease only if there are watches. */
export async function matchChanges(services: JobsServices, signal?: AbortSignal): Promise<Done<MatchReport | null>> {
  if (!(await hasRow(services, "SELECT 1 FROM watch WHERE state <> 'paused' LIMIT 1")))
    return { acquired: true, result: null };
  return withLease(services.accounts, 'watches', { holder: services.holder, signal }, (holding) =>
    matchWatches(services, holding),
  );
}

/** Sends the webhooks that are due. Takes the lease only if there is one. */
export async function deliverWebhooks(services: JobsServices, signal?: AbortSignal): Promise<Done<SendReport | null>> {
  // Without these conditions, deliveries behind one that failed, of a paused watch or by mail would take the lease every second.
  const waiting = `SELECT 1 FROM watch_delivery d JOIN watch w ON w.id = d.watch_id
    WHERE d.status = 'waiting' AND d.next_attempt_at <= ? AND w.webhook IS NOT NULL AND ${IS_NEXT} LIMIT 1`;
  // By the clock that set the time, as that of a database server may be behind it.
  if (!(await hasRow(services, waiting, [services.clocks.wallNow().getTime()])))
    return { acquired: true, result: null };
  // With a different secret, attempts would be used up, and the links in mails would not work.
  await readSameSecret(services.accounts, services.settings);
  const client = openWebhookClient({ addresses: services.settings.WATCH_ADDRESSES });
  return withLease(services.accounts, 'webhooks', { holder: services.holder, signal }, (holding) =>
    sendWebhooks(services, client, holding),
  ).finally(() => client.close());
}

/** Mails what watches found, and owners of watches that stopped, if there is a mail server; returns how many were sent. */
export async function mailWatches(services: JobsServices, signal?: AbortSignal): Promise<Done<number>> {
  const mail = (await hasRow(services, 'SELECT 1 FROM watch LIMIT 1')) ? await openMail(services.settings) : null;
  if (!mail) return { acquired: true, result: 0 };
  await readSameSecret(services.accounts, services.settings);
  return withLease(
    services.accounts,
    'watch_mail',
    { holder: services.holder, signal },
    async (holding) => (await mailDigests(services, mail, holding)) + (await mailOwners(services, mail, holding)),
  );
}
