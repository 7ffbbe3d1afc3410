import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { createWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import { deliveryStatements } from '../../../schema/accounts/watches/outbox.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { makeWatchSecret, sealWatchSecret } from '../../../schema/accounts/watches/secret.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeId, makeTimedId } from '../../../schema/text/tokens.ts';

export const SERVICE_SECRET = 'a secret of the tests that is long enough for them';
const START = new Date('2026-06-01T08:00:00Z');

/** An account with credits. */
export async function openAccount(accounts: Database, credits = 250): Promise<string> {
  const { id } = await createAccount(accounts, { name: 'Somebody', signupCredits: credits, at: isoInstant(START) });
  return id;
}

type Wanted = Partial<WatchRow> & { account_id: string };

/** A watch of an account that begins before the first change; its secret as its receiver knows it. */
export async function addWatch(accounts: Database, wanted: Wanted): Promise<{ id: string; secret: string }> {
  const id = makeId('wat');
  const secret = makeWatchSecret();
  await createWatch(
    accounts,
    {
      id,
      accountId: wanted.account_id,
      keyId: wanted.key_id ?? null,
      secret: sealWatchSecret(secret, id, SERVICE_SECRET),
      position: wanted.position ?? 0,
      dueAt: wanted.due_at ?? null,
      at: isoInstant(START),
      name: wanted.name ?? 'Bridges',
      collection: wanted.collection ?? 'notices',
      filters: JSON.parse(wanted.filters ?? '{}'),
      webhook: wanted.webhook === undefined ? 'https://example.org/hook' : wanted.webhook,
      every: wanted.every ?? 'run',
      changes: JSON.parse(wanted.changes ?? '["new","updated","gone"]'),
      credits_per_day_max: wanted.credits_per_day_max ?? null,
    },
    1_000,
  );
  return { id, secret };
}

/** Puts a delivery of some items into the outbox; answers its id, or null where the watch could not pay. `as`: how its watch was when they were found. */
export async function addDelivery(
  accounts: Database,
  watchId: string,
  items: readonly string[],
  { now = START, as = {} }: { now?: Date; as?: Partial<WatchRow> } = {},
): Promise<string | null> {
  const watch = { ...(await readWatch(accounts, watchId)), ...as };
  const id = makeTimedId('wd', now.getTime());
  const [charged] = await accounts.write(
    deliveryStatements(
      {
        id,
        chargeId: makeTimedId('ch', now.getTime()),
        watch,
        items: items.map((id) => ({ id, seq: 0, gone: 0 })),
        passed: [],
        body: JSON.stringify({ type: 'watch.delivery', data: { items: items.map((id) => ({ id, change: 'new' })) } }),
        from: { seq: watch.position, id: watch.position_id },
        to: { seq: watch.position + 1, id: '~' },
        now,
        at: isoInstant(now),
      },
      1_000,
    ),
  );
  return charged?.changes === 1 ? id : null;
}

export async function readWatch(accounts: Database, id: string): Promise<WatchRow> {
  const [row] = await accounts.read<WatchRow>({ sql: 'SELECT * FROM watch WHERE id = ?', args: [id] });
  if (!row) throw new Error(`no watch ${id}`);
  return row;
}
