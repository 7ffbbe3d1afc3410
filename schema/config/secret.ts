import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureFolder } from './ensure-folder.ts';
import { BadSettings, type Settings } from './settings.ts';

const FILE = 'secret';
const SECRET_BYTES = 48;

type SecretSettings = Pick<Settings, 'AUTH_SECRET' | 'DATA_DIR' | 'CATALOGUE_URL' | 'ACCOUNTS_URL'>;
const SHARED =
  'set AUTH_SECRET, to the same value on every machine (`openssl rand -base64 48` makes one), as sessions, cursors and download links are signed with it';

/**
 * The secret that signs sessions, cursors and download links: AUTH_SECRET, or one generated once and kept in DATA_DIR,
 * readable only by its owner.
 * @throws BadSettings if the file exists but is empty, or if a database is a server: other machines might answer too, and
 * each would generate a different secret
 */
export async function readSecret(settings: SecretSettings): Promise<string> {
  if (settings.AUTH_SECRET) return settings.AUTH_SECRET;
  for (const name of ['CATALOGUE_URL', 'ACCOUNTS_URL'] as const) {
    if (!settings[name].startsWith('file:')) throw new BadSettings(`${name} names a server: ${SHARED}`);
  }
  const file = join(settings.DATA_DIR, FILE);
  await ensureFolder(settings.DATA_DIR);
  const made = randomBytes(SECRET_BYTES).toString('base64url');
  try {
    // Exclusive: if two processes start at once, one creates it and the other reads it.
    await writeFile(file, made, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // On a full disk the file is created but not written: left there, it would never become a secret.
    if (code === 'ENOSPC' || code === 'EDQUOT') await rm(file, { force: true });
    if (code !== 'EEXIST') throw error;
  }
  return readWhole(file);
}

/** The other process may have created the file but not yet written it. */
async function readWhole(file: string): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const content = (await readFile(file, 'utf8')).trim();
    if (content) return content;
    await pause(20);
  }
  throw new BadSettings(`${file} is empty: remove it, or set AUTH_SECRET`);
}
