import { fenceOf, type IngestContext } from '../context.ts';
import { resolveStatements } from '../parse/quarantined.ts';
import { type Span, uncoveredSpans } from '../runs/spans.ts';
import type { WindowsSource } from '../source.ts';

interface HeldPage {
  id: number;
  url: string;
  last_seen_at: string;
}

/** Pages that are looked at after one run, the newest first; the others' turn comes when these are settled. */
const PAGES_A_RUN = 500;
const HOUR_MS = 3_600_000;
const HELD = `SELECT id, url, last_seen_at FROM quarantine
  WHERE source = ? AND kind = 'page' AND state = 'held' ORDER BY last_seen_at DESC, id DESC LIMIT ${PAGES_A_RUN}`;
/** Windows that were read whole by a run that began after the page was last seen. Runs are dated by the wall clock, as pages are. */
const SINCE = `SELECT w."from", w.until FROM window w JOIN run r ON r.id = w.run_id
  WHERE w.source = ?1 AND w.state <> 'split' AND w."from" BETWEEN ?5 AND ?3 AND w.until >= ?2 AND r.started_at >= ?4`;
/** Ids that were asked for one by one, and what they led to. */
const SETTLED_ID = `SELECT 1 FROM probe WHERE source = ?1 AND notice_id = ?2 AND state IN ('fetched', 'never_published') AND asked_at >= ?3`;

/**
 * Settles quarantined pages whose data has come since: their whole span was read by a later run, or their one notice was.
 * Answers how many. What they hold is stored by then, so their bytes go.
 */
export async function settlePages(context: IngestContext, source: WindowsSource): Promise<number> {
  const held = await context.catalogue.read<HeldPage>({ sql: HELD, args: [source.id] });
  let settled = 0;
  for (const page of held) {
    if (!(await hasCome(context, source, page))) continue;
    await context.catalogue.write([...fenceOf(context), ...resolveStatements(source.id, page.id)]);
    settled += 1;
  }
  return settled;
}

async function hasCome({ catalogue }: IngestContext, source: WindowsSource, page: HeldPage): Promise<boolean> {
  const span = source.readSpan(page.url);
  if (!span) {
    const id = decodeURIComponent(new URL(page.url).pathname.split('/').at(-1) ?? '');
    return (await catalogue.read({ sql: SETTLED_ID, args: [source.id, id, page.last_seen_at] })).length > 0;
  }
  // No window that reaches into the span began earlier.
  const earliest = new Date(span.from.getTime() - source.longestWindowHours * HOUR_MS);
  const [first, from, until] = [earliest, span.from, span.until].map((instant) => instant.toISOString());
  const rows = await catalogue.read<{ from: string; until: string }>({
    sql: SINCE,
    args: [source.id, from ?? '', until ?? '', page.last_seen_at, first ?? ''],
  });
  const read = rows.map((row): Span => ({ from: new Date(row.from), until: new Date(row.until) }));
  return rows.length > 0 && uncoveredSpans(span, read).length === 0;
}
