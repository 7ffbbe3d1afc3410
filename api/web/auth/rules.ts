import { z } from 'zod';

/** Characters of a password. */
export const PASSWORD = { least: 10, most: 128 };
/** A session ends after this time without use; last use is updated at this interval. */
export const SESSION = { days: 7, seenSeconds: 3_600 };

const EMAIL = z.email();

/** Mail servers deliver to at most this many characters before the @. */
const LOCAL_CHARS = 64;

/** Whether this can be an e-mail address. */
export const isAddress = (email: string): boolean =>
  EMAIL.safeParse(email).success && email.lastIndexOf('@') <= LOCAL_CHARS;

/** The valid lengths of a password, in words. */
export const PASSWORD_CHARS = `${PASSWORD.least} to ${PASSWORD.most} characters`;

/** Whether a password has a valid length. */
export function isPasswordLong(password: string): boolean {
  return password.length >= PASSWORD.least && password.length <= PASSWORD.most;
}
