/** Rows as aligned columns with a header; numbers to the right. Absent values are a dash. */
export function formatTable<T extends object>(rows: readonly T[], columns: readonly (keyof T & string)[]): string[] {
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column])));
  const header = columns.map((column) => column.replaceAll('_', ' '));
  const widths = header.map((name, index) => Math.max(name.length, ...cells.map((row) => (row[index] ?? '').length)));
  const isNumber = columns.map((column) => rows.some((row) => typeof row[column] === 'number'));
  const format = (row: readonly string[]) =>
    row
      .map((cell, index) => (isNumber[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd();
  return [format(header), ...cells.map(format)];
}

/** A number with what is counted: `1 credit`, `2 credits`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  return String(value);
}
