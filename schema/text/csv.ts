/** One value of a line: numbers and flags as they are, null as an empty cell. */
type Cell = string | number | boolean | null;

const QUOTED = /[",\r\n]/;
/** What a spreadsheet treats as a formula, also in full-width characters; blanks before it do not prevent that. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^\s*[\t\r]/;

/**
 * One line of RFC 4180, including its line break. Cells that a spreadsheet would execute get a leading apostrophe; numbers are
 * left alone.
 */
export function toCsvLine(cells: readonly Cell[]): string {
  let line = '';
  for (const cell of cells) line += `,${toCsvCell(cell)}`;
  return `${line.slice(1)}\r\n`;
}

function toCsvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
