import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Node's own recursive `mkdir` never ends where a folder is there and takes no new names
 * (measured on Node 20): one that was removed while it was mounted or open, or one of /proc.
 * @throws NodeJS.ErrnoException where it cannot be made
 */
export async function ensureFolder(path: string): Promise<void> {
  if ((await tryMake(path)) === null) return;
  // As it is written, since `..` after a link leads elsewhere than the text says.
  const above = dirname(path);
  if (above !== path) await ensureFolder(above);
  // Another may have made the one above between the two, so that it is there although this one could not be made.
  const error = await tryMake(path);
  if (error) throw error;
}

/** Null where the folder is there now, the error where the one above is not. @throws any other error */
async function tryMake(path: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path);
    return null;
  } catch (error) {
    if (await isFolder(path)) return null;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return error as NodeJS.ErrnoException;
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
