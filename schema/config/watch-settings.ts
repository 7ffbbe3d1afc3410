import { z } from 'zod';
import { setting, wholeNumber } from './value-types.ts';

/** Watches: how many, when their digests leave, and whom their webhooks may call. */
export const WATCH_SETTINGS = {
  WATCHES_PER_ACCOUNT: setting('100', wholeNumber(0, 100_000), 'Watches that an account may have.'),
  WATCH_DIGEST_HOUR: setting(
    '7',
    wholeNumber(0, 23),
    'Hour (London) at which daily and weekly digests of watches are made; weekly ones on Mondays.',
  ),
  WATCH_ADDRESSES: setting(
    'public',
    z.enum(['public', 'any'], 'public or any'),
    'Whom webhooks may call: public (https addresses of the public internet), or any, for tests alone.',
  ),
  WATCH_SENDS_AT_ONCE: setting('64', wholeNumber(1, 1_000), 'Webhooks that are being called at once.'),
  WATCH_BODY_DAYS: setting(
    '7',
    wholeNumber(1, 90),
    'Days for which what a watch delivered can be read and sent again.',
  ),
} as const;
