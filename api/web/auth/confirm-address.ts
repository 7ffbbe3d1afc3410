import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';

/** A sign-up that waits for its link. The link confirms this very one: a later sign-up with the address has a link of its own. */
export interface SignUp {
  userId: string;
  name: string;
  /** Hash of the password that was chosen with it. */
  hash: string;
}

/** Under which the library keeps what a link is about; it stores the hash of it. */
export const confirmKey = (token: string) => `confirm:${token}`;

/** Extends the library by one call: takes a link's token, once, confirms the address and signs in. Its own way puts the address into the link. */
export const confirmAddress = () => ({
  id: 'confirm-address',
  endpoints: {
    confirmAddress: createAuthEndpoint(
      '/confirm-address',
      { method: 'POST', body: z.object({ token: z.string() }) },
      async (ctx) => {
        const { internalAdapter } = ctx.context;
        const held = await internalAdapter.consumeVerificationValue(confirmKey(ctx.body.token));
        const signUp = held && (JSON.parse(held.value) as SignUp);
        const known = signUp && (await internalAdapter.findUserById(signUp.userId));
        // Whoever has confirmed already keeps the password: an older link changes nothing.
        if (!known || known.emailVerified) throw new APIError('BAD_REQUEST');
        await internalAdapter.updatePassword(known.id, signUp.hash);
        const user = await internalAdapter.updateUser(known.id, { name: signUp.name, emailVerified: true });
        const session = await internalAdapter.createSession(known.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ user: { id: known.id, name: signUp.name } });
      },
    ),
  },
});
