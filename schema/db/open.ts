import { openFile } from './file.ts';
import type { Database, OpenOptions } from './interface.ts';
import { openRemote } from './remote.ts';

/** Opens a database with the pragmas of its role in force on every connection it makes. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  return options.url.startsWith('file:') ? openFile(options) : openRemote(options);
}
