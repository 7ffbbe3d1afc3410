import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { BadSettings } from './settings.ts';

const FILE = '.env';

/**
 * Adds the settings of a `.env` file in the working folder, where there is one, to an environment, which takes precedence.
 * @throws BadSettings where it cannot be read (it belongs to another user, has another encoding, or is the folder that Docker
 * makes in place of a missing file), and for a line that sets nothing, such as PORT: 80
 */
export function addEnvFile(environment: Record<string, string | undefined>): void {
  if (!existsSync(FILE)) return;
  for (const [name, value] of Object.entries(parseSettings(readText()))) environment[name] ??= value;
}

/** The settings in the text of a `.env` file. @throws BadSettings for a line that sets nothing */
export function parseSettings(text: string): Record<string, string | undefined> {
  const at = findStray(text);
  // Not the line itself, which may hold a secret.
  if (at >= 0) throw new BadSettings(`${FILE}: expected NAME=value in line ${at + 1}`);
  return parseEnv(text);
}

/** What Node's reader accepts as a setting: a tab would be part of its name, and a value in quotes may run over several lines. */
const SETTING = /^ *(?:export )?[\w.-]+ *= *(?:(["'`])[\s\S]*?\1)?.*$/gm;

/** The first line that is neither a setting nor a comment: Node's reader passes over it, or takes its colon into the name. */
function findStray(text: string): number {
  const rest = text.replace(SETTING, (setting) => setting.replace(/./g, ''));
  return rest.split('\n').findIndex((line) => !/^\s*(#|$)/.test(line));
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
