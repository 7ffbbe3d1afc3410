import type { Router } from 'express';
import { makeForms } from '../auth/forms.ts';
import { makeRouter } from '../router.ts';
import type { Web } from '../web.ts';
import { enter, leave, nextOf, placeOf, type Refusal, readPerson, refusal, STALE } from './enter.ts';
import { type EntryForm, signInPage, signUpPage } from './entry.tsx';
import { sentPage } from './sent.tsx';
import { takeSignUp } from './sign-up-days.ts';
import type { MakeSigned } from './signed.ts';
import type { Throttle } from './throttle.ts';

const NO_ACCOUNT = refusal('No account can be made from this. Check the address and the password.');
const WRONG = refusal('The address or the password is not right.');

/** Sign up, sign in, sign out. */
export function makeEntryRoutes(web: Web, signed: MakeSigned, throttle: Throttle): Router {
  const router = makeRouter();
  addSignUp(router, web, throttle);
  addSignIn(router, web, throttle);
  router.post(
    '/sign-out',
    signed(async (_who, request, response) => leave(response, await web.auth.signOut(request.headers.cookie), '/')),
  );
  return router;
}

/** The answer is the same for every address, whether or not it has an account: what follows goes by mail. */
function addSignUp(router: Router, web: Web, throttle: Throttle): void {
  const { house, auth, send } = web;
  const forms = makeForms(house.settings, house.secret);
  const page = (form: EntryForm) => signUpPage(form, house.settings.SIGNUP_CREDITS);

  router.get('/sign-up', (request, response) => send(response, page({ token: forms.issue(request, response) })));

  router.post('/sign-up', async (request, response) => {
    const { name, email, password } = readPerson(request);
    const refuse = ({ fault, status }: Refusal) =>
      send(response, page({ token: forms.issue(request, response), fault, name, email }), status);
    if (!forms.accept(request)) return refuse(STALE);
    await throttle.signUps(request, email);
    await takeSignUp(house, request, email);
    const isTaken = name !== '' && (await auth.signUp({ name, email, password }));
    return isTaken ? leave(response, [], '/sign-up/sent') : refuse(NO_ACCOUNT);
  });

  router.get('/sign-up/sent', (_request, response) => send(response, sentPage('confirm', house.settings)));
}

function addSignIn(router: Router, web: Web, throttle: Throttle): void {
  const { house, auth, send } = web;
  const forms = makeForms(house.settings, house.secret);

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
    const entry = await auth.signIn({ email, password });
    if (entry.kind === 'entered') {
      throttle.trust(response, email);
      return enter(web, request, response, { cookies: entry.cookies, to: placeOf(next) });
    }
    if (entry.kind !== 'unconfirmed') return refuse(WRONG);
    await throttle.signUps(request, email);
    auth.inviteAgain(email);
    return leave(response, [], '/confirm/sent');
  });
}
