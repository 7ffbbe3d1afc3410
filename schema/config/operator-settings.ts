import { z } from 'zod';
import { contact, setting, text, wholeNumber } from './value-types.ts';

/** Who runs the house, as its privacy notice and terms name them. */
export const OPERATOR_SETTINGS = {
  OPERATOR: setting(
    undefined,
    text.optional(),
    'Who runs this service, as the privacy notice and the terms name them.',
  ),
  OPERATOR_ADDRESS: setting(
    undefined,
    text.optional(),
    'Postal address of the operator, parts separated by semicolons; shown on the same pages.',
  ),
  PRIVACY_CONTACT: setting(
    undefined,
    contact.optional(),
    'E-mail or web address at which people ask about their data and for removal; shown on the same pages.',
  ),
  JURISDICTION: setting('England and Wales', text, 'Whose law the terms are under.'),
  END_NOTICE_MONTHS: setting(
    '12',
    wholeNumber(1, 120),
    'Months that a part of the API works on after its end was announced, as the page of versions promises.',
  ),
  CHANGE_NOTICE_DAYS: setting(
    '30',
    wholeNumber(0, 365),
    'Days that higher prices and new terms are announced before they count, as the pages promise.',
  ),
  LOG_DAYS: setting('30', wholeNumber(1, 3_650), 'Days for which you keep the logs, as the privacy notice says.'),
  ACCESS_LOG: setting(
    'off',
    z.enum(['off', 'on'], 'off or on'),
    'Whether each request is a line of the log (level info): request id, account, key, operation, status, milliseconds and credits.',
  ),
} as const;
