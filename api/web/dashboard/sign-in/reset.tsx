import { Heading, type Page } from '../../components/layout.tsx';
import { Fault, Token } from '../frame.tsx';
import { Email, entryPage, NewPassword } from './forms.tsx';

interface ForgottenForm {
  token: string;
  fault?: string;
  email?: string;
  /** Somebody came by a link that is no longer good. */
  isLinkStale?: boolean;
}

export function forgottenPage({ token, fault, email, isLinkStale }: ForgottenForm): Page {
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

export interface ResetForm {
  token: string;
  link: string;
  fault?: string;
}

export function newPasswordPage({ token, link, fault }: ResetForm): Page {
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
