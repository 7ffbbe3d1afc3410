import type { Router } from 'express';
import { makeForms } from '../../auth/form-tokens.ts';
import { isAddress, isPasswordLong, PASSWORD_CHARS } from '../../auth/rules.ts';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import {
  enter,
  faultOfName,
  leave,
  nextOf,
  placeOf,
  type Refusal,
  readPerson,
  refusal,
  STALE,
} from '../form-answers.ts';
import type { MakeSigned } from '../signed-in.ts';
import { type EntryForm, signInPage, signUpPage } from './forms.tsx';
import { sentPage } from './link-sent.tsx';
import { type Throttle, takeSignUp } from './throttle.ts';
import { makeWayBack } from './way-back.ts';

const NOT_YET = refusal('No account was created yet. Correct the fields that are marked.');
const WRONG = refusal('The address or the password is not right.');

/** Sign up, sign in, sign out. */
export function makeEntryRoutes(web: Web, signed: MakeSigned, throttle: Throttle): Router {
  const router = makeRouter();
  addSignUp(router, web, throttle);
  addSignIn(router, web, throttle);
  router.post(
    '/sign-out',
    signed(async (_who, request, response) =>
      leave(response, await (await web.auth()).signOut(request.headers.cookie), '/'),
    ),
  );
  return router;
}

/** Errors of a sign-up by field name; empty if all fields are valid. */
function findFaults(person: { name: string; email: string; password: string }): NonNullable<EntryForm['faults']> {
  const { name, email, password } = person;
  const nameFault = faultOfName(name);
  return {
    ...(nameFault && { name: nameFault }),
    ...(!isAddress(email) && { email: 'Enter an e-mail address, such as name@example.org.' }),
    ...(!isPasswordLong(password) && { password: `Enter a password of ${PASSWORD_CHARS}.` }),
  };
}

/** The response is the same whether or not the address has an account; the rest goes by mail. */
function addSignUp(router: Router, web: Web, throttle: Throttle): void {
  const { services, auth, send } = web;
  const forms = makeForms(services.settings, services.secret);
  const wayBack = makeWayBack(services.settings);
  const page = (form: EntryForm) => signUpPage(form, services.settings.SIGNUP_CREDITS);

  router.get('/sign-up', (request, response) =>
    send(response, page({ token: forms.issue(request, response), next: nextOf(request.query.next) })),
  );

  router.post('/sign-up', async (request, response) => {
    const { name, email, password, next } = readPerson(request);
    const refuse = ({ fault, status }: Refusal, faults?: EntryForm['faults']) =>
      send(response, page({ token: forms.issue(request, response), fault, faults, name, email, next }), status);
    if (!forms.accept(request)) return refuse(STALE);
    const faults = findFaults({ name, email, password });
    if (Object.keys(faults).length > 0) return refuse(NOT_YET, faults);
    await throttle.signUps(request, email);
    await takeSignUp(services, request, email);
    await (await auth()).signUp({ name, email, password });
    wayBack.remember(response, next);
    return leave(response, [], '/sign-up/sent');
  });

  router.get('/sign-up/sent', (_request, response) => send(response, sentPage('confirm', services.settings)));
}

function addSignIn(router: Router, web: Web, throttle: Throttle): void {
  const { services, auth, send } = web;
  const forms = makeForms(services.settings, services.secret);
  const wayBack = makeWayBack(services.settings);

  router.get('/sign-in', (request, response) => {
    const next = nextOf(request.query.next);
    const { said } = request.query;
    return send(response, signInPage({ token: forms.issue(request, response), next, said: String(said ?? '') }));
  });

  router.post('/sign-in', async (request, response) => {
    const { email, password, next } = readPerson(request);
    const refuse = ({ fault, status }: Refusal) =>
      send(response, signInPage({ token: forms.issue(request, response), fault, email, next }), status);
    if (!forms.accept(request)) return refuse(STALE);
    await throttle.tries(request, email);
    const entry = await (await auth()).signIn({ email, password });
    if (entry.kind === 'entered') {
      throttle.trust(response, email);
      return enter(web, request, response, { cookies: entry.cookies, to: placeOf(next) });
    }
    if (entry.kind !== 'unconfirmed') return refuse(WRONG);
    await throttle.signUps(request, email);
    (await auth()).inviteAgain(email);
    wayBack.remember(response, next);
    return leave(response, [], '/confirm/sent');
  });
}
