import type { Settings } from '../../../schema/env.ts';
import { Heading, type Page } from '../layout.tsx';
import { Operator } from './operator.tsx';

/** How somebody named in a notice is removed. */
export function removalPage(settings: Settings): Page {
  return {
    title: 'Removal',
    description: 'How to have your name removed from notices held here',
    body: (
      <div class="prose">
        <Heading title="Removal">
          <p class="lead">If a notice held here names you, or holds what it should not, you can have that removed.</p>
        </Heading>
        <h2>How to ask</h2>
        <ol>
          <li>Note the address of the page, or the number of the notice.</li>
          <li>Say what should be removed: the whole notice, or your name with the spellings it is published in.</li>
          <li>Say how it concerns you. We ask for no identity document, only enough to know that you may ask.</li>
          <li>Write to:</li>
        </ol>
        <Operator settings={settings} />
        <h2>What happens then</h2>
        <ul>
          <li>You are answered without delay, within a month at the latest, as the law asks.</li>
          <li>
            What is removed leaves the stored publications, these pages, the search, the API and export files that are
            still stored. It is recognised when it is published again and stays out.
          </li>
          <li>
            To recognise it, your name is remembered as you gave it, e-mail addresses and telephone numbers as hashes.
          </li>
          <li>
            Not reached: files that customers have downloaded before, and the official services, which publish on their
            own: ask the public body that published the notice, or{' '}
            <a href="https://www.find-tender.service.gov.uk/" rel="noopener">
              Find a Tender
            </a>
            . What Companies House publishes is a public register.
          </li>
        </ul>
        <p>
          What else is held, and why: <a href="/privacy">privacy</a>.
        </p>
      </div>
    ),
  };
}
