import type { Request, Response, Router } from 'express';
import { makeForms } from '../../auth/form-tokens.ts';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { enter, leave, type Refusal, readLink, readPerson, refusal, STALE } from '../form-answers.ts';
import { confirmPage, staleLinkPage } from './confirm.tsx';
import { sentPage } from './link-sent.tsx';
import type { Throttle } from './throttle.ts';

const MISTYPED = refusal('This is not the password that was chosen with this sign-up.');

/** Confirming an e-mail address by the link that was mailed to it. */
export function makeConfirmRoutes(web: Web, throttle: Throttle): Router {
  const router = makeRouter();
  const { services, auth, send } = web;
  const forms = makeForms(services.settings, services.secret);

  const show = async (request: Request, response: Response, link: string, refused?: Refusal) => {
    const signUp = link ? await auth.readSignUp(link) : null;
    const token = forms.issue(request, response);
    const page = signUp ? confirmPage({ token, link, fault: refused?.fault, ...signUp }) : staleLinkPage({ token });
    return send(response, page, refused?.status ?? 200);
  };

  // Looking changes nothing: mail servers follow the links in a mail before anybody reads it.
  router.get('/confirm', (request, response) => show(request, response, readLink(request)));

  router.post('/confirm', async (request, response) => {
    const { link, password } = readPerson(request);
    if (!forms.accept(request)) return show(request, response, link, STALE);
    await throttle.tries(request, link);
    const entry = await auth.confirm(link, password);
    if (entry.kind === 'mistyped') return show(request, response, link, MISTYPED);
    if (entry.kind !== 'entered') return leave(response, [], '/confirm');
    throttle.trust(response, entry.email);
    return enter(web, request, response, { cookies: entry.cookies, to: '/dashboard' });
  });

  router.get('/confirm/sent', (_request, response) => send(response, sentPage('confirm_again', services.settings)));
  return router;
}
