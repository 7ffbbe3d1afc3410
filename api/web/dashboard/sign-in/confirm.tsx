import type { Request, Response, Router } from 'express';
import { makeForms } from '../../auth/form-tokens.ts';
import { Heading, type Page } from '../../components/layout.tsx';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { enter, leave, type Refusal, readLink, readPerson, refusal, STALE } from '../form-answers.ts';
import { Fault, Token } from '../frame.tsx';
import { entryPage, PresentPassword, SignInForm, Username } from './forms.tsx';
import { sentPage } from './link-sent.tsx';
import type { Throttle } from './throttle.ts';
import { makeWayBack } from './way-back.ts';

const MISTYPED = refusal('This is not the password that was chosen with this sign-up.');

/** Confirming an e-mail address with a mailed link. */
export function makeConfirmRoutes(web: Web, throttle: Throttle): Router {
  const router = makeRouter();
  const { services, auth, send } = web;
  const forms = makeForms(services.settings, services.secret);
  const wayBack = makeWayBack(services.settings);

  const show = async (request: Request, response: Response, link: string, refused?: Refusal) => {
    const signUp = link ? await (await auth()).readSignUp(link) : null;
    const token = forms.issue(request, response);
    const page = signUp ? confirmPage({ token, link, fault: refused?.fault, ...signUp }) : staleLinkPage({ token });
    return send(response, page, refused?.status ?? 200);
  };

  // GET changes nothing: mail servers follow links before anybody reads the mail.
  router.get('/confirm', (request, response) => show(request, response, readLink(request)));

  router.post('/confirm', async (request, response) => {
    const { link, password } = readPerson(request);
    if (!forms.accept(request)) return show(request, response, link, STALE);
    await throttle.tries(request, link);
    const entry = await (await auth()).confirm(link, password);
    if (entry.kind === 'mistyped') return show(request, response, link, MISTYPED);
    if (entry.kind !== 'entered') return leave(response, [], '/confirm');
    throttle.trust(response, entry.email);
    return enter(web, request, response, { cookies: entry.cookies, to: wayBack.take(request, response) });
  });

  router.get('/confirm/sent', (_request, response) => send(response, sentPage('confirm_again', services.settings)));
  return router;
}

interface ConfirmForm {
  token: string;
  link: string;
  /** The name given at sign-up. */
  name: string;
  email: string;
  fault?: string | undefined;
}

/** The page of a sign-up's link. It asks for the password of the sign-up. */
function confirmPage({ token, link, name, email, fault }: ConfirmForm): Page {
  const title = 'Confirm your address';
  return entryPage(
    title,
    <>
      <Heading title={title}>
        <p class="lead">
          Somebody signed up with this address as <strong>{name}</strong>. If it was you, type the password you chose.
          If it was not, leave this page: no account is created.
        </p>
      </Heading>
      <Fault text={fault} />
      <form method="post" action="/confirm" class="narrow">
        <Token token={token} />
        <input type="hidden" name="link" value={link} />
        <Username email={email} />
        <PresentPassword label="Password of this sign-up" />
        <button type="submit">Confirm and sign in</button>
      </form>
      <p>
        Forgotten it already? <a href="/forgotten">Set a new one</a>; that confirms the address too.
      </p>
    </>,
  );
}

/** The page of a link that was used, has expired or is invalid. */
function staleLinkPage({ token }: { token: string }): Page {
  const title = 'This link no longer works';
  return entryPage(
    title,
    <>
      <Heading title={title}>
        <p class="lead">It has been used already, is more than a day old, or is incomplete.</p>
      </Heading>
      <p>Sign in. If your address is not confirmed yet, a new link is sent to it.</p>
      <SignInForm token={token} />
      <p>
        <a href="/sign-up">Sign up again</a>, if the link is so old that you do not remember the password.
      </p>
    </>,
  );
}
