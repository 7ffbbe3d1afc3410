import { QUARANTINE_DAYS } from '../../../schema/catalogue/coverage.ts';
import { HOUR_MS } from '../../../schema/config/clocks.ts';
import type { Settings } from '../../../schema/config/settings.ts';
import { REPLAY_MS } from '../../metering/idempotency.ts';
import { SESSION } from '../auth/rules.ts';
import { formatNumbered } from '../components/format.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { Operator } from './operator.tsx';

/** Which personal data is stored, why and for how long, with the current settings. */
export function privacyPage(settings: Settings): Page {
  return {
    title: 'Privacy',
    description: 'What we store about you, and about people named in notices',
    body: (
      <div class="prose">
        <Heading title="Privacy">
          <p class="lead">
            What we store about people who use this service and about people named in public notices, why, and for how
            long.
          </p>
        </Heading>
        <h2>Who is responsible</h2>
        <Operator settings={settings} />
        <OfReaders settings={settings} />
        <OfCustomers settings={settings} />
        <OfNamedPeople settings={settings} />
        <h2>Your rights</h2>
        <p>
          You can ask what we store about you, have it corrected or removed, object to its use, and receive a copy of
          what you gave us. Write to the address above. If the answer does not satisfy you, you can complain to the{' '}
          <a href="https://ico.org.uk/make-a-complaint/" rel="noopener">
            Information Commissioner's Office
          </a>
          .
        </p>
      </div>
    ),
  };
}

function OfReaders({ settings: { LOG_DAYS, ACCESS_LOG } }: { settings: Settings }) {
  return (
    <>
      <h2>If you only read these pages</h2>
      <ul>
        <li>No analytics, no advertising, nothing loaded from other servers.</li>
        <li>No cookie, until you open a form to sign up or in: then one that proves the form is yours.</li>
        <li>If a page asks you to sign up first, one with its address, for a day, so that you come back to it.</li>
        <li>
          After a sign-in, for half a year, one that recognises your browser, so that a stranger who guesses at your
          password does not lock you out.
        </li>
        <li>
          Your network address is counted in memory for the limits on pages, for a day at most, and written nowhere by
          this program. Logs of what went wrong are kept for {formatNumbered(LOG_DAYS, 'day')}.
        </li>
        {ACCESS_LOG === 'on' && (
          <li>Logs of requests are kept as long: which kind of page was requested, when, and with what result.</li>
        )}
      </ul>
    </>
  );
}

function OfCustomers({ settings }: { settings: Settings }) {
  const sessionDays = formatNumbered(SESSION.days, 'day');
  return (
    <>
      <h2>If you have an account</h2>
      <p>Stored because we could not provide the service to you otherwise (contract, UK GDPR article 6(1)(b)):</p>
      <ul>
        <li>
          Your name and e-mail address, and your password as a hash, until you delete the account under Settings; for a
          week, and as long as a link that you asked for works, where you never confirm the address.
        </li>
        <li>
          After that, a keyed hash of the address, from which it cannot be read: it is there so that an address receives
          its free credits once.
        </li>
        <li>
          How many sign-ups came from a network and an e-mail domain today, under keyed hashes from which neither can be
          read.
        </li>
        <li>Sessions, which end {sessionDays} after they were last used or when you sign out.</li>
        <li>API keys as hashes, with the name you gave them; a key cannot be read back.</li>
        <li>
          The ledger: which operation was charged when, with which key, for how many credits. It is an account of money
          and is kept for good, without your name once the account is deleted.
        </li>
        <li>Answers to calls that carried an Idempotency-Key, for {formatNumbered(REPLAY_MS / HOUR_MS, 'hour')}.</li>
        <li>Finished exports, for {formatNumbered(settings.EXPORT_DAYS, 'day')}.</li>
        <li>
          Your watches: what they look for and where they deliver, until you delete them; what they sent and what its
          receivers answered, for {formatNumbered(settings.WATCH_BODY_DAYS, 'day')}.
        </li>
        {settings.SMTP_URL && (
          <li>Your address goes to our mail server, for mails about your account and those of your watches alone.</li>
        )}
        {settings.STRIPE_SECRET_KEY && (
          <li>
            Payments are made on Stripe's page: Stripe holds your card; we hold the date and amount of each payment.
          </li>
        )}
      </ul>
      <p>
        Logs contain no key, no password and no content of your requests; they are kept for{' '}
        {formatNumbered(settings.LOG_DAYS, 'day')}.
        {settings.ACCESS_LOG === 'on' &&
          ' They name, for each request, your account, its key by its id, the operation and what it cost.'}{' '}
        Nothing is sold or passed on.
      </p>
    </>
  );
}

function OfNamedPeople({ settings: { KEEP_CONTACTS } }: { settings: Settings }) {
  return (
    <>
      <h2>If you are named in a notice</h2>
      <p>
        Public bodies publish what they buy on the official services that the foot of this page names, and companies are
        on the register of Companies House. We copy those publications. Some name people: sole traders who won a
        contract, with the address they published, and anyone a text mentions.
      </p>
      <ul>
        <li>
          {KEEP_CONTACTS === 'none'
            ? 'Contact persons, with their e-mail addresses and telephone numbers, are dropped on arrival.'
            : 'Contact persons of a tender are kept separately until its deadline, shown on no page and in no answer; all others are dropped on arrival.'}
        </li>
        <li>E-mail addresses and telephone numbers are taken out of texts before anything is shown.</li>
        <li>
          An answer of those services that cannot be read may name anyone. It is stored whole and shown to the operator
          alone, until it is read or for {formatNumbered(QUARANTINE_DAYS, 'day')} after it last came.
        </li>
        <li>
          The rest is kept for good, so that anybody can look up public spending. That is our legitimate interest and
          the public's (UK GDPR article 6(1)(f)).
        </li>
        <li>
          You may object: <a href="/removal">how to be removed</a>.
        </li>
      </ul>
    </>
  );
}

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
            separately: ask the public body that published the notice, or the service that our page of it links to. What
            Companies House publishes is a public register.
          </li>
        </ul>
        <p>
          What else we store, and why: <a href="/privacy">privacy</a>.
        </p>
      </div>
    ),
  };
}
