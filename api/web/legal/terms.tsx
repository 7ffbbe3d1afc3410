import type { Settings } from '../../../schema/config/settings.ts';
import { LICENCE_URL } from '../../../schema/reference/licence.ts';
import { CONTRACT_VERSION } from '../../openapi/document.ts';
import { formatCount, formatNumbered, formatPounds } from '../components/format.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { Operator } from './operator.tsx';

/** The terms of service, with the current settings. */
export function termsPage(settings: Settings): Page {
  return {
    title: 'Terms',
    description: 'What you and we can rely on',
    body: (
      <div class="prose">
        <Heading title="Terms">
          <p class="lead">What you can rely on, and what we ask of you. Using the service means agreeing to it.</p>
        </Heading>
        <h2>Who provides it</h2>
        <Operator settings={settings} />
        <TheData />
        <Money settings={settings} />
        <h2>Your account</h2>
        <ul>
          <li>
            Keep your keys to yourself: you pay for what a key spends. Revoke a key that leaks; it stops within seconds.
          </li>
          <li>
            Keep to the <a href="/pricing">published limits</a>, and do not get around them with further accounts or
            addresses.
          </li>
          <li>
            You can delete the account at any time. We may close one that breaks these terms or the law, and then refund
            credits that were paid for and not spent, unless they were obtained by fraud.
          </li>
        </ul>
        <h2>Our liability</h2>
        <p>
          The service is provided with care and as it is: we do not promise that it is always there, complete or right.
          Check what matters to you against the official notice before you bid, pay or publish. We are not liable for
          what follows from relying on it alone; nothing here limits liability that cannot be limited by law.
        </p>
        <h2>Changes, and the law</h2>
        <p>
          How the API changes is described under <a href="/deprecation">versions and changes</a>. New terms are on this
          page {formatNumbered(settings.CHANGE_NOTICE_DAYS, 'day')} before they apply. The law of{' '}
          {settings.JURISDICTION} applies.
        </p>
      </div>
    ),
  };
}

function TheData() {
  return (
    <>
      <h2>The data</h2>
      <ul>
        <li>
          It is public sector information under the{' '}
          <a href={LICENCE_URL} rel="noopener">
            Open Government Licence v3.0
          </a>
          : you may use it for anything, also commercially, if you name the source. Every export comes with the
          attribution that each publisher asks for.
        </li>
        <li>
          The licence does not cover personal data. If you use data that names people, you are responsible for that use,
          and must remove what was <a href="/removal">removed here</a>.
        </li>
        <li>We are not an official service. Where we and the official notice differ, the notice is right.</li>
      </ul>
    </>
  );
}

function Money({ settings: { PENCE_PER_CREDIT, VAT_PERCENT, SIGNUP_CREDITS } }: { settings: Settings }) {
  return (
    <>
      <h2>Credits</h2>
      <ul>
        <li>
          One credit is {formatPounds(PENCE_PER_CREDIT)} net{VAT_PERCENT > 0 && `, plus ${VAT_PERCENT}% VAT`}. What a
          call costs is in the <a href="/pricing">price list</a>. Credits are bought before they are spent and do not
          expire.
        </li>
        {SIGNUP_CREDITS > 0 && (
          <li>
            The {formatCount(SIGNUP_CREDITS)} credits of a new account are a gift, once per person, and are not paid
            out.
          </li>
        )}
        <li>Only success is charged, and every charge is in your ledger. We refund what was charged wrongly.</li>
      </ul>
    </>
  );
}

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
