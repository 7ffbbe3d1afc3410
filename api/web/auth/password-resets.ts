import { randomBase62 } from '../../../schema/text/tokens.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import { isDone, type Library, quietly } from './library.ts';
import type { AccountMails } from './mail.ts';
import { TOKEN_CHARS, type Users } from './users.ts';

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

/** The reset of forgotten passwords, on the library's storage. */
export async function makeResets(
  library: Library,
  { users, mails, background }: { users: Users; mails: AccountMails; background: BackgroundTasks },
): Promise<Resets> {
  const { adapter, internalAdapter } = await library.$context;
  const readStored = async (token: string) => {
    const stored = await quietly(() => internalAdapter.findVerificationValue(resetKey(token)));
    return stored && stored.expiresAt > new Date() ? stored : null;
  };
  return {
    requestReset(email) {
      background.start(async () => {
        const user = await users.readUser(email);
        if (!user) return;
        const token = randomBase62(TOKEN_CHARS);
        await users.keep(resetKey(token), user.id, RESET_SECONDS);
        await mails.reset(user.email, token);
      });
    },
    isResettable: async (token) => (await readStored(token)) !== null,
    async reset(token, newPassword) {
      const stored = await readStored(token);
      if (!stored || !(await isDone(() => library.api.resetPassword({ body: { token, newPassword } })))) return null;
      // The link proves access to the mail of this address.
      const user = await quietly(() => internalAdapter.updateUser(stored.value, { emailVerified: true }));
      // Other reset links for this address.
      const where = [{ field: 'value', value: stored.value }];
      await quietly(() => adapter.deleteMany({ model: 'verification', where }));
      background.start(() => mails.changed(user.email));
      return user.email;
    },
  };
}
