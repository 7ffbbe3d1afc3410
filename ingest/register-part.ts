import { isoInstant } from '../schema/clocks.ts';
import type { Statement } from '../schema/database.ts';
import { type Quarantined, quarantineStatements } from './quarantine.ts';
import { makeRowReader, readHeader } from './register-row.ts';
import type { RegisterRun } from './register-run.ts';
import { type Listed, listedStatements, makeListed } from './register-store.ts';
import { readZipRows } from './register-zip.ts';
import { addCounts, countRunStatement } from './run-rows.ts';

const BATCH_ROWS = 1_000;

interface Batch {
  listed: Listed[];
  quarantined: Quarantined[];
  badDates: number;
}

/** Applies one zip of an edition in batches; `last` goes with the last of them. @throws Error for a zip that holds no such CSV. */
export async function applyPart(
  run: RegisterRun,
  part: { path: string; url: string; edition: string },
  last: readonly Statement[],
): Promise<void> {
  let batch = makeBatch();
  let read: ReturnType<typeof makeRowReader> | undefined;
  for await (const { cells, header } of readZipRows(part.path)) {
    if (header) {
      read = makeRowReader(readHeader(cells));
      continue;
    }
    if (read) addRow(batch, cells, read(cells), part.url);
    if (batch.listed.length + batch.quarantined.length < BATCH_ROWS) continue;
    run.options.signal?.throwIfAborted();
    await storeBatch(run, batch, part.edition, []);
    batch = makeBatch();
  }
  if (!read) throw new Error(`${part.url} holds no CSV`);
  await storeBatch(run, batch, part.edition, last);
}

function makeBatch(): Batch {
  return { listed: [], quarantined: [], badDates: 0 };
}

function addRow(
  batch: Batch,
  cells: readonly string[],
  row: ReturnType<ReturnType<typeof makeRowReader>>,
  url: string,
): void {
  if ('record' in row) {
    batch.listed.push(makeListed(row.record));
    batch.badDates += row.badDates;
    return;
  }
  const recordId = cells[1]?.trim();
  batch.quarantined.push({ kind: 'row', reason: row.reason, url, recordId, bytes: Buffer.from(JSON.stringify(cells)) });
}

async function storeBatch(run: RegisterRun, batch: Batch, edition: string, last: readonly Statement[]): Promise<void> {
  const { tools, source, tally, runId } = run;
  const { statements, applied } = await listedStatements(tools.catalogue, batch.listed, edition);
  tally.releases += batch.listed.length;
  tally.quarantined += batch.quarantined.length;
  tally.stored += applied.changed;
  tally.unchanged += applied.same;
  tally.requests = run.asker.requests();
  if (batch.badDates > 0) addCounts(tally.repairs, { bad_date: batch.badDates });
  await tools.catalogue.write([
    ...(tools.fence ? [tools.fence] : []),
    ...statements,
    ...quarantineStatements(source.id, batch.quarantined, isoInstant(tools.clocks.wallNow())),
    countRunStatement(runId, tally),
    ...last,
  ]);
}
