import type { Page } from '../../components/layout.tsx';
import { dashboardPage, type Person } from '../frame.tsx';
import { Copied, SHOWN_ONCE_SCRIPTS, ShownOnce } from '../shown-once.tsx';
import { watchPath } from './words.ts';

/** The only page that shows a secret of a watch. @param isFirst - for a new webhook; otherwise the previous secret also signs for a day */
export function shownSecretPage(
  person: Person,
  { id, name, secret, isFirst }: { id: string; name: string; secret: string; isFirst: boolean },
): Page {
  const title = isFirst ? 'The secret of your webhook' : 'The new secret of your webhook';
  return dashboardPage(
    person,
    { title, tab: 'watches', scripts: SHOWN_ONCE_SCRIPTS },
    <>
      <div class="note warn">
        <p>Copy it now. It is not shown again.</p>
        {!isFirst && <p>For a day both secrets sign, so that you can change your receiver without haste.</p>}
      </div>
      <p>{name}</p>
      <ShownOnce text={secret} label="the secret" />
      <p>
        Every delivery is signed with it. Your receiver should refuse what is not:{' '}
        <a href="/docs/webhooks">how to verify it</a>, in TypeScript and Python.
      </p>
      <Copied href={watchPath(id)} />
    </>,
  );
}
