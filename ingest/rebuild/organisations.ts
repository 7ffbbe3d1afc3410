import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../schema/db/interface.ts';
import { openAliases } from '../identity/plan.ts';
import type { IdentityKind } from '../party/sighting.ts';
import { bumpSeq, readStoredOrganisations } from '../rows/versioned.ts';
import { CLEAR_PAIRS, fillPairs } from '../store/organisations/pairs.ts';
import { organisationStatements } from '../store/organisations/rows.ts';
import type { ContractOverlay } from '../store/organisations/tallies.ts';

const TARGETS = 'SELECT DISTINCT target FROM alias WHERE kind = ? AND target > ? ORDER BY target LIMIT ?';
const STORED_AT_ONCE = 500;
const NOTHING: ContractOverlay = {
  processIds: new Set(),
  awards: [],
  frameworkTitles: new Map(),
  changes: 'all',
  pairs: null,
};

/**
 * Stores the row of every buyer, without totals, before what it bought: each of those rows gets the kind of its buyer as it is
 * written. If the buyer came later, it would be written a second time, wherever it lies.
 */
export async function storeBuyersAhead(catalogue: Database, signal?: AbortSignal): Promise<void> {
  await storeKind(catalogue, 'buyer', { signal });
}

/**
 * Stores the row of every buyer and company, and the totals of every pair of them, from the catalogue's contents. A rebuild
 * does this once at its end, as otherwise each of its batches would read every contract of its organisations.
 */
export async function storeOrganisations(catalogue: Database, signal?: AbortSignal): Promise<void> {
  await catalogue.write([CLEAR_PAIRS]);
  await storeKind(catalogue, 'buyer', { signal, after: (ids) => catalogue.write([fillPairs(ids)]) });
  await storeKind(catalogue, 'company', { signal });
}

async function storeKind(
  catalogue: Database,
  kind: IdentityKind,
  { signal, after }: { signal?: AbortSignal | undefined; after?: (ids: string[]) => Promise<unknown> },
): Promise<void> {
  for (let last = ''; ; ) {
    signal?.throwIfAborted();
    const rows = await catalogue.read<{ target: string }>({ sql: TARGETS, args: [kind, last, STORED_AT_ONCE] });
    const ids = rows.map(({ target }) => target);
    const end = ids.at(-1);
    if (end === undefined) return;
    last = end;
    const stored = await readStoredOrganisations(catalogue, kind, ids);
    const plan = { kind, aliases: openAliases(catalogue, kind), facts: [], struck: new Set<string>() };
    const statements = await organisationStatements(catalogue, plan, stored, ids, NOTHING);
    if (statements.length > 0) await catalogue.write([bumpSeq, ...statements]);
    await after?.(ids);
    // Local reads and writes are synchronous: a lease's heartbeat runs between batches.
    await yieldToEventLoop();
  }
}
