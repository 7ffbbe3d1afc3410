import { Heading, type Page } from '../../components/layout.tsx';
import { Fault, Token } from '../frame.tsx';
import { entryPage, PresentPassword, SignInForm, Username } from './forms.tsx';

interface ConfirmForm {
  token: string;
  link: string;
  /** Who signed up, as they wrote it. */
  name: string;
  email: string;
  fault?: string | undefined;
}

/** Where the link of a sign-up leads: it asks for the password that was chosen then. */
export function confirmPage({ token, link, name, email, fault }: ConfirmForm): Page {
  const title = 'Confirm your address';
  return entryPage(
    title,
    <>
      <Heading title={title}>
        <p class="lead">
          Somebody signed up with this address as <strong>{name}</strong>. If it was you, type the password you chose.
          If it was not, leave this page: no account is made.
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

/** Where a link leads that was used, has expired or never was one: on, all the same. */
export function staleLinkPage({ token }: { token: string }): Page {
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
