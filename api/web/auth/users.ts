import type { Database } from '../../../schema/db/interface.ts';
import { oneAddress } from '../../../schema/text/email-addresses.ts';
import { randomBase62 } from '../../../schema/text/tokens.ts';
import { confirmKey, SET_PASSWORD, type SignUp } from './confirm-address.ts';
import { type Library, quietly } from './library.ts';

export const TOKEN_CHARS = 32;
const CONFIRM_SECONDS = 86_400;

interface User {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
}

/** People who have signed up, confirmed or not, as the library stores them. */
export interface Users {
  /** The user with this address, or one of the same mailbox. */
  readUser(email: string): Promise<User | null>;
  /** Stores a sign-up, new or repeated for an unconfirmed address, and mails the link that confirms it. */
  invite(signUp: { name: string; email: string; hash: string }, known: User | null): Promise<void>;
  /** Sends another link for the latest sign-up of an address. */
  inviteAgain(email: string): Promise<void>;
  /** Stores a link's data until it expires. */
  keep(key: string, value: string, seconds: number): Promise<void>;
}

const SET_EMAIL = 'UPDATE auth_user SET email = ?2, updated_at = ?3 WHERE id = ?1 AND email_verified = 0';

/** Users of the library. @param sendLink - mails the link of a sign-up */
export async function makeUsers(
  library: Library,
  accounts: Pick<Database, 'write'>,
  sendLink: (to: string, token: string) => Promise<void>,
): Promise<Users> {
  const { adapter, internalAdapter } = await library.$context;
  const findPerson = (email: string) => internalAdapter.findUserByEmail(email.toLowerCase(), { includeAccounts: true });
  const readPerson = (email: string) =>
    quietly(async () => {
      const person = await findPerson(email);
      if (person) return person;
      const where = [{ field: 'address', value: oneAddress(email) }];
      const user = await adapter.findOne<User>({ model: 'user', where });
      return user && (await findPerson(user.email));
    });

  const keep: Users['keep'] = async (identifier, value, seconds) => {
    const expiresAt = new Date(Date.now() + seconds * 1_000);
    await quietly(() => internalAdapter.createVerificationValue({ identifier, value, expiresAt }));
  };

  const sendLinkFor = async (email: string, signUp: SignUp) => {
    const token = randomBase62(TOKEN_CHARS);
    await keep(confirmKey(token), JSON.stringify(signUp), CONFIRM_SECONDS);
    await sendLink(email, token);
  };

  const addUser = ({ name, email }: { name: string; email: string }) =>
    quietly(() => internalAdapter.createUser({ name, email, address: oneAddress(email), emailVerified: false }));

  /** Of an unconfirmed user: the password of a person who confirmed the address meanwhile stays. */
  const replaceSignUp = async (userId: string, { email, hash }: { email: string; hash: string }) => {
    // A sign-up may have ended between its user and its password: then there is none to replace.
    const own = await quietly(() => internalAdapter.findAccounts(userId));
    const credential = { userId, accountId: userId, providerId: 'credential', password: hash };
    if (own.length === 0) await quietly(() => internalAdapter.linkAccount(credential));
    const at = Date.now();
    await accounts.write([
      { sql: SET_PASSWORD, args: [userId, hash, at] },
      { sql: SET_EMAIL, args: [userId, email.toLowerCase(), at] },
    ]);
  };

  const readUser = async (email: string) => (await readPerson(email))?.user ?? null;

  return {
    keep,
    readUser,
    async invite(signUp, known) {
      const { name, email, hash } = signUp;
      // Another sign-up with this address may have come first, an instant ago.
      const add = () => addUser(signUp).catch(async (error) => (await readUser(email)) ?? Promise.reject(error));
      const user = known ?? (await add());
      await replaceSignUp(user.id, signUp);
      await sendLinkFor(email, { userId: user.id, name, email, hash });
    },
    async inviteAgain(email) {
      const person = await readPerson(email);
      const hash = person?.accounts.find(({ password }) => password)?.password;
      if (!person || !hash) return;
      const { id, name, email: address } = person.user;
      await sendLinkFor(address, { userId: id, name, email: address, hash });
    },
  };
}
