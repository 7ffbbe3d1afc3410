import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { BadSettings } from './settings.ts';

const FILE = '.env';

/**
 * Adds the settings of a `.env` file in the working folder, where there is one, to an environment, which takes precedence.
 * @throws BadSettings where it cannot be read: it is of another user, in another encoding, or a folder, as Docker makes in place
 * of a missing file; and for a line that sets nothing, such as PORT: 80
 */
export function addEnvFile(environment: Record<string, string | undefined>): void {
  if (!existsSync(FILE)) return;
  const text = readText();
  const settings = parseEnv(text);
  const at = findStray(text, Object.values(settings));
  // Not the line itself, which may hold a secret.
  if (at >= 0) throw new BadSettings(`${FILE}: expected NAME=value in line ${at + 1}, which has no =`);
  for (const [name, value] of Object.entries(settings)) environment[name] ??= value;
}

/** The first line that is neither a setting nor a comment, and no part of a value in quotes: Node's reader passes over it. */
function findStray(text: string, values: readonly (string | undefined)[]): number {
  const isStray = (line: string) => {
    const [start = ''] = line.split(/["'`]/, 1);
    return /^[^#=]+$/.test(line) && !values.some((value) => value?.includes(start));
  };
  return text.split('\n').findIndex((line) => isStray(line.trim()));
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
