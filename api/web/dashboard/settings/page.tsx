import { SESSION } from '../../auth/library.ts';
import type { Session } from '../../auth/sessions.ts';
import { formatCount } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { Head, Scroll } from '../../components/parts.tsx';
import { NAME_CHARS } from '../form-answers.ts';
import { Fault, Frame, type Person, Said, Token, When } from '../frame.tsx';
import { NewPassword, PresentPassword, Username } from '../sign-in/forms.tsx';

interface SettingsView {
  email: string;
  /** The name in the form. */
  name: string;
  sessions: Session[];
  /** The id of this browser's session. */
  sessionId: string;
  /** The low-balance threshold and whether it is mailed; null if such mails are off. */
  lowBalance: { credits: number; isMailed: boolean } | null;
  fault?: string | undefined;
  /** The name of a confirmation. */
  said?: string | undefined;
}

const SAID: Record<string, string> = {
  saved: 'Saved.',
  password: 'Your password is changed. You are signed out everywhere else.',
  others: 'You are signed out everywhere else.',
};

/** The page of name, password, sessions and personal data. */
export function settingsPage(person: Person, view: SettingsView): Page {
  const { token } = person;
  return {
    title: 'Settings',
    section: 'dashboard',
    personal: true,
    body: (
      <Frame tab="settings" title="Settings" {...person}>
        <Said text={Object.hasOwn(SAID, view.said ?? '') ? SAID[view.said ?? ''] : undefined} />
        <Fault text={view.fault} />
        <You token={token} {...view} />
        <h2 id="change-password">Password</h2>
        <form method="post" action="/dashboard/settings/password" class="narrow">
          <Token token={token} />
          <Username email={view.email} />
          <PresentPassword label="Current password" id="present" />
          <NewPassword label="New password" />
          <button type="submit">Change the password</button>
        </form>
        <h2 id="sessions">Where you are signed in</h2>
        <Sessions token={token} {...view} />
        <h2 id="data">Your data</h2>
        <p>
          <a href="/dashboard/settings/data">Download all the data we store about you</a>, as JSON: account, sessions,
          keys (without the keys themselves), payments, exports and the whole ledger.
        </p>
        <p>
          <a href="/dashboard/settings/delete">Delete this account</a>
        </p>
      </Frame>
    ),
  };
}

function You({ name, email, token, lowBalance }: SettingsView & { token: string }) {
  return (
    <form method="post" action="/dashboard/settings" class="narrow">
      <Token token={token} />
      <div class="field">
        <label for="name">Your name, or your organisation's</label>
        <input id="name" name="name" autoComplete="name" required maxLength={NAME_CHARS} value={name} />
      </div>
      <p>
        E-mail address: <strong>{email}</strong>
      </p>
      {lowBalance && (
        <label class="check">
          <input type="checkbox" name="low_balance_mail" value="yes" checked={lowBalance.isMailed} />
          E-mail me once when the balance falls below {formatCount(lowBalance.credits)} credits
        </label>
      )}
      <button type="submit">Save</button>
    </form>
  );
}

function Sessions({ token, sessions, sessionId }: SettingsView & { token: string }) {
  return (
    <>
      <p>
        A session ends {SESSION.seconds / 86_400} days after it was last used. Times are kept to the hour, and no
        network address is kept.
      </p>
      <Scroll label="Sessions">
        <table>
          <Head columns={['Session', 'Signed in since', 'Last seen']} />
          <tbody>
            {sessions.map(({ id, signedInAt, seenAt }) => (
              <tr key={id}>
                <th scope="row">{id === sessionId ? 'This browser' : 'Another browser'}</th>
                <td>
                  <When at={signedInAt.toISOString()} />
                </td>
                <td>
                  <When at={seenAt.toISOString()} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <form method="post" action="/dashboard/settings/sessions" class="row">
        <Token token={token} />
        <button type="submit" name="which" value="others" class="quiet">
          Sign out everywhere else
        </button>
        <button type="submit" name="which" value="all" class="quiet">
          Sign out everywhere
        </button>
      </form>
    </>
  );
}
