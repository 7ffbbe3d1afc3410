import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { BadSettings } from './settings.ts';

const FILE = '.env';

/**
 * Adds the settings of a `.env` file in the working folder, where there is one; the environment takes precedence. @throws
 * BadSettings where it cannot be read: it is of another user, or a folder, as Docker makes in place of a missing file
 */
export function addEnvFile(): void {
  if (!existsSync(FILE)) return;
  try {
    // Node itself says of any file that cannot be read that there is none.
    readFileSync(FILE);
    loadEnvFile(FILE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BadSettings(`${FILE}: expected a file that this user may read (${code})`, { cause: error });
  }
}
