import type { ComponentChildren } from 'preact';
import { PASSWORD } from '../../auth/rules.ts';
import { formatNumbered } from '../../components/format.ts';
import { Heading, type Page } from '../../components/layout.tsx';
import { withQuery } from '../../components/links.ts';
import { NAME_CHARS } from '../form-answers.ts';
import { Fault, Said, Token } from '../frame.tsx';

export interface EntryForm {
  token: string;
  /** The error above the form. Fields keep their values, except the password. */
  fault?: string | undefined;
  /** Errors by field name. */
  faults?: Partial<Record<'name' | 'email' | 'password', string>> | undefined;
  name?: string | undefined;
  email?: string | undefined;
  /** The name of the page to return to. */
  next?: string | undefined;
  /** The name of a confirmation. */
  said?: string | undefined;
}

/** The page to create an account. @param freeCredits - credits for a new account */
export function signUpPage(form: EntryForm, freeCredits: number): Page {
  const title = 'Create an account';
  return entryPage(
    title,
    <>
      <Heading title={title}>
        <p class="lead">
          Browsing needs no account. The API does
          {freeCredits > 0 &&
            `: a new account starts with ${formatNumbered(freeCredits, 'credit')}, free, once its address is confirmed`}
          .
        </p>
      </Heading>
      <Fault text={form.fault} />
      <form method="post" action="/sign-up" class="narrow">
        <Token token={form.token} />
        <Next next={form.next} />
        <div class="field">
          <label for="name">Your name, or your organisation's</label>
          <FieldFault id="name" text={form.faults?.name} />
          <input
            id="name"
            name="name"
            autoComplete="name"
            required
            maxLength={NAME_CHARS}
            value={form.name}
            {...faultOf('name', form.faults?.name)}
          />
        </div>
        <Email value={form.email} fault={form.faults?.email} />
        <NewPassword label="Password" fault={form.faults?.password} />
        <button type="submit">Create account</button>
      </form>
      <p>
        Have an account already? <a href={withQuery('/sign-in', { next: form.next })}>Sign in</a>.
      </p>
    </>,
  );
}

const SAID: Record<string, string> = {
  password: 'Your new password is set. Sign in with it.',
  sessions: 'You are signed out everywhere.',
  deleted: 'Your account is deleted.',
};

/** The page to sign in. */
export function signInPage(form: EntryForm): Page {
  return entryPage(
    'Sign in',
    <>
      <Heading title="Sign in" />
      <Said text={Object.hasOwn(SAID, form.said ?? '') ? SAID[form.said ?? ''] : undefined} />
      <Fault text={form.fault} />
      <SignInForm {...form} />
      <p>
        New here? <a href={withQuery('/sign-up', { next: form.next })}>Create an account</a>. Or have you{' '}
        <a href="/forgotten">forgotten the password</a>?
      </p>
    </>,
  );
}

/** The form to sign in. */
export function SignInForm({ token, next, email }: EntryForm) {
  return (
    <form method="post" action="/sign-in" class="narrow">
      <Token token={token} />
      <Next next={next} />
      <Email value={email} />
      <PresentPassword />
      <button type="submit">Sign in</button>
    </form>
  );
}

/** The page to return to. */
function Next({ next }: Pick<EntryForm, 'next'>) {
  return next ? <input type="hidden" name="next" value={next} /> : null;
}

/** A page about signing in; never cached. */
export function entryPage(title: string, body: ComponentChildren): Page {
  return { title, section: 'dashboard', personal: true, body: <>{body}</> };
}

/** The error of a field. */
function FieldFault({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p class="fault" id={`${id}-fault`}>
      {text}
    </p>
  ) : null;
}

/** Links a field to its error for screen readers. */
const faultOf = (id: string, text: string | undefined) =>
  text ? ({ 'aria-invalid': 'true', 'aria-describedby': `${id}-fault` } as const) : {};

/** The field for an e-mail address, with its error. */
export function Email({ value, fault }: { value: string | undefined; fault?: string | undefined }) {
  return (
    <div class="field">
      <label for="email">E-mail address</label>
      <FieldFault id="email" text={fault} />
      <input
        id="email"
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        value={value}
        {...faultOf('email', fault)}
      />
    </div>
  );
}

/** A hidden user name for password managers. */
export function Username({ email }: { email: string }) {
  return <input type="email" autoComplete="username" value={email} readOnly hidden />;
}

/** The field for the current password. */
export function PresentPassword({ label = 'Password', id = 'password' }: { label?: string; id?: string }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={id} type="password" autoComplete="current-password" required maxLength={PASSWORD.most} />
    </div>
  );
}

/** The field for a new password, with its error. */
export function NewPassword(props: { label: string; id?: string; fault?: string | undefined }) {
  const { label, id = 'password', fault } = props;
  return (
    <div class="field">
      <label for={id}>
        {label} <span class="hint">At least {PASSWORD.least} characters.</span>
      </label>
      <FieldFault id={id} text={fault} />
      <input
        id={id}
        name={id}
        type="password"
        autoComplete="new-password"
        required
        minLength={PASSWORD.least}
        maxLength={PASSWORD.most}
        {...faultOf(id, fault)}
      />
    </div>
  );
}
