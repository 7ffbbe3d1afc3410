import type { ComponentChildren } from 'preact';
import { PASSWORD } from '../auth/auth.ts';
import { formatNumbered } from '../format.ts';
import { Heading, type Page } from '../layout.tsx';
import { Fault, Token } from './frame.tsx';

interface EntryForm {
  token: string;
  /** Said above the form; the fields are filled again but for the password. */
  fault?: string;
  name?: string;
  email?: string;
  /** Where to go afterwards: the name of one of our own pages. */
  next?: string;
}

export function signUpPage(form: EntryForm, freeCredits: number): Page {
  const title = 'Create an account';
  return entryPage(
    title,
    <>
      <Heading title={title}>
        <p class="lead">
          Browsing needs no account. The API does: a new account starts with {formatNumbered(freeCredits, 'credit')},
          free.
        </p>
      </Heading>
      <Fault text={form.fault} />
      <form method="post" action="/sign-up" class="narrow">
        <Token token={form.token} />
        <div class="field">
          <label for="name">Your name, or your organisation's</label>
          <input id="name" name="name" autoComplete="name" required maxLength={100} value={form.name} />
        </div>
        <Email value={form.email} />
        <div class="field">
          <label for="password">
            Password <span class="hint">At least {PASSWORD.least} characters.</span>
          </label>
          <input
            id="password"
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={PASSWORD.least}
            maxLength={PASSWORD.most}
          />
        </div>
        <button type="submit">Create account</button>
      </form>
      <p>
        Have an account already? <a href="/sign-in">Sign in</a>.
      </p>
    </>,
  );
}

export function signInPage(form: EntryForm): Page {
  return entryPage(
    'Sign in',
    <>
      <Heading title="Sign in" />
      <Fault text={form.fault} />
      <form method="post" action="/sign-in" class="narrow">
        <Token token={form.token} />
        {form.next && <input type="hidden" name="next" value={form.next} />}
        <Email value={form.email} />
        <div class="field">
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            maxLength={PASSWORD.most}
          />
        </div>
        <button type="submit">Sign in</button>
      </form>
      <p>
        New here? <a href="/sign-up">Create an account</a>.
      </p>
    </>,
  );
}

function entryPage(title: string, body: ComponentChildren): Page {
  return { title, section: 'dashboard', personal: true, body: <>{body}</> };
}

function Email({ value }: { value: string | undefined }) {
  return (
    <div class="field">
      <label for="email">E-mail address</label>
      <input id="email" name="email" type="email" autoComplete="email" required maxLength={254} value={value} />
    </div>
  );
}
