import { type Request, type Response, Router } from 'express';
import { makeForms } from '../auth/forms.ts';
import type { Web } from '../web.ts';
import { confirmPage, staleLinkPage } from './confirm.tsx';
import { enter, leave, readLink, readPerson, STALE } from './enter.ts';
import { sentPage } from './sent.tsx';

/** Confirming an e-mail address by the link that was mailed to it. */
export function makeConfirmRoutes(web: Web): Router {
  const router = Router();
  const { house, auth, send } = web;
  const forms = makeForms(house.settings, house.secret);

  const show = async (request: Request, response: Response, link: string, fault?: string) => {
    const signUp = link ? await auth.readSignUp(link) : null;
    const token = forms.issue(request, response);
    const page = signUp ? confirmPage({ token, link, fault, name: signUp.name }) : staleLinkPage({ token });
    return send(response, page, fault ? 403 : 200);
  };

  // Looking changes nothing: mail servers follow the links in a mail before anybody reads it.
  router.get('/confirm', (request, response) => show(request, response, readLink(request)));

  router.post('/confirm', async (request, response) => {
    const { link } = readPerson(request);
    if (!forms.accept(request)) return show(request, response, link, STALE);
    const entry = await auth.confirm(link);
    if (entry.kind !== 'entered') return leave(response, [], '/confirm');
    return enter(web, request, response, { cookies: entry.cookies, to: '/dashboard' });
  });

  router.get('/confirm/sent', (_request, response) => send(response, sentPage('confirm_again', house.settings)));
  return router;
}
