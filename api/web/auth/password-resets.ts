import { randomBase62 } from '../../../schema/text/tokens.ts';
import type { Behind } from './background-tasks.ts';
import { isDone, type Library, quietly } from './library.ts';
import type { Letters } from './mail.ts';
import { type People, TOKEN_CHARS } from './users.ts';

/** Resets a forgotten password by a mailed link. */
export interface Resets {
  /** Mails a reset link if the address has an account. Neither the response nor its time shows whether it has. */
  requestReset(email: string): void;
  /** Whether a mailed reset link is still valid. Changes nothing. */
  isResettable(token: string): Promise<boolean>;
  /** Sets a new password, once for each link, and signs out everywhere. Returns the address, or null if the link is not valid. */
  reset(token: string, password: string): Promise<string | null>;
}

const RESET_SECONDS = 3_600;
/** The library stores a link's data under this name. */
const resetKey = (token: string) => `reset-password:${token}`;

export async function makeResets(
  library: Library,
  { people, letters, behind }: { people: People; letters: Letters; behind: Behind },
): Promise<Resets> {
  const { adapter, internalAdapter } = await library.$context;
  const readHeld = async (token: string) => {
    const held = await quietly(() => internalAdapter.findVerificationValue(resetKey(token)));
    return held && held.expiresAt > new Date() ? held : null;
  };
  return {
    requestReset(email) {
      behind.start(async () => {
        const user = await people.readUser(email);
        if (!user) return;
        const token = randomBase62(TOKEN_CHARS);
        await people.keep(resetKey(token), user.id, RESET_SECONDS);
        await letters.reset(user.email, token);
      });
    },
    isResettable: async (token) => (await readHeld(token)) !== null,
    async reset(token, newPassword) {
      const held = await readHeld(token);
      if (!held || !(await isDone(() => library.api.resetPassword({ body: { token, newPassword } })))) return null;
      // The link proves access to the mail of this address.
      const user = await quietly(() => internalAdapter.updateUser(held.value, { emailVerified: true }));
      // Other reset links for this address.
      const where = [{ field: 'value', value: held.value }];
      await quietly(() => adapter.deleteMany({ model: 'verification', where }));
      behind.start(() => letters.changed(user.email));
      return user.email;
    },
  };
}
