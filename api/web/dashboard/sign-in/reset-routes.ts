import type { Router } from 'express';
import { makeForms } from '../../auth/form-tokens.ts';
import { isPasswordLong } from '../../auth/open.ts';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { leave, type Refusal, readLink, readPerson, refusal, STALE } from '../form-answers.ts';
import { sentPage } from './link-sent.tsx';
import { forgottenPage, newPasswordPage, type ResetForm } from './reset.tsx';
import type { Throttle } from './throttle.ts';

/** A new password for somebody who forgot theirs, by a mailed link. */
export function makeResetRoutes(web: Web, throttle: Throttle): Router {
  const router = makeRouter();
  addAsking(router, web, throttle);
  addSetting(router, web, throttle);
  return router;
}

function addAsking(router: Router, { services, auth, send }: Web, throttle: Throttle): void {
  const forms = makeForms(services.settings, services.secret);
  router.get('/forgotten', (request, response) =>
    send(response, forgottenPage({ token: forms.issue(request, response) })),
  );
  router.post('/forgotten', async (request, response) => {
    const { email } = readPerson(request);
    if (!forms.accept(request)) {
      const token = forms.issue(request, response);
      return send(response, forgottenPage({ token, fault: STALE.fault, email }), STALE.status);
    }
    await throttle.resets(request, email);
    auth.requestReset(email);
    return leave(response, [], '/forgotten/sent');
  });
  router.get('/forgotten/sent', (_request, response) => send(response, sentPage('reset', services.settings)));
}

function addSetting(router: Router, { services, auth, send }: Web, throttle: Throttle): void {
  const forms = makeForms(services.settings, services.secret);
  router.get('/reset', async (request, response) => {
    const link = readLink(request);
    const isGood = link !== '' && (await auth.isResettable(link));
    const token = forms.issue(request, response);
    return send(response, isGood ? newPasswordPage({ token, link }) : forgottenPage({ token, isLinkStale: true }));
  });
  router.post('/reset', async (request, response) => {
    const { link, password } = readPerson(request);
    const refuse = ({ fault, status }: Refusal) => {
      const form: ResetForm = { token: forms.issue(request, response), link, fault };
      return send(response, newPasswordPage(form), status);
    };
    if (!forms.accept(request)) return refuse(STALE);
    if (!isPasswordLong(password)) return refuse(refusal('The password needs 10 to 128 characters.'));
    const email = await auth.reset(link, password);
    if (email === null) return leave(response, [], '/reset');
    throttle.trust(response, email);
    return leave(response, [], '/sign-in?said=password');
  });
}
