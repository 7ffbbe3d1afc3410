import { PAUSED_REASONS, WAITING_REASONS, WATCH_REASONS } from '../../schema/accounts/watches/row.ts';
import { noteReasonStatement, readUnmailedReasons } from '../../schema/accounts/watches/standing.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { SendMail } from '../../schema/process/mail.ts';
import type { Holding } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';

/** Mails of one turn. */
const MOST = 50;
/** What its owner did, or cannot be told of by mail. */
const QUIET = ['by_owner', 'unsubscribed', 'mail_refused', 'account_stopped'];
const REASONS = [...Object.keys(WAITING_REASONS), ...Object.keys(PAUSED_REASONS)].filter((one) => !QUIET.includes(one));

/** Mails the owners of watches that wait or were paused, once until that is over; answers how many mails left. */
export async function mailOwners(
  { accounts, clocks, settings, log }: JobsServices,
  mail: SendMail,
  { fence, signal }: Holding,
): Promise<number> {
  let sent = 0;
  for (const { id, name, reason, email, state } of await readUnmailedReasons(accounts, REASONS, MOST)) {
    signal.throwIfAborted();
    const at = isoInstant(clocks.wallNow());
    const [, noted] = await accounts.write([fence, noteReasonStatement(id, reason, at)]);
    if (noted?.changes !== 1) continue;
    try {
      const text = `${WATCH_REASONS[reason]}\n\nNothing is lost: it continues from where it stood. See it here: ${settings.APP_URL}/dashboard/watches/${id}\n`;
      await mail({ to: email, subject: `Your watch "${name}" ${state === 'paused' ? 'is paused' : 'waits'}`, text });
      sent += 1;
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log.error({ watch: id, code, responseCode }, 'a mail about a watch was not sent');
      if (responseCode === undefined || responseCode < 500)
        await accounts.write([fence, noteReasonStatement(id, reason, null)]);
    }
  }
  return sent;
}
