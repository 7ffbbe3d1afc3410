import { openFile } from './file.ts';
import type { Database, OpenOptions } from './interface.ts';

/** Opens a database with the pragmas of its role in force on every connection it makes. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  if (options.url.startsWith('file:')) return openFile(options);
  // A process that reads a file starts without what speaks to servers.
  const { openRemote } = await import('./remote.ts');
  return openRemote(options);
}
