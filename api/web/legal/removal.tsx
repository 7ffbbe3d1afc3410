import type { Settings } from '../../../schema/config/settings.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { Operator } from './operator.tsx';

/** How to have personal data removed from a notice. */
export function removalPage(settings: Settings): Page {
  return {
    title: 'Removal',
    description: 'How to have your name removed from the notices on this site',
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
          <li>
            Send this to us:
            <Operator settings={settings} />
          </li>
        </ol>
        <h2>What happens then</h2>
        <ul>
          <li>We answer without delay, and within a month at the latest, as the law requires.</li>
          <li>
            What is removed goes from the stored publications, these pages, the search, the API and the export files
            that are still stored. If it is published again, it is recognised and kept out.
          </li>
          <li>
            To recognise it, we keep your name as you gave it, and e-mail addresses and telephone numbers as hashes.
          </li>
          <li>
            We cannot reach files that customers have already downloaded, or the official services, which publish
            separately: ask the public body that published the notice, or{' '}
            <a href="https://www.find-tender.service.gov.uk/" rel="noopener">
              Find a Tender
            </a>
            . What Companies House publishes is a public register.
          </li>
        </ul>
        <p>
          What else we store, and why: <a href="/privacy">privacy</a>.
        </p>
      </div>
    ),
  };
}
