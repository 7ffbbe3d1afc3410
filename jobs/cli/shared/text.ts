/** Rows as aligned columns with a header, a line each; numbers to the right. Absent values are a dash. */
export function formatTable<T extends object>(rows: readonly T[], columns: readonly (keyof T & string)[]): string[] {
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column])));
  const header = columns.map((column) => column.replaceAll('_', ' '));
  const widths = header.map((name, index) =>
    cells.reduce((width, row) => Math.max(width, (row[index] ?? '').length), name.length),
  );
  const isNumber = columns.map((column) => rows.some((row) => typeof row[column] === 'number'));
  const format = (row: readonly string[]) =>
    row
      .map((cell, index) => (isNumber[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd();
  return [format(header), ...cells.map(format)];
}

/** A number with the thing counted: `1 credit`, `2 credits`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  // A customer names watches and accounts: a line break in a name must not look like another row.
  return String(value).replace(/\p{Cc}/gu, toCode);
}

/** Foreign bytes must not control the operator's terminal: control characters except tab and line feed are shown as codes. */
export function makePrintable(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]/gu, toCode);
}

const toCode = (char: string) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

const SHOWN_BYTES = 64 * 1024;
const HEX_ROW = 16;
const HEX_BYTES = 1_024;

/**
 * Bytes as lines for a terminal: text with its control characters shown as codes, anything else (a zip, an image) as the
 * beginning of a hexadecimal dump. Never the bytes themselves.
 */
export function describeBytes(bytes: Uint8Array): string {
  const isText = looksLikeText(bytes.subarray(0, SHOWN_BYTES));
  const most = isText ? SHOWN_BYTES : HEX_BYTES;
  const shown = bytes.subarray(0, most);
  const lines = isText ? makePrintable(new TextDecoder().decode(shown)) : formatHex(shown);
  const rest = bytes.length - shown.length;
  return rest > 0 ? `${lines}\n(${rest} more of ${bytes.length} bytes)` : lines;
}

/** A zero byte, or one control character in three, does not occur in any source's text. */
function looksLikeText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  const controls = bytes.filter((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d).length;
  return controls * 3 <= bytes.length;
}

function formatHex(bytes: Uint8Array): string {
  const rows = Array.from({ length: Math.ceil(bytes.length / HEX_ROW) }, (_, row) => {
    const part = Buffer.from(bytes.subarray(row * HEX_ROW, (row + 1) * HEX_ROW));
    const pairs = [...part].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const letters = part.toString('latin1').replace(/[^\x20-\x7e]/g, '.');
    return `${(row * HEX_ROW).toString(16).padStart(6, '0')}  ${pairs.padEnd(HEX_ROW * 3)} ${letters}`;
  });
  return rows.join('\n');
}
