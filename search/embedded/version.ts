import { indexVersion } from '../documents.ts';
import { resetStatements } from './tables.ts';

/** `SearchEngine.version` of the embedded engine: of its documents, and of the tables that hold them. */
export const VERSION = indexVersion(resetStatements());

/** Whether an index of that version has the tables that this program reads: of other documents it may be, of other tables not. */
export function hasKnownTables(version: string): boolean {
  return tablesOf(version) === tablesOf(VERSION);
}

function tablesOf(version: string): string {
  return version.slice(version.indexOf('-') + 1);
}
