import { hash } from 'node:crypto';
import type { z } from 'zod';
import { readMonthlyCap } from '../../../schema/accounts/customer/account.ts';
import { nextDigest, readWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import { DELIVERY_CREDITS } from '../../../schema/accounts/watches/outbox.ts';
import type { WatchRhythm, WatchRow } from '../../../schema/accounts/watches/row.ts';
import { fromJson } from '../../../schema/answers/omit-empty.ts';
import { readChangeBounds, readNewestBounds } from '../../../schema/catalogue/changes/read.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { isPassing } from '../../../schema/db/interface.ts';
import { InvalidInput } from '../../contract/errors.ts';
import type { Services } from '../../contract/operation.ts';
import { findUnknownFilters } from '../filters/known.ts';
import { lineOfAccounts } from '../shared/turns.ts';
import { toWatch, type watchShape } from './shapes.ts';

const CHANGING = lineOfAccounts('changes of watches', 'Changes of a watch are made');

/** Changes of one watch happen one after another on a machine: each keeps what it does not name, as the one before it left it. */
export const inTurnOf = <T>({ machine }: Services, watchId: string, work: () => Promise<T>): Promise<T> =>
  machine.inTurn(CHANGING, watchId, work);

/**
 * The cap of a key never changes: a watch that counts against a key without enough would wait for a month that never comes.
 * @throws InvalidInput
 */
export async function assertPaysDeliveries(
  { accounts }: Services,
  keyId: string,
  { action, input }: { action: 'create' | 'resume'; input: string },
): Promise<void> {
  const cap = await readMonthlyCap(accounts, keyId);
  if (cap === null || cap >= DELIVERY_CREDITS) return;
  const msg = `A delivery costs ${DELIVERY_CREDITS} credits, and this key may spend ${cap} a month; ${action} the watch with another key`;
  throw new InvalidInput({ path: [input], msg, type: 'value_error' });
}

/** The request of an account that an Idempotency-Key stands for (hex). */
export function digestOfKey(accountId: string, once: string): string {
  return hash('sha256', `${accountId}\n${once}`);
}

/**
 * The `seq` of a watch that delivers from now on, and the instant of its first digest (ISO 8601 UTC; null where it delivers after every run).
 * An old copy of the catalogue would have it deliver what came before, so it is asked only while its server is away.
 */
export async function beginNow(
  { catalogue, clocks, settings }: Services,
  every: WatchRhythm,
): Promise<{ position: number; dueAt: string | null }> {
  const { head } = await readNewestBounds(catalogue).catch((error: unknown) => {
    if (!isPassing(error)) throw error;
    return readChangeBounds(catalogue);
  });
  const due = nextDigest(every, clocks.wallNow(), settings.WATCH_DIGEST_HOUR);
  return { position: head, dueAt: due && isoInstant(due) };
}

/** A watch that was just written, as an answer. @param secret - its text, if it was just created @throws Error where the watch is not stored */
export async function readMade(
  services: Services,
  accountId: string,
  id: string,
  secret?: string,
): Promise<z.input<typeof watchShape>> {
  const row = await readWatch(services.accounts, accountId, id);
  if (!row) throw new Error('a watch that was just written is not there');
  return describeWatch(services, row, secret);
}

/** A watch that was created or changed, with those of its filters for which it never delivers. */
export async function describeWatch(
  { catalogue }: Services,
  row: WatchRow,
  secret?: string,
): Promise<z.input<typeof watchShape>> {
  const unknown = await findUnknownFilters(catalogue, fromJson(row.filters));
  return { ...toWatch(row, secret), ...(unknown && { unknown_filters: unknown }) };
}
