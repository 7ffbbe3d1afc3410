import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { BadSettings } from './settings.ts';

const FILE = '.env';

/**
 * Adds the settings of a `.env` file in the working folder, where there is one, to an environment, which takes precedence.
 * @throws BadSettings where it cannot be read: it is of another user, in another encoding, or a folder, as Docker makes in place
 * of a missing file
 */
export function addEnvFile(environment: Record<string, string | undefined>): void {
  if (!existsSync(FILE)) return;
  for (const [name, value] of Object.entries(parseEnv(readText()))) environment[name] ??= value;
}

function readText(): string {
  try {
    // Drops the byte order mark of an editor on Windows, which Node's own reader takes for a part of the first name.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(FILE));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BadSettings(`${FILE}: expected a file of UTF-8 text that this user may read (${code})`, { cause: error });
  }
}
