import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import type { Database } from '../../../schema/db/interface.ts';

/** A sign-up that is not confirmed yet. A link confirms one sign-up: a later one with the same address has its own link. */
export interface SignUp {
  userId: string;
  name: string;
  /** As it was typed; absent in links from older versions. */
  email?: string;
  /** Hash of the password of this sign-up. */
  hash: string;
}

/** The library stores a link's data under a hash of this. */
export const confirmKey = (token: string) => `confirm:${token}`;

/** The library's error code for a password that is not the sign-up's. */
export const NOT_THE_PASSWORD = 'NOT_THE_PASSWORD';

/** `?1`: a user whose address is not confirmed; `?2`: the hash of the new password; `?3`: milliseconds since the epoch. */
export const SET_PASSWORD = `UPDATE auth_account SET password = ?2, updated_at = ?3 WHERE user_id = ?1 AND provider_id = 'credential'
  AND EXISTS (SELECT 1 FROM auth_user WHERE id = ?1 AND email_verified = 0)`;
const SET_CONFIRMED = `UPDATE auth_user SET name = ?2, email = ?3, email_verified = 1, updated_at = ?4
  WHERE id = ?1 AND email_verified = 0 RETURNING id`;

/** If several sign-ups with one address are confirmed at the same time, the first wins; false for the others. */
async function confirmOnce(
  accounts: Pick<Database, 'write'>,
  { userId, name, email, hash }: SignUp & { email: string },
): Promise<boolean> {
  const at = Date.now();
  const [, confirmed] = await accounts.write([
    { sql: SET_PASSWORD, args: [userId, hash, at] },
    { sql: SET_CONFIRMED, args: [userId, name, email, at] },
  ]);
  return confirmed?.rows.length === 1;
}

/**
 * Extends the library by one call: takes a link's token, once, and the password of its sign-up, confirms the address and signs
 * in. The password proves that the person who signed up reads the mail, so that nobody confirms an account whose password a
 * stranger knows. The library's own way puts the address into the link.
 */
export const confirmAddress = (accounts: Pick<Database, 'write'>) => ({
  id: 'confirm-address',
  endpoints: {
    confirmAddress: createAuthEndpoint(
      '/confirm-address',
      { method: 'POST', body: z.object({ token: z.string(), password: z.string() }) },
      async (ctx) => {
        const { internalAdapter, password: hasher } = ctx.context;
        const { token, password } = ctx.body;
        const verification = await internalAdapter.findVerificationValue(confirmKey(token));
        const signUp =
          verification && verification.expiresAt > new Date() && (JSON.parse(verification.value) as SignUp);
        const known = signUp && (await internalAdapter.findUserById(signUp.userId));
        // A confirmed account keeps its password: an older link changes nothing.
        if (!known || known.emailVerified) throw new APIError('BAD_REQUEST');
        const isOwn = await hasher.verify({ hash: signUp.hash, password });
        if (!isOwn) throw new APIError('FORBIDDEN', { code: NOT_THE_PASSWORD });
        if (!(await internalAdapter.consumeVerificationValue(confirmKey(token)))) throw new APIError('BAD_REQUEST');
        const email = signUp.email?.toLowerCase() ?? known.email;
        const isFirst = await confirmOnce(accounts, { ...signUp, email });
        const user = isFirst && (await internalAdapter.findUserById(known.id));
        if (!user) throw new APIError('BAD_REQUEST');
        const session = await internalAdapter.createSession(known.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ user: { id: known.id, email } });
      },
    ),
  },
});
