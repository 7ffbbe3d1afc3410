import { readOcidsOf } from '../../ingest/store/takedown.ts';
import { makeRedactor, type Redactor, redactJson, type Takedown } from '../../ingest/takedown/treatment.ts';
import {
  type Cell,
  EXPORT_COLUMNS,
  type ExportCells,
  type ExportColumn,
  type ExportDataset,
} from '../../schema/accounts/exports/datasets.ts';
import { readRemovedIds } from '../../schema/catalogue/changes/remove.ts';
import type { Database } from '../../schema/db/interface.ts';

/** A row of a finished file: column to value. */
type RowRecord = Record<string, unknown>;

/**
 * Decides whether a row of a finished file concerns what was taken down: the notice, its process, an organisation that was
 * removed with it, or the person.
 */
export async function makeRowJudge(catalogue: Database, takedown: Takedown): Promise<(row: RowRecord) => boolean> {
  if (takedown.kind === 'person') {
    const redactor = makeRedactor(takedown.id, takedown.target);
    return (row) => mentions(row, redactor);
  }
  const { noticeId } = takedown.target;
  const ocids = new Set(await readOcidsOf(catalogue, noticeId));
  const isRemoved = await readRemovedIds(catalogue);
  return ({ notice_id, ocid, company_id, buyer_id }) =>
    notice_id === noticeId || ocids.has(String(ocid)) || [company_id, buyer_id].map(String).some(isRemoved);
}

function mentions(value: unknown, redactor: Redactor): boolean {
  if (typeof value === 'string') return redactor.redact(value) !== value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => mentions(member, redactor));
}

/** Datasets whose rows are about one organisation, which may be a person. */
const OF_ORGANISATIONS: ReadonlySet<ExportDataset> = new Set(['companies', 'buyers']);

/**
 * Removes people who were taken down from rows: a row about the person is dropped, every other loses the mention. Until a
 * rebuild, the catalogue keeps what a notice said about organisations with a number; files do not.
 */
export function makeRedaction(
  takedowns: readonly Takedown[],
  dataset: ExportDataset,
): (rows: readonly ExportCells[]) => readonly ExportCells[] {
  const redactors = takedowns.flatMap((one) => (one.kind === 'person' ? [makeRedactor(one.id, one.target)] : []));
  const columns = EXPORT_COLUMNS[dataset];
  if (redactors.length === 0) return (rows) => rows;
  return (rows) => rows.flatMap((cells) => redactRow(cells, { columns, redactors, dataset }));
}

interface Redaction {
  columns: readonly ExportColumn[];
  redactors: readonly Redactor[];
  dataset: ExportDataset;
}

/** The row as it may be published; none where it is the person's own. */
function redactRow(cells: ExportCells, { columns, redactors, dataset }: Redaction): ExportCells[] {
  const text = JSON.stringify(cells);
  const wanted = redactors.filter(({ mayConcern }) => mayConcern(text));
  if (wanted.length === 0) return [cells];
  const row: RowRecord = Object.fromEntries(columns.map((column, at) => [column.name, readCell(cells[at], column)]));
  const redacted = wanted.reduce((left, redactor) => redactJson(left, redactor) as RowRecord, row);
  if (OF_ORGANISATIONS.has(dataset) && redacted.name !== row.name) return [];
  return [columns.map((column) => writeCell(redacted[column.name], column))];
}

/** Lists are redacted one member at a time: in their JSON as one text, a match could span two of them. */
function readCell(cell: Cell | undefined, { kind }: ExportColumn): unknown {
  return kind === 'json' && typeof cell === 'string' ? JSON.parse(cell) : cell;
}

function writeCell(value: unknown, { kind }: ExportColumn): Cell {
  if (value === null || value === undefined) return null;
  return kind === 'json' ? JSON.stringify(value) : (value as Cell);
}
