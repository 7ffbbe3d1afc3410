import { pipeline } from 'node:stream/promises';
import type { Request, Response, Router } from 'express';
import { changeAccount } from '../../../../schema/accounts/customer/account.ts';
import { writePersonalData } from '../../../../schema/accounts/customer/personal-data.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import { isPasswordLong, PASSWORD_CHARS, SESSION } from '../../auth/rules.ts';
import type { Session } from '../../auth/sessions.ts';
import { formatCount } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { Table } from '../../components/parts.tsx';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { sentText } from '../../serving/sent-form.ts';
import { sendDownload } from '../downloads.ts';
import { faultOfName, leave, NAME_CHARS, type Refusal, readPerson, refusal } from '../form-answers.ts';
import { dashboardPage, Fault, type Person, Said, Token, When } from '../frame.tsx';
import { NewPassword, PresentPassword, Username } from '../sign-in/forms.tsx';
import type { Throttle } from '../sign-in/throttle.ts';
import { type MakeSigned, readField, type ShowAgain, type Signed, type SignedHandler } from '../signed-in.ts';

const PLACE = '/dashboard/settings';

/** Name, password, sessions and personal data. */
export function makeSettingsRoutes(web: Web, signed: MakeSigned, throttle: Throttle): Router {
  const router = makeRouter();
  router.get(
    PLACE,
    signed((who, request, response) => show(web, who, request, response), 'settings'),
  );
  const showAgain: ShowAgain = (who, request, response, refused) => show(web, who, request, response, refused);
  router.post(PLACE, signed(save(web), 'settings', showAgain));
  router.post(`${PLACE}/password`, signed(changePassword(web, throttle), 'settings', showAgain));
  router.post(`${PLACE}/sessions`, signed(endSessions(web), 'settings', showAgain));
  // Reloading the address of a form leads here.
  for (const form of ['password', 'sessions'])
    router.get(`${PLACE}/${form}`, (_request, response) => response.redirect(303, PLACE));
  router.get(`${PLACE}/data`, signed(download(web), 'settings'));
  return router;
}

async function show(web: Web, who: Signed, request: Request, response: Response, refused?: Refusal): Promise<void> {
  const { visitor, account, person } = who;
  const { SMTP_URL, LOW_BALANCE_CREDITS } = web.services.settings;
  // A refused form keeps what was typed.
  const isSaving = refused !== undefined && request.path === PLACE;
  const isMailed = isSaving ? isMailWanted(request) : account.low_balance_mail === 1;
  const page = settingsPage(person, {
    email: visitor.email,
    name: isSaving ? readPerson(request).name : person.name,
    sessions: await (await web.auth()).listSessions(visitor.userId),
    sessionId: visitor.sessionId,
    lowBalance: SMTP_URL && LOW_BALANCE_CREDITS > 0 ? { credits: LOW_BALANCE_CREDITS, isMailed } : null,
    said: typeof request.query.said === 'string' ? request.query.said : undefined,
    fault: refused?.fault,
  });
  await web.send(response, page, refused?.status ?? 200);
}

function save(web: Web): SignedHandler {
  return async (who, request, response) => {
    const { name } = readPerson(request);
    const fault = faultOfName(name);
    if (fault) return show(web, who, request, response, refusal(fault));
    const { SMTP_URL, LOW_BALANCE_CREDITS } = web.services.settings;
    const isOffered = SMTP_URL !== undefined && LOW_BALANCE_CREDITS > 0;
    const lowBalanceMail = isOffered ? isMailWanted(request) : who.account.low_balance_mail === 1;
    await (await web.auth()).rename(request.headers.cookie, name);
    await changeAccount(web.services.accounts, who.account.id, { name, lowBalanceMail });
    leave(response, [], `${PLACE}?said=saved`);
  };
}

const isMailWanted = (request: Request) => readField(request, 'low_balance_mail') === 'yes';

function changePassword(web: Web, throttle: Throttle): SignedHandler {
  return async (who, request, response) => {
    const refuse = (fault: string) => show(web, who, request, response, refusal(fault));
    const { password: next } = readPerson(request);
    if (!isPasswordLong(next)) return refuse(`The new password needs ${PASSWORD_CHARS}.`);
    await throttle.tries(request, who.visitor.email);
    // Not trimmed: a password may begin with a space.
    const present = sentText(request, 'present');
    const cookies = await (await web.auth()).changePassword(request.headers.cookie, { present, next });
    return cookies ? leave(response, cookies, `${PLACE}?said=password`) : refuse('The current password is not right.');
  };
}

function endSessions(web: Web): SignedHandler {
  return async (_who, request, response) => {
    const auth = await web.auth();
    const { cookie } = request.headers;
    if (readField(request, 'which') !== 'all') {
      await auth.endSessions(cookie, 'others');
      return leave(response, [], `${PLACE}?said=others`);
    }
    await auth.endSessions(cookie, 'all');
    return leave(response, await auth.signOut(cookie), '/sign-in?said=sessions');
  };
}

function download({ services }: Web): SignedHandler {
  return ({ account }, _request, response) =>
    sendDownload(services, account, async () => {
      const at = isoInstant(services.clocks.wallNow());
      response.attachment(`account-${at.slice(0, 10)}.json`).type('json');
      await pipeline(writePersonalData(services.accounts, account, at), response);
    });
}

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
function settingsPage(person: Person, view: SettingsView): Page {
  const { token } = person;
  return dashboardPage(
    person,
    { title: 'Settings', tab: 'settings' },
    <>
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
        keys (without the keys themselves), payments, exports, watches and the whole ledger.
      </p>
      <p>
        <a href="/dashboard/settings/delete">Delete this account</a>
      </p>
    </>,
  );
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
        A session ends {SESSION.days} days after it was last used. That time is updated once an hour at most, and no
        network address is kept.
      </p>
      <Table label="Sessions" columns={['Session', 'Signed in since', 'Last seen']}>
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
      </Table>
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
