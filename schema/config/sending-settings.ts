import { z } from 'zod';
import { setting, wholeNumber } from './value-types.ts';

const MAIL_SERVER =
  'an smtp: or smtps: address with a host, and with user and password (% as %25) where it asks for them';

/** An address without a host would mean this machine. A password is read as it is written in addresses. */
function namesMailServer(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { hostname, username, password } = new URL(url);
  try {
    decodeURIComponent(`${username}:${password}`);
    return hostname !== '';
  } catch {
    return false;
  }
}

/** What the service sends of its own accord: mail, and what watches deliver. */
export const SENDING_SETTINGS = {
  SMTP_URL: setting(
    undefined,
    z
      .url({ protocol: /^smtps?$/, error: MAIL_SERVER })
      .refine(namesMailServer, MAIL_SERVER)
      .optional(),
    'Mail server (a login needs TLS) for confirmation and password links; without one they go to the log.',
  ),
  MAIL_FROM: setting(
    undefined,
    z
      .string()
      .regex(/^[^@]*[^\s@]@[^\s@]+$/, 'an e-mail address, also with a name: Data <data@example.org>')
      .optional(),
    'Sender of that mail; needed with SMTP_URL.',
  ),
  MAIL_BOUNCES: setting(
    undefined,
    z
      .string()
      .regex(/^[^\s@+]{1,30}@[^\s@]+$/, 'an e-mail address of at most 30 characters before the @, without +')
      .optional(),
    'Address that undelivered mail of watches returns to, with + and a tag before the @; MAIL_FROM by default.',
  ),
  LOW_BALANCE_CREDITS: setting(
    '50',
    wholeNumber(0, 1_000_000),
    'Balance below which its holder is mailed, once until it recovers (0: never). Needs SMTP_URL.',
  ),
  WATCHES_PER_ACCOUNT: setting('100', wholeNumber(0, 100_000), 'Watches that an account may have.'),
  WATCH_DELIVERIES_PER_HOUR: setting(
    '1000',
    wholeNumber(1, 1_000_000),
    'Deliveries of an account in an hour; the rest wait for the next. As many can be sent again.',
  ),
  WATCH_DIGEST_HOUR: setting('7', wholeNumber(0, 23), 'Hour (London) of digests of watches; weekly ones on Mondays.'),
  WATCH_ADDRESSES: setting(
    'public',
    z.enum(['public', 'any'], 'public or any'),
    'Whom webhooks may call: public (https addresses of the public internet), or any, for tests alone.',
  ),
  WATCH_SENDS_AT_ONCE: setting(
    '64',
    wholeNumber(1, 1_000),
    'Webhooks called at once: at most a quarter for one account, half for all slow ones.',
  ),
  WATCH_BODY_DAYS: setting(
    '7',
    wholeNumber(1, 90),
    'Days for which what a watch delivered can be read and sent again.',
  ),
} as const;
