import type { Settings } from '../../../../schema/config/settings.ts';
import { Heading, type Page } from '../../components/layout.tsx';
import { entryPage } from './forms.tsx';

const MAILED = {
  confirm: 'A link to confirm this address is on its way. It works for a day.',
  confirm_again: 'This address is not confirmed yet. A new link to confirm it is on its way. It works for a day.',
  reset: 'If this address has an account, a link to set a new password is on its way. It works for an hour.',
} as const;
const LOGGED = {
  confirm: 'A link confirms this address. It works for a day.',
  confirm_again: 'This address is not confirmed yet. A new link confirms it. It works for a day.',
  reset: 'If this address has an account, a link lets you set a new password. It works for an hour.',
} as const;

/** Says how the link of a form reaches the person; the same for every address. */
export function sentPage(what: keyof typeof MAILED, { SMTP_URL }: Pick<Settings, 'SMTP_URL'>): Page {
  const title = SMTP_URL ? 'Check your e-mail' : 'Ask the operator for your link';
  const again = what === 'reset' ? <a href="/forgotten">ask again</a> : <a href="/sign-up">sign up again</a>;
  return entryPage(
    title,
    <>
      <Heading title={title}>
        <p class="lead">{(SMTP_URL ? MAILED : LOGGED)[what]}</p>
      </Heading>
      {SMTP_URL ? (
        <p>Nothing arrived? Look in your spam folder. The address may also have been mistyped: {again}.</p>
      ) : (
        <div class="note warn">
          <p>
            This server sends no mail: its operator finds the link in the log, and passes it on. The address may have
            been mistyped: {again}.
          </p>
        </div>
      )}
    </>,
  );
}
