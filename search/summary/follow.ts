import { type Database, readFirst, type Statement } from '../../schema/db/interface.ts';
import { LAST_CHARACTER } from '../../schema/text/ids.ts';
import { groupBy } from '../../schema/text/memoise.ts';
import { readCatalogueState, rebuildReason } from '../index/health.ts';
import { printNumber } from '../results/match-prints.ts';
import {
  COLUMN_NAMES,
  COLUMNS,
  type Column,
  type ColumnName,
  dayOf,
  isWide,
  LAYOUT,
  type Names,
  NONE,
  namesOf,
  PIECE_ROWS,
} from './columns.ts';
import {
  type ColumnFile,
  type ColumnState,
  columnStateStatement,
  emptyStatements,
  keepNamesStatement,
  nameStatement,
  pieceStatement,
  placeStatement,
  readNumbers,
  readPlaces,
} from './file.ts';
import { type Cell, cellsOf, emptyCell, packPiece } from './pieces.ts';

/** Rows in one read: a database server answers with 10 MB at most. */
const PAGE_ROWS = 2_000;

// Each row comes as one JSON text, which is faster than one value at a time. A real number would lose digits in it, so it
// is read separately. A print is derived from the id here.
const OTHERS = COLUMN_NAMES.filter((name) => !isWide(COLUMNS[name].kind));
const READ_CHANGED = `SELECT id, seq, gone, value, json_array(${OTHERS.map((name) => COLUMNS[name].sql).join(', ')}) AS cells
  FROM contract WHERE (seq, id) > (?, ?) AND seq <= ? ORDER BY seq, id LIMIT ?`;

interface ChangedRow {
  id: string;
  seq: number;
  gone: number;
  value: number | null;
  cells: string;
}

/** A contract's values in the order of the columns, before names have numbers; null for a removed one. */
type Texts = readonly (string | number | readonly string[] | null)[] | null;

/**
 * Updates the columns by one batch: the next changed rows and the new position, in one commit. Columns of another catalogue are
 * emptied first. @returns whether there may be more
 */
export async function followCatalogue(catalogue: Database, file: ColumnFile, rowsMost = PIECE_ROWS): Promise<boolean> {
  const known = await file.readState();
  const state = await readCatalogueState(catalogue, { version: LAYOUT }, known);
  const isOther = rebuildReason(known, state) !== null;
  if (isOther) await file.database.write(emptyStatements());
  const from: ColumnState =
    known && !isOther ? known : { ...state.target, seq: 0, id: '', rows: 0, whole: false, names: {} };
  const rows = await readChanged(catalogue, from, state.target.seq, rowsMost);
  const last = rows.length < rowsMost ? undefined : rows.at(-1);
  const reached = last ? { seq: last.seq, id: last.id } : { seq: state.target.seq, id: LAST_CHARACTER };
  const isThere = rows.length === 0 && from.whole && from.seq === reached.seq;
  if (!isThere || from.generation !== state.target.generation) {
    const to = { ...from, ...state.target, ...reached, whole: from.whole || !last };
    await storeRows(file, rows, to);
  }
  return last !== undefined;
}

async function readChanged(catalogue: Database, from: ColumnState, upTo: number, most: number): Promise<ChangedRow[]> {
  const rows: ChangedRow[] = [];
  while (rows.length < most) {
    const { seq, id } = rows.at(-1) ?? from;
    const limit = Math.min(PAGE_ROWS, most - rows.length);
    const page = await catalogue.read<ChangedRow>({ sql: READ_CHANGED, args: [seq, id, upTo, limit] });
    rows.push(...page);
    if (page.length < limit) break;
  }
  return rows;
}

async function storeRows(file: ColumnFile, rows: readonly ChangedRow[], columnState: ColumnState): Promise<void> {
  const places = await readPlaces(
    file,
    rows.map(({ id }) => id),
  );
  const placed: [string, number][] = [];
  const texts = new Map<number, Texts>();
  for (const row of rows) {
    const known = places.get(row.id);
    if (known === undefined && row.gone) continue;
    const at = known ?? columnState.rows++;
    if (known === undefined) placed.push([row.id, at]);
    texts.set(at, row.gone ? null : textsOf(row));
  }
  const statements: Statement[] = [placeStatement(placed)];
  const numbers = await numberNames(file, [...texts.values()], columnState, statements);
  for (const [piece, changed] of groupBy(texts, ([at]) => Math.floor(at / PIECE_ROWS))) {
    const stored = await file.readPieces(piece, COLUMN_NAMES);
    COLUMN_NAMES.forEach((name, index) => {
      const { kind }: Column = COLUMNS[name];
      const cells = stored[name] ? cellsOf(stored[name]) : [];
      for (const [at, values] of changed) {
        cells[at % PIECE_ROWS] = values ? cellOf(name, values[index] ?? null, numbers) : emptyCell(kind);
      }
      statements.push(pieceStatement(piece, name, packPiece(kind, cells)));
    });
  }
  await file.database.write([...statements, columnStateStatement(columnState)]);
}

function textsOf({ id, value, cells }: ChangedRow): Texts {
  const others = (JSON.parse(cells) as NonNullable<Texts>)[Symbol.iterator]();
  return COLUMN_NAMES.map((name) => {
    const { kind }: Column = COLUMNS[name];
    if (kind === 'print') return printNumber(id);
    return kind === 'real' ? value : (others.next().value ?? null);
  });
}

type Numbers = Map<Names, Map<string, number>>;

/** Gives every new name a number. @param statements collects the insertions */
async function numberNames(
  file: ColumnFile,
  rows: readonly Texts[],
  columnState: ColumnState,
  statements: Statement[],
): Promise<Numbers> {
  const texts = new Map<Names, Set<string>>();
  COLUMN_NAMES.forEach((name, index) => {
    const names = namesOf(name);
    if (names === undefined) return;
    const all = texts.get(names) ?? new Set();
    for (const row of rows) for (const text of [row?.[index] ?? []].flat()) all.add(String(text));
    texts.set(names, all);
  });
  const numbers: Numbers = new Map();
  for (const [kind, all] of texts) {
    const known = await readNumbers(file, kind, [...all]);
    const first = columnState.names[kind] ?? 0;
    const added = [...all]
      .filter((text) => !known.has(text))
      .map((text, index): [string, number] => [text, first + index]);
    columnState.names = { ...columnState.names, [kind]: first + added.length };
    statements.push(nameStatement(kind, added));
    numbers.set(kind, new Map([...known, ...added]));
  }
  return numbers;
}

function cellOf(name: ColumnName, value: string | number | readonly string[] | null, numbers: Numbers): Cell {
  const { kind }: Column = COLUMNS[name];
  const names = namesOf(name);
  const known = names && numbers.get(names);
  const numberOf = (text: string) => known?.get(text) ?? NONE;
  if (value === null) return emptyCell(kind);
  if (kind === 'day') return dayOf(String(value));
  if (kind === 'name') return numberOf(String(value));
  return kind === 'names' ? (value as readonly string[]).map((text) => numberOf(String(text))) : Number(value);
}

/** The columns of ids that may spell a name. */
const SPELLING = ['buyer_id', 'company_ids'] as const;

/** Removes names of buyers and suppliers that no contract has any more: one may be of a person who was taken down. */
export async function forgetUnusedNames(file: ColumnFile): Promise<void> {
  const { rows = 0 } = (await file.readState()) ?? {};
  for (const column of SPELLING) {
    const used = new Set<number>();
    for (let piece = 0; piece * PIECE_ROWS < rows; piece++) {
      const { [column]: stored = [] } = await file.readPieces(piece, [column]);
      for (const number of 'ends' in stored ? stored.all : stored) used.add(number);
    }
    await file.database.write([keepNamesStatement(COLUMNS[column].of, [...used])]);
  }
}

/** How many rows the columns lack, up to `most`; all rows where they belong to another catalogue. */
export async function countColumnLag(
  catalogue: Database,
  columnState: ColumnState | null,
  most: number,
): Promise<number> {
  const state = await readCatalogueState(catalogue, { version: LAYOUT }, columnState);
  const isOther = rebuildReason(columnState, state) !== null;
  const from = columnState && !isOther ? columnState : { seq: 0, id: '' };
  const found = await readFirst<{ count: number }>(catalogue, {
    sql: 'SELECT count(*) AS count FROM (SELECT 1 FROM contract WHERE (seq, id) > (?, ?) AND seq <= ? LIMIT ?)',
    args: [from.seq, from.id, state.target.seq, most],
  });
  return found?.count ?? 0;
}
