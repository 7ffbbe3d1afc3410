import { Readable } from 'node:stream';
import type { Statement } from '../../schema/db/interface.ts';
import { parseCompanyNumber } from '../../schema/text/ids.ts';
import type { IngestTools } from '../context.ts';
import { resolveStatements } from '../parse/quarantined.ts';
import { type CsvRow, readCsvRows } from '../register/csv.ts';
import { parseEditionCursor } from '../register/edition.ts';
import { parseProfile, storeProfileStatements } from '../register/profiles.ts';
import { makeRowReader, type RegisterRow, readHeader } from '../register/row.ts';
import { listedStatements } from '../register/store.ts';
import { readCursor } from '../runs/record.ts';
import type { HeldRow } from './read.ts';

type Outcome = { outcome: 'resolved' | 'held'; said: string };

/** Reads a row of a bulk file, or a profile, again; what can be read is stored in the batch that marks it as resolved. */
export async function retryRegisterRow(tools: IngestTools, row: HeldRow): Promise<Outcome> {
  return /\/company\/[^/]+$/.test(row.url) ? retryProfile(tools, row) : retryListed(tools, row);
}

async function retryProfile(tools: IngestTools, row: HeldRow): Promise<Outcome> {
  const profile = parseProfile(row.bytes);
  const number = parseCompanyNumber(row.record_id ?? '');
  if (!profile || !number) return { outcome: 'held', said: row.reason };
  const statements = await storeProfileStatements(tools.catalogue, number, profile, row.last_seen_at);
  await write(tools, row, statements);
  return { outcome: 'resolved', said: `the profile of ${number} stored` };
}

async function retryListed(tools: IngestTools, row: HeldRow): Promise<Outcome> {
  const read = await readListed(row.bytes);
  if ('reason' in read) return { outcome: 'held', said: read.reason };
  const edition = /\d{4}-\d{2}-\d{2}/.exec(row.url)?.[0];
  if (!edition) return { outcome: 'held', said: `its address names no edition: ${row.url}` };
  const cursor = await readCursor(tools.catalogue, row.source);
  if (cursor && parseEditionCursor(cursor).date > edition) {
    await write(tools, row, []);
    return { outcome: 'resolved', said: `a later edition than ${edition} has been applied since, and decides` };
  }
  const { statements, applied } = await listedStatements(tools.catalogue, [read], edition);
  await write(tools, row, statements);
  return { outcome: 'resolved', said: `${applied.changed} stored, ${applied.same} held already` };
}

/** Held bytes are the file's header and the row beneath it. */
async function readListed(bytes: Uint8Array): Promise<RegisterRow | { reason: string }> {
  const rows: CsvRow[] = [];
  for await (const some of readCsvRows(Readable.from([bytes]))) rows.push(...some);
  const [header, row] = rows;
  if (!header?.cells || !row || rows.length !== 2)
    return { reason: `${rows.length} lines where a header and a row were due` };
  return makeRowReader(readHeader(header.cells))(row.cells);
}

async function write(tools: IngestTools, { source, id }: HeldRow, statements: readonly Statement[]): Promise<void> {
  const fence = tools.fence ? [tools.fence] : [];
  await tools.catalogue.write([...fence, ...statements, ...resolveStatements(source, id)]);
}
