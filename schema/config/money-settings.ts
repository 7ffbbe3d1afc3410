import { z } from 'zod';
import { address, contact, duration, flag, setting, text, wholeNumber } from './value-types.ts';

const percent = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, 'a percentage below 100, with at most two decimals')
  .transform(Number);

const stripeKey = z.string().regex(/^(sk|rk)_(live|test)_\w+$/, 'a key such as sk_live_… or rk_test_…');

/** The settings for prices, keys and top-ups. */
export const MONEY_SETTINGS = {
  PENCE_PER_CREDIT: setting('1', wholeNumber(1, 10_000), 'Net price of one credit in pence.'),
  VAT_PERCENT: setting('20', percent, 'VAT on a top-up; 0 for none.'),
  SIGNUP_CREDITS: setting('250', wholeNumber(0, 1_000_000), 'Credits a new account receives, once.'),
  SIGN_UPS_PER_NETWORK_DAY: setting(
    '20',
    wholeNumber(1, 1_000_000),
    'Sign-ups a day (UTC) from one network (IPv4 /24, IPv6 /56); beyond them: 429.',
  ),
  SIGN_UPS_PER_DOMAIN_DAY: setting(
    '200',
    wholeNumber(1, 1_000_000),
    'Sign-ups a day (UTC) with addresses of one domain; beyond them: 429.',
  ),
  KEY_ROLL_HOURS: setting(
    '24',
    duration('hours', 0, 9_999),
    'Hours that the old text of a rolled API key still works by default.',
  ),
  REMEMBERED_ANSWERS_MB: setting(
    '4096',
    wholeNumber(16, 1_000_000),
    'Disk for answers remembered for an Idempotency-Key; oldest go first, else after 24 hours.',
  ),
  STRIPE_SECRET_KEY: setting(
    undefined,
    stripeKey.optional(),
    'Secret key of Stripe (sk_… or rk_…), to sell credits by card.',
  ),
  STRIPE_WEBHOOK_SECRET: setting(
    undefined,
    z.string().startsWith('whsec_', 'a secret such as whsec_…').optional(),
    'Signing secret (whsec_…) of its webhook at BASE_URL/webhooks/stripe; needed with STRIPE_SECRET_KEY.',
  ),
  STRIPE_URL: setting('https://api.stripe.com', address, "Address of Stripe's API."),
  STRIPE_RECEIPTS: setting('true', flag, 'Whether Stripe mails receipts; the billing page has them anyway.'),
  SELLER: setting(
    undefined,
    text.optional(),
    'Seller on receipts: name, address and VAT number, separated by semicolons.',
  ),
  TOP_UP_CONTACT: setting(
    undefined,
    contact.optional(),
    'E-mail or web address for buying credits, on the billing page.',
  ),
} as const;
