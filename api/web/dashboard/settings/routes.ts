import { pipeline } from 'node:stream/promises';
import type { Request, Response, Router } from 'express';
import { changeAccount } from '../../../../schema/accounts/customer/account.ts';
import { writePersonalData } from '../../../../schema/accounts/customer/personal-data.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import { makeOneAtATime } from '../../../concurrency/heavy-work.ts';
import { isPasswordLong } from '../../auth/open.ts';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { TooMany } from '../../serving/security.ts';
import { faultOfName, leave, type Refusal, readPerson, refusal } from '../form-answers.ts';
import type { Throttle } from '../sign-in/throttle.ts';
import { type MakeSigned, readField, type ShowAgain, type Signed, type SignedHandler } from '../signed-in.ts';
import { settingsPage } from './page.tsx';

const PLACE = '/dashboard/settings';
const DOWNLOAD_WAIT_SECONDS = 10;
const RUNNING = 'A download of your account is running. Wait until it has ended.';

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
    sessions: await web.auth.listSessions(visitor.userId),
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
    await web.auth.rename(request.headers.cookie, name);
    await changeAccount(web.services.accounts, who.account.id, { name, lowBalanceMail });
    leave(response, [], `${PLACE}?said=saved`);
  };
}

const isMailWanted = (request: Request) => readField(request, 'low_balance_mail') === 'yes';

function changePassword(web: Web, throttle: Throttle): SignedHandler {
  return async (who, request, response) => {
    const refuse = (fault: string) => show(web, who, request, response, refusal(fault));
    const { password: next } = readPerson(request);
    if (!isPasswordLong(next)) return refuse('The new password needs 10 to 128 characters.');
    await throttle.tries(request, who.visitor.email);
    const present = readPassword(request, 'present');
    const cookies = await web.auth.changePassword(request.headers.cookie, { present, next });
    return cookies ? leave(response, cookies, `${PLACE}?said=password`) : refuse('The current password is not right.');
  };
}

/** Not trimmed: a password may begin with a space. */
function readPassword(request: Request, name: string): string {
  const sent: unknown = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof sent === 'string' ? sent : '';
}

function endSessions({ auth }: Web): SignedHandler {
  return async (_who, request, response) => {
    const { cookie } = request.headers;
    if (readField(request, 'which') !== 'all') {
      await auth.endSessions(cookie, 'others');
      return leave(response, [], `${PLACE}?said=others`);
    }
    await auth.endSessions(cookie, 'all');
    return leave(response, await auth.signOut(cookie), '/sign-in?said=sessions');
  };
}

/** Reading all of an account's data is expensive, so each account has one download at a time. */
function download({ services }: Web): SignedHandler {
  const inTurn = makeOneAtATime(0, () => new TooMany(DOWNLOAD_WAIT_SECONDS, RUNNING));
  return ({ account }, _request, response) =>
    inTurn(account.id, async () => {
      const at = isoInstant(services.clocks.wallNow());
      response.attachment(`account-${at.slice(0, 10)}.json`).type('json');
      await pipeline(writePersonalData(services.accounts, account, at), response);
    });
}
