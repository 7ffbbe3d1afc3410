import type { ComponentChildren } from 'preact';
import { randomBase62 } from '../../../schema/text/tokens.ts';
import { lookupContract } from '../../operations/contracts/lookup.ts';
import { TOKEN_FIELD } from '../auth/form-tokens.ts';
import { formatInstantShort, formatNumbered, type Zone } from '../components/format.ts';
import type { Page } from '../components/layout.tsx';
import { ONCE_CHARS } from './form-answers.ts';

type DashboardTab = 'overview' | 'usage' | 'ledger' | 'exports' | 'watches' | 'billing' | 'settings';

const TABS: readonly [DashboardTab, string, string][] = [
  ['overview', '/dashboard', 'Keys and balance'],
  ['usage', '/dashboard/usage', 'Usage'],
  ['ledger', '/dashboard/ledger', 'Ledger'],
  ['exports', '/dashboard/exports', 'Exports'],
  ['watches', '/dashboard/watches', 'Watches'],
  ['billing', '/dashboard/billing', 'Billing'],
  ['settings', '/dashboard/settings', 'Settings'],
];

/** The price of a common call: below it, every page of the account warns. */
const COMMON_CREDITS = lookupContract.credits;

/** The person who is signed in, and their form token. */
export interface Person {
  name: string;
  token: string;
  /** Whole credits. */
  balance: number;
}

/** A page of the account in its frame. It is never cached. */
export function dashboardPage(
  person: Person,
  { title, tab, scripts = [] }: { title: string; tab?: DashboardTab; scripts?: Page['scripts'] },
  body: ComponentChildren,
): Page {
  return {
    title,
    section: 'dashboard',
    personal: true,
    scripts,
    body: (
      <Frame tab={tab} title={title} {...person}>
        {body}
      </Frame>
    ),
  };
}

/** Who is signed in, and the tabs. */
function Frame({ tab, title, token, name, balance, children }: FrameProps) {
  return (
    <>
      <div class="who">
        <p class="kind">Signed in as {name}</p>
        <form method="post" action="/sign-out">
          <Token token={token} />
          <button type="submit" class="quiet">
            Sign out
          </button>
        </form>
      </div>
      <h1>{title}</h1>
      <nav class="tabs" aria-label="Account">
        {TABS.map(([id, href, label]) => (
          <a key={id} class="tab" href={href} aria-current={id === tab ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {tab !== 'billing' && <LowBalance balance={balance} />}
      {children}
    </>
  );
}

function LowBalance({ balance }: { balance: number }) {
  if (balance >= COMMON_CREDITS) return null;
  return (
    <div class="note warn">
      <p>
        {balance === 0 ? 'No credits are left' : `Only ${formatNumbered(balance, 'credit')} left`}: calls that cost more
        are refused, at no charge. <a href="/dashboard/billing">Top up</a>
      </p>
    </div>
  );
}

interface FrameProps extends Person {
  tab: DashboardTab | undefined;
  title: string;
  children: ComponentChildren;
}

/** The hidden form token. */
export function Token({ token }: { token: string }) {
  return <input type="hidden" name={TOKEN_FIELD} value={token} />;
}

/** The hidden random id of a form that makes something. @param id - that of a form which is shown again, as it may have taken effect */
export function Once({ id = randomBase62(ONCE_CHARS) }: { id?: string | undefined }) {
  return <input type="hidden" name="once" value={id} />;
}

/** An instant, in London time where nothing else is said. Day and time can break onto two lines. */
export function When({ at, zone = 'london' }: { at: string; zone?: Zone }) {
  const [day, time] = formatInstantShort(at, zone);
  return (
    <>
      <span class="whole">{day}</span> <span class="whole muted">{time}</span>
    </>
  );
}

/** Why a form was refused. */
export function Fault({ text }: { text: string | undefined }) {
  return <Faults texts={text ? [text] : []} />;
}

/** Why a form was refused, a paragraph each. */
export function Faults({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div class="note bad" role="alert">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** Confirms an action. */
export function Said({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <div class="note" role="status">
      <p>{text}</p>
    </div>
  );
}
