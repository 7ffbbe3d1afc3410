import type { Logger } from 'pino';
import type { Settings } from '../../../schema/config/settings.ts';
import { type SendMail, sayFault } from '../../../schema/process/mail.ts';

/** Mails about an account. Without a mail server, the operator finds the links in the log. */
export interface AccountMails {
  /** A link that confirms the address. */
  confirm(to: string, token: string): Promise<void>;
  /** Somebody signed up with the address of an existing account. */
  known(to: string): Promise<void>;
  /** A link to set a new password. */
  reset(to: string, token: string): Promise<void>;
  /** The password was changed. */
  changed(to: string): Promise<void>;
}

interface Letter {
  subject: string;
  text: string;
  /** The link that the operator can pass on if no mail is sent. */
  link?: { to: string; address: string };
}

/** A mail that fails is only logged: people can request another. The log contains no e-mail addresses. */
export function makeAccountMails({ APP_URL }: Settings, mail: SendMail | null, log: Logger): AccountMails {
  const send = async (to: string, { subject, text, link }: Letter) => {
    if (!mail) {
      if (link) log.warn({ link: link.address }, `no mail server is set: this link is to ${link.to}`);
      return;
    }
    try {
      await mail({ to, subject, text });
    } catch (error) {
      log.error(sayFault(error), 'a mail was not sent');
    }
  };
  return {
    // The log redacts tokens in addresses, and the operator needs this one.
    confirm: (to, token) => send(to, confirmLetter(`${APP_URL}/confirm?link=${token}`)),
    known: (to) => send(to, knownLetter(APP_URL)),
    reset: (to, token) => send(to, resetLetter(`${APP_URL}/reset?link=${token}`)),
    changed: (to) => send(to, changedLetter(APP_URL)),
  };
}

const confirmLetter = (address: string): Letter => ({
  subject: 'Confirm your e-mail address',
  text: `Somebody, hopefully you, signed up with this address. Confirm it within a day:

${address}

If it was not you, do nothing: no account is created.
`,
  link: { to: 'confirm an account', address },
});

const knownLetter = (appUrl: string): Letter => ({
  subject: 'You have an account already',
  text: `Somebody, hopefully you, tried to sign up with this address, which has an account. Sign in:

${appUrl}/sign-in

Or set a new password, if you have forgotten yours:

${appUrl}/forgotten

If it was not you, do nothing: nothing has changed.
`,
  link: { to: 'sign in, for somebody who signed up again', address: `${appUrl}/sign-in` },
});

const resetLetter = (address: string): Letter => ({
  subject: 'Set a new password',
  text: `Somebody, hopefully you, asked for a new password for this address. Set it within an hour:

${address}

If it was not you, do nothing: your password stays as it is.
`,
  link: { to: 'reset a password', address },
});

const changedLetter = (appUrl: string): Letter => ({
  subject: 'Your password was changed',
  text: `The password of your account was changed, and you were signed out elsewhere.

If it was not you, set a new one at once:

${appUrl}/forgotten
`,
});
