import { indexVersion } from '../../documents/from-row.ts';
import { resetStatements } from './tables.ts';

/** Version of what keys, packs, codes and filter tokens mean: raise it with any of them. The tables tell of themselves. */
const MEANING = 1;

/** `SearchEngine.version` of the embedded engine: of its documents, and of the layout that holds them. */
export const VERSION = indexVersion([MEANING, resetStatements()]);

/**
 * The layout alone, as file names tell it: programs of before and after an upgrade have an index each, while one of other
 * documents is read by both.
 */
export const LAYOUT = VERSION.slice(VERSION.indexOf('-') + 1);
