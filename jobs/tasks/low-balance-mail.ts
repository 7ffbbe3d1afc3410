import {
  clearLowBalanceStatement,
  type LowAccount,
  noteLowBalanceStatement,
  readLowAccounts,
} from '../../schema/accounts/customer/account.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { type Mail, openMail, refusalOf, type SendMail, sayFault } from '../../schema/process/mail.ts';
import { type Done, type Holding, withLease } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';

/** At most this many mails in one run, as a server that does not answer delays each of them. */
const MAILS_MAX = 50;

/** Mails holders whose balance is low, if there is a mail server; returns how many mails were sent. */
export async function sendLowBalanceMail(services: JobsServices, signal?: AbortSignal): Promise<Done<number>> {
  const mail = services.settings.LOW_BALANCE_CREDITS > 0 ? await openMail(services.settings) : null;
  if (!mail) return { acquired: true, result: 0 };
  return withLease(services.accounts, 'low_balance', { holder: services.holder, signal }, (holding) =>
    mailLowBalances(services, mail, holding),
  );
}

/**
 * Mails holders that their balance is low, once until it has recovered. Each mail is recorded before it is sent: a kill in
 * between loses it, but no mail is sent twice. Returns how many were sent.
 */
async function mailLowBalances(
  { accounts, settings, log }: JobsServices,
  mail: SendMail,
  { fence, signal }: Holding,
): Promise<number> {
  let sent = 0;
  for (const low of await readLowAccounts(accounts, settings.LOW_BALANCE_CREDITS, MAILS_MAX)) {
    signal.throwIfAborted();
    const [, noted] = await accounts.write([fence, noteLowBalanceStatement(low.id, settings.LOW_BALANCE_CREDITS)]);
    if (noted?.changes !== 1) continue;
    try {
      await mail(writeMail(settings, low));
      sent += 1;
    } catch (error) {
      log.error({ account: low.id, ...sayFault(error) }, 'a mail about a low balance was not sent');
      // An unavailable server is tried again in the next run; an address that is refused for good is not.
      if (refusalOf(error) !== 'for good') await accounts.write([fence, clearLowBalanceStatement(low.id)]);
    }
  }
  return sent;
}

function writeMail({ APP_URL }: Settings, { email, balance }: LowAccount): Mail {
  const text = `${balance === 1 ? '1 credit is' : `${balance} credits are`} left in your account. A call that costs more is refused, free of charge.

Top up: ${APP_URL}/dashboard/billing

You get this mail once, and again only after the balance was higher. To turn it off: ${APP_URL}/dashboard/settings
`;
  return { to: email, subject: 'Your balance is low', text };
}
