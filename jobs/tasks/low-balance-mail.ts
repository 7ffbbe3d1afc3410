import {
  type LowAccount,
  mailedStatement,
  notMailedStatement,
  readLowAccounts,
} from '../../schema/accounts/customer/account.ts';
import type { Settings } from '../../schema/config/settings.ts';
import type { Statement } from '../../schema/db/interface.ts';
import type { Mail, SendMail } from '../../schema/process/mail.ts';
import type { JobsServices } from '../process/services.ts';

/** Mails of one turn: a server that does not answer takes its time over each. */
const MOST = 50;

/**
 * Tells holders by mail that their balance is low, once until it is back at the bound. The note is written before the mail
 * leaves: a process that is killed between the two sends one too few, never one twice. Answers how many left.
 */
export async function mailLowBalances(
  { accounts, settings, log }: JobsServices,
  mail: SendMail,
  { fence, signal }: { fence: Statement; signal: AbortSignal },
): Promise<number> {
  let sent = 0;
  for (const low of await readLowAccounts(accounts, settings.LOW_BALANCE_CREDITS, MOST)) {
    signal.throwIfAborted();
    const [, noted] = await accounts.write([fence, mailedStatement(low.id, settings.LOW_BALANCE_CREDITS)]);
    if (noted?.changes !== 1) continue;
    try {
      await mail(writeMail(settings, low));
      sent += 1;
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log.error({ account: low.id, code, responseCode }, 'a mail about a low balance was not sent');
      // An address that is refused for good is not tried again; a server that is out is, at the next turn.
      if (responseCode === undefined || responseCode < 500) await accounts.write([fence, notMailedStatement(low.id)]);
    }
  }
  return sent;
}

function writeMail({ APP_URL }: Settings, { email, balance }: LowAccount): Mail {
  const text = `${balance === 1 ? '1 credit is' : `${balance} credits are`} left in your account. A call that costs more is refused, free of charge.

Top up: ${APP_URL}/dashboard/billing

You are told once, and again only after the balance was higher. To hear of it no more: ${APP_URL}/dashboard/settings
`;
  return { to: email, subject: 'Your balance is low', text };
}
