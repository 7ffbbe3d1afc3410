import type { Settings } from '../../../schema/env.ts';
import { Heading, type Page } from '../layout.tsx';

const WORDS = {
  confirm: 'We have sent a link to confirm this address. It is good for a day.',
  confirm_again: 'This address is not confirmed yet. We have sent a link to confirm it again. It is good for a day.',
  reset: 'If this address has an account, we have sent it a link to set a new password. It is good for an hour.',
} as const;

/** Says that a link is on its way; the same for every address. */
export function sentPage(what: keyof typeof WORDS, { SMTP_URL }: Pick<Settings, 'SMTP_URL'>): Page {
  return {
    title: 'Look into your mail',
    section: 'dashboard',
    personal: true,
    body: (
      <>
        <Heading title="Look into your mail">
          <p class="lead">{WORDS[what]}</p>
        </Heading>
        {!SMTP_URL && (
          <div class="note warn">
            <p>This server sends no mail. Its operator finds the link in the log.</p>
          </div>
        )}
        <p>
          Nothing came? It may lie among unwanted mail, or the address may have been mistyped:{' '}
          {what === 'reset' ? <a href="/forgotten">ask again</a> : <a href="/sign-up">sign up again</a>}.
        </p>
      </>
    ),
  };
}
