import type { Database, Statement } from '../schema/database.ts';
import type { Sighting } from './identify.ts';
import { bumpSeq } from './rows.ts';
import { compileChanges } from './store-changes.ts';

/** Suppliers known by name alone, a batch at a time; `name.` is the first text after every `name-…`. */
const UNMATCHED = `SELECT identity_id, min(sighting) AS sighting FROM party
WHERE role = 'supplier' AND identity_id > ? AND identity_id < 'name.'
GROUP BY identity_id ORDER BY identity_id LIMIT ?`;
const BATCH = 500;

/**
 * Looks every supplier that is known by name alone up in the register again, after a new edition of it. One batch of
 * writes per few hundred suppliers, each begun by `before` (the lease's fence).
 * @returns how many suppliers were looked up.
 */
export async function rematchSuppliers(
  catalogue: Database,
  options: { before?: readonly Statement[]; signal?: AbortSignal } = {},
): Promise<number> {
  const { before = [], signal } = options;
  let lookedUp = 0;
  let after = 'name-';
  for (;;) {
    signal?.throwIfAborted();
    const rows = await catalogue.read<{ identity_id: string; sighting: string }>({
      sql: UNMATCHED,
      args: [after, BATCH],
    });
    const last = rows.at(-1);
    if (!last) return lookedUp;
    after = last.identity_id;
    lookedUp += rows.length;
    const again = rows.map(({ sighting }) => {
      return { kind: 'company' as const, sighting: JSON.parse(sighting) as Sighting, date: '' };
    });
    const { versioned, others } = await compileChanges(catalogue, [], again);
    if (versioned.length > 0) await catalogue.write([...before, bumpSeq, ...others, ...versioned]);
  }
}
