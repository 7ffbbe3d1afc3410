import type { Database } from '../../schema/db/interface.ts';
import { contactsOpenAt } from '../contacts/personal-details.ts';
import type { IngestTools } from '../context.ts';
import { resolveStatements } from '../parse/quarantined.ts';
import { storePage } from '../store/page.ts';
import { type HeldRow, readHeld } from './read.ts';
import { retryRegisterRow } from './register-rows.ts';

/** What came of one held row. */
export interface Retried {
  id: number;
  source: string;
  outcome: 'resolved' | 'held';
  /** What was stored, or why it still cannot be read. */
  said: string;
}

const READ = `SELECT id, source, kind, reason, url, record_id, bytes, last_seen_at FROM quarantine
  WHERE state = 'held' AND bytes IS NOT NULL AND source = ?1 AND id > ?2 AND (?3 IS NULL OR id = ?3) ORDER BY id LIMIT 1`;
/** Where the newest row stood when reading began: what a retry itself sends to quarantine is not retried at once. */
const NEWEST = 'SELECT max(id) AS id FROM quarantine';

/** Held rows of a source one after another, oldest first: their bytes may be large, so never more than one is in memory. */
export async function* readHeldRows(
  catalogue: Database,
  { source, id }: { source: string; id?: number | undefined },
): AsyncGenerator<HeldRow, void> {
  const [newest] = await catalogue.read<{ id: number | null }>({ sql: NEWEST });
  for (let after = 0; ; ) {
    const [row] = await catalogue.read<HeldRow>({ sql: READ, args: [source, after, id ?? null] });
    if (!row || row.id > (newest?.id ?? 0)) return;
    yield row;
    after = row.id;
  }
}

/**
 * Reads held bytes with today's reader and stores what can be read now as if it had just come: a page or a release with
 * the batch that marks the row as resolved, so that a retry that is repeated or killed stores nothing twice.
 * @throws what `storePage` throws.
 */
export async function retryHeld(tools: IngestTools, row: HeldRow): Promise<Retried> {
  const { id, source } = row;
  if (row.kind === 'row') return { id, source, ...(await retryRegisterRow(tools, row)) };
  const read = readHeld(row);
  if ('stillFails' in read) return { id, source, outcome: 'held', said: read.stillFails };
  const { releases, quarantined, pageSha256 } = read.page;
  const { stored, unchanged } = await storePage(tools.catalogue, {
    source,
    fetchedAt: row.last_seen_at,
    releases,
    quarantined,
    pageSha256,
    contactsOpenAt: contactsOpenAt(tools),
    before: tools.fence ? [tools.fence] : [],
    after: resolveStatements(source, id),
  });
  const refused = quarantined.length > 0 ? `, ${quarantined.length} of its releases quarantined on their own` : '';
  return { id, source, outcome: 'resolved', said: `${stored} stored, ${unchanged} held already${refused}` };
}
