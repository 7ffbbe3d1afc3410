import type { Response } from 'express';
import { type Account, type KeyRow, readKeys } from '../../../../schema/accounts/customer/account.ts';
import { type LedgerLine, readLedger } from '../../../../schema/accounts/ledger/lines.ts';
import { readStopped } from '../../../../schema/accounts/watches/lifecycle.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import { toWatch } from '../../../operations/watches/shapes.ts';
import { formatCount } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { Figures } from '../../components/parts.tsx';
import type { Web } from '../../context.ts';
import type { Refusal } from '../form-answers.ts';
import { dashboardPage, Fault, type Person, Said } from '../frame.tsx';
import { Ledger } from '../spending/ledger.tsx';
import { WATCHES, type Watch, watchPath } from '../watches/words.ts';
import { isInUse, Keys, NewKeyForm, type WantedKey } from './list.tsx';

const RECENT_LINES = 8;
/** Stopped watches that are named. */
const STOPPED_MAX = 3;

/** Shows the first page of the dashboard: balance, keys, latest ledger lines, and the outcome of a form. */
export async function showOverview(
  { services, send }: Web,
  { account, person }: { account: Account; person: Person },
  response: Response,
  { refusal, ...outcome }: { refusal?: Refusal; note?: string; wanted?: Partial<WantedKey> },
): Promise<void> {
  const { accounts, clocks } = services;
  const now = isoInstant(clocks.wallNow());
  const keys = await readKeys(accounts, account.id, now);
  const recent = await readLedger(accounts, account.id, { limit: RECENT_LINES });
  const stopped = (await readStopped(accounts, account.id, STOPPED_MAX)).map((row) => toWatch(row));
  const { balance } = account;
  const page = overviewPage(person, { balance, keys, recent, stopped, now, fault: refusal?.fault, ...outcome });
  await send(response, page, refusal?.status ?? 200);
}

interface Overview {
  balance: number;
  keys: KeyRow[];
  recent: LedgerLine[];
  /** The latest watches that wait or are paused. */
  stopped: readonly Watch[];
  /** The current instant, ISO 8601 UTC. */
  now: string;
  /** Why a form was refused, and what was typed. */
  fault?: string | undefined;
  wanted?: Partial<WantedKey> | undefined;
  /** The outcome of a form. */
  note?: string | undefined;
}

/** The page with balance, keys and the latest ledger lines. */
function overviewPage(person: Person, { balance, keys, recent, stopped, now, fault, note, wanted }: Overview): Page {
  const inUse = keys.filter((key) => isInUse(key, now)).length;
  return dashboardPage(
    person,
    { title: 'Your account', tab: 'overview' },
    <>
      <Fault text={fault} />
      <Said text={note} />
      <Stopped watches={stopped} />
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
    </>,
  );
}

/** Says which watches do not deliver, and why. */
function Stopped({ watches }: { watches: readonly Watch[] }) {
  if (watches.length === 0) return null;
  return (
    <div class="note warn">
      {watches.map(({ watch_id, name, status, message }) => (
        <p key={watch_id}>
          Your watch <a href={watchPath(watch_id)}>{name}</a> {status === 'paused' ? 'is paused' : 'waits'}. {message}
        </p>
      ))}
      <p>
        <a href={WATCHES}>All watches</a>
      </p>
    </div>
  );
}
