import type { ComponentChildren } from 'preact';
import { TOKEN_FIELD } from '../auth/forms.ts';
import { LowBalance } from './low-balance.tsx';

export type DashboardTab = 'overview' | 'usage' | 'ledger' | 'exports' | 'billing' | 'settings';

const TABS: readonly [DashboardTab, string, string][] = [
  ['overview', '/dashboard', 'Keys and balance'],
  ['usage', '/dashboard/usage', 'Usage'],
  ['ledger', '/dashboard/ledger', 'Ledger'],
  ['exports', '/dashboard/exports', 'Exports'],
  ['billing', '/dashboard/billing', 'Billing'],
  ['settings', '/dashboard/settings', 'Settings'],
];

/** Who is signed in, and the token of the forms on their page. */
export interface Person {
  name: string;
  token: string;
  /** Whole credits. */
  balance: number;
}

/** The head of every dashboard page: who is signed in, and the way to the others. */
export function Frame({ tab, title, token, name, balance, children }: FrameProps) {
  return (
    <>
      <p class="kind">Signed in as {name}</p>
      <h1>{title}</h1>
      <nav class="tabs" aria-label="Account">
        {TABS.map(([id, href, label]) => (
          <a key={id} class="tab" href={href} aria-current={id === tab ? 'page' : undefined}>
            {label}
          </a>
        ))}
        <form method="post" action="/sign-out" class="tab-end">
          <Token token={token} />
          <button type="submit" class="quiet">
            Sign out
          </button>
        </form>
      </nav>
      {tab !== 'billing' && <LowBalance balance={balance} />}
      {children}
    </>
  );
}

interface FrameProps extends Person {
  tab?: DashboardTab;
  title: string;
  children: ComponentChildren;
}

export function Token({ token }: { token: string }) {
  return <input type="hidden" name={TOKEN_FIELD} value={token} />;
}

/** Why a form was not taken. */
export function Fault({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <div class="note bad" role="alert">
      <p>{text}</p>
    </div>
  );
}

/** What has just been done. */
export function Said({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <div class="note" role="status">
      <p>{text}</p>
    </div>
  );
}
