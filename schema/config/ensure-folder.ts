import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Node's own recursive `mkdir` never ends where a folder is there and takes no new names
 * (measured on Node 20): one that was removed while it was mounted or open, or one of /proc.
 * @throws NodeJS.ErrnoException where it cannot be made
 */
export async function ensureFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (await isFolder(path)) return;
    // As it is written, since `..` after a link leads elsewhere than the text says.
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path || (await isFolder(above))) throw error;
    await ensureFolder(above);
    await ensureFolder(path);
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
