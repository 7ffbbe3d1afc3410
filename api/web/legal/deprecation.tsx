import type { Settings } from '../../../schema/config/settings.ts';
import { CONTRACT_VERSION } from '../../openapi/document.ts';
import { formatNumbered } from '../components/format.ts';
import { Heading, type Page } from '../components/layout.tsx';

/** How the API changes, and how changes are announced. */
export function deprecationPage({ END_NOTICE_MONTHS, CHANGE_NOTICE_DAYS }: Settings): Page {
  return {
    title: 'Versions and changes',
    description: 'How the API changes, and how long each part stays',
    section: 'docs',
    body: (
      <div class="prose">
        <Heading title="Versions and changes">
          <p class="lead">What works today will keep working. This is version {CONTRACT_VERSION} of the contract.</p>
        </Heading>
        <h2>What may change at any time</h2>
        <ul>
          <li>New fields in answers, new optional inputs, new operations and tools: ignore what you do not know.</li>
          <li>The words of messages and descriptions, the order of fields, the ranking of searches.</li>
          <li>New values of a field with several kinds (a source, a notice type, an error).</li>
        </ul>
        <h2>What does not change within /v1</h2>
        <ul>
          <li>No field, input, operation, tool, path or error is renamed or removed, and none changes its meaning.</li>
          <li>An id always leads to the same record.</li>
          <li>
            No price rises unless it was announced {formatNumbered(CHANGE_NOTICE_DAYS, 'day')} before on the{' '}
            <a href="/pricing">price list</a>.
          </li>
        </ul>
        <h2>When something has to end</h2>
        <ul>
          <li>
            It keeps working for at least {formatNumbered(END_NOTICE_MONTHS, 'month')} after its end is announced here.
            A whole version, such as /v1, stays that long after its successor is available.
          </li>
          <li>
            From the announcement, each of its answers carries <code>Deprecation</code> (RFC 9745) with the day, and{' '}
            <code>Sunset</code> (RFC 8594) with the day on which it ends; the OpenAPI document marks it{' '}
            <code>deprecated</code>.
          </li>
          <li>After that day it answers 410 and names its replacement.</li>
        </ul>
        <p>
          Only what a law, a takedown or an upstream service takes away can end sooner. Nothing is deprecated at
          present.
        </p>
      </div>
    ),
  };
}
