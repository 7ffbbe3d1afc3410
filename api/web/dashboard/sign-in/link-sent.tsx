import type { Settings } from '../../../../schema/config/settings.ts';
import { Heading, type Page } from '../../components/layout.tsx';

const WORDS = {
  confirm: 'A link to confirm this address is on its way. It works for a day.',
  confirm_again: 'This address is not confirmed yet. A new link to confirm it is on its way. It works for a day.',
  reset: 'If this address has an account, a link to set a new password is on its way. It works for an hour.',
} as const;

/** Confirms that a link was sent; the same for every address. */
export function sentPage(what: keyof typeof WORDS, { SMTP_URL }: Pick<Settings, 'SMTP_URL'>): Page {
  return {
    title: 'Check your e-mail',
    section: 'dashboard',
    personal: true,
    body: (
      <>
        <Heading title="Check your e-mail">
          <p class="lead">{WORDS[what]}</p>
        </Heading>
        {!SMTP_URL && (
          <div class="note warn">
            <p>This server sends no mail: its operator finds the link in the log, and passes it on.</p>
          </div>
        )}
        <p>
          Nothing arrived? Look in your spam folder. The address may also have been mistyped:{' '}
          {what === 'reset' ? <a href="/forgotten">ask again</a> : <a href="/sign-up">sign up again</a>}.
        </p>
      </>
    ),
  };
}
