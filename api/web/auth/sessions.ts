import { isDone, type Library, quietly, withCookie } from './library.ts';

/** Somebody who is signed in. */
export interface Visitor {
  userId: string;
  sessionId: string;
  name: string;
  email: string;
  /** Cookies to set if the session was extended. */
  cookies: string[];
}

/** A browser that is signed in. */
export interface Session {
  id: string;
  signedInAt: Date;
  /** Up to an hour behind the last use. */
  seenAt: Date;
}

/** Sessions, name and password of people who are signed in. */
export interface Sessions {
  /** Null without a valid session of a confirmed address. */
  readVisitor(cookie: string | undefined): Promise<Visitor | null>;
  /** Ends the session and returns the cookies that remove it. */
  signOut(cookie: string | undefined): Promise<string[]>;
  /** Newest first. */
  listSessions(userId: string): Promise<Session[]>;
  /** Signs out everywhere, or everywhere else. */
  endSessions(cookie: string | undefined, which: 'all' | 'others'): Promise<void>;
  rename(cookie: string | undefined, name: string): Promise<void>;
  /** Checks the present password, sets a new one and signs out elsewhere. Returns the new session's cookies, or null if the password is wrong. */
  changePassword(cookie: string | undefined, change: { present: string; next: string }): Promise<string[] | null>;
  isPassword(cookie: string | undefined, password: string): Promise<boolean>;
}

/** Sessions of the library. @param changed - called after a password change */
export async function makeSessions(library: Library, changed: (email: string) => void): Promise<Sessions> {
  const { api } = library;
  const { internalAdapter } = await library.$context;
  const readVisitor: Sessions['readVisitor'] = async (cookie) => {
    if (!cookie) return null;
    const { headers, response } = await quietly(() =>
      api.getSession({ headers: withCookie(cookie), returnHeaders: true }),
    );
    if (!response?.user.emailVerified) return null;
    const { user, session } = response;
    const cookies = headers.getSetCookie();
    return { userId: user.id, sessionId: session.id, name: user.name, email: user.email, cookies };
  };
  return {
    readVisitor,
    async signOut(cookie) {
      const { headers } = await quietly(() => api.signOut({ headers: withCookie(cookie), returnHeaders: true }));
      return headers.getSetCookie();
    },
    async listSessions(userId) {
      const found = await quietly(() => internalAdapter.listSessions(userId, { onlyActiveSessions: true }));
      return found
        .map(({ id, createdAt, updatedAt }) => ({ id, signedInAt: createdAt, seenAt: updatedAt }))
        .sort((a, b) => b.signedInAt.getTime() - a.signedInAt.getTime());
    },
    async endSessions(cookie, which) {
      const headers = withCookie(cookie);
      await quietly(() => (which === 'all' ? api.revokeSessions({ headers }) : api.revokeOtherSessions({ headers })));
    },
    async rename(cookie, name) {
      await quietly(() => api.updateUser({ body: { name }, headers: withCookie(cookie) }));
    },
    async changePassword(cookie, { present, next }) {
      const visitor = await readVisitor(cookie);
      const body = { currentPassword: present, newPassword: next, revokeOtherSessions: true };
      let cookies: string[] = [];
      const isChanged = await isDone(async () => {
        const { headers } = await api.changePassword({ body, headers: withCookie(cookie), returnHeaders: true });
        cookies = headers.getSetCookie();
      });
      if (!isChanged || !visitor) return null;
      changed(visitor.email);
      return cookies;
    },
    isPassword: (cookie, password) =>
      isDone(() => api.verifyPassword({ body: { password }, headers: withCookie(cookie) })),
  };
}
