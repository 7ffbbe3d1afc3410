import type { Settings } from '../config/settings.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same body in HTML, for programs that show it. */
  html?: string;
  /** Where it is returned if it cannot be delivered; by default to its sender. */
  returnTo?: string | undefined;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
}

/** Sends one mail. @throws Error where the server cannot be reached or refuses it. */
export type SendMail = (mail: Mail) => Promise<void>;

/** How long a mail server has to be reached and to greet. */
const WAIT_MS = 10_000;
/**
 * How long it has for each answer after that. It may check a mail for minutes before it accepts it; if it is sent again sooner,
 * it is delivered twice (RFC 5321, 4.5.3.2.6, and RFC 1047).
 */
const ANSWER_MS = 600_000;
const THIS_MACHINE = /^(127(\.\d+){3}|localhost|\[::1\])$/i;

/** Null without SMTP_URL. The library is loaded only where it is used. */
export async function openMail({ SMTP_URL, MAIL_FROM }: Settings): Promise<SendMail | null> {
  if (!SMTP_URL || !MAIL_FROM) return null;
  const { createTransport } = await import('nodemailer');
  const url = new URL(SMTP_URL);
  const transport = createTransport({
    // Node connects to an IPv6 address without its brackets.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
    secure: url.protocol === 'smtps:',
    // Mail alone may go in plain text, as it does between mail servers. A password may not.
    requireTLS: url.username !== '' && !THIS_MACHINE.test(url.hostname),
    ...(url.username
      ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }
      : {}),
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: ANSWER_MS,
  });
  const from = readSender(MAIL_FROM);
  return async ({ returnTo, ...mail }) => {
    const envelope = returnTo === undefined ? {} : { envelope: { from: returnTo, to: mail.to } };
    // RFC 3834: programs that answer for somebody who is away do not answer it.
    const headers = { 'Auto-Submitted': 'auto-generated', ...mail.headers };
    await transport.sendMail({ from, ...mail, ...envelope, headers });
  };
}

/** The sender, whose name is taken as it is: in a header a colon would make it a group, and brackets a remark. */
function readSender(sender: string): string | { name: string; address: string } {
  const [, name = '', address = ''] = /^([^"<>]+)<([^<>]+)>$/.exec(sender) ?? [];
  return address === '' ? sender : { name: name.trim(), address: address.trim() };
}

/** What a log may say of a mail that was not sent: no e-mail address, and no answer of the server that repeats one. */
export function sayFault(error: unknown): {
  code?: string | undefined;
  responseCode?: number | undefined;
  hint?: string;
} {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return { code, responseCode, ...(code === 'ETLS' && { hint: NO_TLS }) };
}

const NO_TLS =
  'there is no TLS with the mail server, and a password is sent only over TLS: set SMTP_URL to a server with STARTTLS, or to an smtps: address';

/**
 * How a mail server refused this mail: its address, or its text. Null where it did not: a server that refuses our login or our
 * sender says nothing about either.
 */
export function refusalOf(error: unknown): 'for now' | 'for good' | null {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number };
  if (responseCode < 400 || (command !== 'RCPT TO' && command !== 'DATA')) return null;
  return responseCode < 500 ? 'for now' : 'for good';
}
