import type { Cell, ExportCells, ExportColumn } from '../../schema/accounts/exports/datasets.ts';
import type { Pages } from './pieces.ts';

/** One JSON object a line: a row. */
export async function* encodeJsonl(columns: readonly ExportColumn[], pages: Pages): AsyncGenerator<string> {
  const named = columns.map(({ name, kind }) => ({ start: `,${JSON.stringify(name)}:`, isJson: kind === 'json' }));
  for await (const rows of pages) {
    let text = '';
    for (const cells of rows) text += toLine(named, cells);
    yield text;
  }
}

interface Named {
  start: string;
  isJson: boolean;
}

/** JSON of the database stands in the line as it is. */
function toLine(named: readonly Named[], cells: ExportCells): string {
  let line = '';
  named.forEach(({ start, isJson }, at) => {
    line += start + toJson(cells[at] ?? null, isJson);
  });
  return `{${line.slice(1)}}\n`;
}

function toJson(cell: Cell, isJson: boolean): string {
  if (typeof cell !== 'string') return String(cell);
  return isJson ? cell : JSON.stringify(cell);
}
