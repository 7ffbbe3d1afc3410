import type { Cli } from './command.ts';
import { formatTable, makePrintable } from './text.ts';

/** The option of every command that lists. */
export const AS_JSON = ['--json', 'the same as one JSON document'] as const;

interface Listing<T extends object> {
  /** The name of the rows in the JSON document. */
  name: string;
  rows: readonly T[];
  columns: readonly (keyof T & string)[];
  /** Shown instead of an empty table. */
  none?: string;
}

/** Prints rows as a table, or in full as one JSON document. */
export function printRows<T extends object>(
  cli: Cli,
  { name, rows, columns, none }: Listing<T>,
  asJson: boolean | undefined,
): void {
  if (asJson) printJson(cli, { [name]: rows });
  else if (rows.length === 0 && none !== undefined) cli.out(none);
  else for (const line of formatTable(rows, columns)) cli.out(makePrintable(line));
}

/** One JSON document. Characters that JSON allows but a terminal would obey are escaped. */
export function printJson(cli: Cli, document: unknown): void {
  const text = JSON.stringify(document, null, 2);
  cli.out(text.replace(/[\u007f-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`));
}
