import type { Response } from 'express';
import { type Account, type KeyRow, readKeys } from '../../../../schema/accounts/customer/account.ts';
import { type LedgerLine, readLedger } from '../../../../schema/accounts/ledger/transfers.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import { formatCount } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { Figures } from '../../components/parts.tsx';
import type { Web } from '../../context.ts';
import type { Refusal } from '../form-answers.ts';
import { Fault, Frame, type Person, Said } from '../frame.tsx';
import { Ledger } from '../spending/ledger.tsx';
import { isInUse, Keys, NewKeyForm, type WantedKey } from './list.tsx';

const RECENT_LINES = 8;

/** Shows the first page of the dashboard: balance, keys, latest ledger lines, and the outcome of a form. */
export async function showOverview(
  { services, send }: Web,
  { account, person }: { account: Account; person: Person },
  response: Response,
  { refusal, ...outcome }: { refusal?: Refusal; note?: string; wanted?: Partial<WantedKey> } = {},
): Promise<void> {
  const { accounts, clocks } = services;
  const now = isoInstant(clocks.wallNow());
  const keys = await readKeys(accounts, account.id, now);
  const recent = await readLedger(accounts, account.id, { limit: RECENT_LINES });
  const page = overviewPage(person, { balance: account.balance, keys, recent, now, fault: refusal?.fault, ...outcome });
  await send(response, page, refusal?.status ?? 200);
}

interface Overview {
  balance: number;
  keys: KeyRow[];
  recent: LedgerLine[];
  /** The current instant, ISO 8601 UTC. */
  now: string;
  /** Why a form was refused, and what was typed. */
  fault?: string | undefined;
  wanted?: Partial<WantedKey> | undefined;
  /** The outcome of a form. */
  note?: string | undefined;
}

/** The page with balance, keys and the latest ledger lines. */
function overviewPage(person: Person, { balance, keys, recent, now, fault, note, wanted }: Overview): Page {
  const inUse = keys.filter((key) => isInUse(key, now)).length;
  return {
    title: 'Your account',
    section: 'dashboard',
    personal: true,
    scripts: ['send-once.js'],
    body: (
      <Frame tab="overview" title="Your account" {...person}>
        <Fault text={fault} />
        <Said text={note} />
        <Figures
          figures={[
            { value: formatCount(balance), label: 'credits left' },
            { value: formatCount(inUse), label: inUse === 1 ? 'key in use' : 'keys in use' },
          ]}
        />
        <h2 id="keys">API keys</h2>
        <Keys keys={keys} token={person.token} now={now} />
        <NewKeyForm token={person.token} wanted={wanted} />
        <h2>Latest entries</h2>
        <Ledger lines={recent} keys={keys} caption="The newest entries of the ledger" />
        <p>
          <a href="/dashboard/ledger">The whole ledger</a>
        </p>
      </Frame>
    ),
  };
}
