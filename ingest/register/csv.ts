import { isAscii } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { decodeBytes } from '../parse/repair.ts';

/** One row as published, without its line break, and its cells; null where a quote is left open. */
export interface CsvRow {
  bytes: Buffer;
  cells: string[] | null;
}

/** Maximum length of a row (55 cells are some 700 bytes), and of its lines; in a longer one a quote was left open. */
const ROW_BYTES_MAX = 20_000;
const ROW_LINES_MAX = 50;
const LINE_BYTES_MAX = 4_000_000;
const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;

/**
 * The rows of a CSV, as many at a time as a chunk completes, with any number of cells. Quotes inside bare cells are text,
 * empty lines are skipped. A cell may contain a line break. Several lines form one row if they then have as many cells as
 * the first row and every quote is closed; otherwise the first of them is an unreadable row.
 * @throws Error if a line is too long for a CSV
 */
export async function* readCsvRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow[]> {
  let rest: Buffer = Buffer.alloc(0);
  const file: FileSoFar = { width: 0, isLast: false };
  for await (const chunk of chunks) {
    const block =
      rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const { rows, bytes } = takeRows(block, file);
    rest = block.subarray(bytes);
    if (rest.length > LINE_BYTES_MAX) throw new Error('the CSV has a line that does not end');
    if (rows.length > 0) yield rows;
  }
  file.isLast = true;
  const { rows } = takeRows(rest, file);
  if (rows.length > 0) yield rows;
}

interface FileSoFar {
  /** Cells of the first row; 0 before it. */
  width: number;
  /** Whether no more bytes follow. */
  isLast: boolean;
}

/** The rows that a block completes, and their length in bytes. */
function takeRows(block: Buffer, file: FileSoFar): { rows: CsvRow[]; bytes: number } {
  const rows: CsvRow[] = [];
  for (let at = 0; ; ) {
    const next = takeRow(block, at, file);
    if (!next) return { rows, bytes: at };
    if (next.row.bytes.length > 0) rows.push(next.row);
    file.width ||= next.row.cells?.length ?? 0;
    at = next.end;
  }
}

/** The row that begins at `at`: one line, or as many as it takes to close its quotes. Null where more bytes are needed. */
function takeRow(block: Buffer, at: number, { width, isLast }: FileSoFar): { row: CsvRow; end: number } | null {
  const first = findLineEnd(block, at, isLast);
  if (first === null) return null;
  let end: number | null = first;
  let from = at;
  let isClosed = true;
  for (let lines = 1; end !== null && end - at <= ROW_BYTES_MAX && lines <= ROW_LINES_MAX; lines++) {
    const bytes = withoutLineEnd(block.subarray(at, end));
    isClosed = isClosed === closesQuotes(block.subarray(from, end));
    // Quotes are counted before several lines are split: a quote left open would otherwise cost 25 ms of the event loop.
    const cells = lines === 1 || isClosed ? splitCells(readText(bytes)) : null;
    if (cells && (lines === 1 || cells.length === width)) return { row: { bytes, cells }, end };
    from = end;
    end = findLineEnd(block, end, isLast);
  }
  if (end === null && !isLast) return null;
  return { row: { bytes: withoutLineEnd(block.subarray(at, first)), cells: null }, end: first };
}

/** Whether every quote is closed: a row cut inside its first cell would otherwise swallow the whole row below it. */
function closesQuotes(bytes: Buffer): boolean {
  let isClosed = true;
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) isClosed = !isClosed;
  return isClosed;
}

/** The end of the line that begins at `at`, including its newline; null where it is incomplete. */
function findLineEnd(block: Buffer, at: number, isLast: boolean): number | null {
  if (at >= block.length) return null;
  const newline = block.indexOf(NEWLINE, at);
  if (newline >= 0) return newline + 1;
  return isLast ? block.length : null;
}

function withoutLineEnd(line: Buffer): Buffer {
  let end = line.length;
  if (line[end - 1] === NEWLINE) end -= 1;
  if (line[end - 1] === RETURN) end -= 1;
  return line.subarray(0, end);
}

function readText(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : decodeBytes(bytes, {});
}

/**
 * The cells of one row, or null where a quote is left open. In nearly all rows either no cell is quoted, or every cell is and
 * contains no quote: these are split at their separators. Any other row goes through the CSV library.
 */
export function splitCells(line: string): string[] | null {
  if (!line.includes('"')) return line.split(',');
  if (line.length > 1 && line.startsWith('"') && line.endsWith('"')) {
    const cells = line.slice(1, -1).split('","');
    if (!cells.some((cell) => cell.includes('"'))) return cells;
  }
  return parseLine(line);
}

function parseLine(line: string): string[] | null {
  try {
    const [cells] = parse(line, { relax_column_count: true, relax_quotes: true }) as string[][];
    return cells ?? null;
  } catch (error) {
    if ((error as { code?: string }).code === 'CSV_QUOTE_NOT_CLOSED') return null;
    throw error;
  }
}
