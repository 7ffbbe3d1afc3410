import type { Router } from 'express';
import { makeForms } from '../../auth/form-tokens.ts';
import { isPasswordLong, PASSWORD_CHARS } from '../../auth/rules.ts';
import { Heading, type Page } from '../../components/layout.tsx';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { leave, type Refusal, readLink, readPerson, refusal, STALE } from '../form-answers.ts';
import { Fault, Token } from '../frame.tsx';
import { Email, entryPage, NewPassword } from './forms.tsx';
import { sentPage } from './link-sent.tsx';
import type { Throttle } from './throttle.ts';

/** Resetting a forgotten password with a mailed link. */
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
    (await auth()).requestReset(email);
    return leave(response, [], '/forgotten/sent');
  });
  router.get('/forgotten/sent', (_request, response) => send(response, sentPage('reset', services.settings)));
}

function addSetting(router: Router, { services, auth, send }: Web, throttle: Throttle): void {
  const forms = makeForms(services.settings, services.secret);
  router.get('/reset', async (request, response) => {
    const link = readLink(request);
    const isGood = link !== '' && (await (await auth()).isResettable(link));
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
    if (!isPasswordLong(password)) return refuse(refusal(`The password needs ${PASSWORD_CHARS}.`));
    const email = await (await auth()).reset(link, password);
    if (email === null) return leave(response, [], '/reset');
    throttle.trust(response, email);
    return leave(response, [], '/sign-in?said=password');
  });
}

interface ForgottenForm {
  token: string;
  fault?: string;
  email?: string;
  /** The person followed a link that is no longer valid. */
  isLinkStale?: boolean;
}

/** The page that requests a reset link. */
function forgottenPage({ token, fault, email, isLinkStale }: ForgottenForm): Page {
  const title = isLinkStale ? 'This link no longer works' : 'Forgotten password';
  return entryPage(
    title,
    <>
      <Heading title={title}>
        <p class="lead">
          {isLinkStale && 'It has been used already, is more than an hour old, or is incomplete. '}
          We will send you a link to set a new password.
        </p>
      </Heading>
      <Fault text={fault} />
      <form method="post" action="/forgotten" class="narrow">
        <Token token={token} />
        <Email value={email} />
        <button type="submit">Send the link</button>
      </form>
      <p>
        Remember it after all? <a href="/sign-in">Sign in</a>.
      </p>
    </>,
  );
}

interface ResetForm {
  token: string;
  link: string;
  fault?: string;
}

/** The page that sets a new password. */
function newPasswordPage({ token, link, fault }: ResetForm): Page {
  const title = 'Set a new password';
  return entryPage(
    title,
    <>
      <Heading title={title}>
        <p class="lead">You will be signed out everywhere and can sign in again with it.</p>
      </Heading>
      <Fault text={fault} />
      <form method="post" action="/reset" class="narrow">
        <Token token={token} />
        <input type="hidden" name="link" value={link} />
        <NewPassword label="New password" />
        <button type="submit">Set the password</button>
      </form>
    </>,
  );
}
