import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { exportFolder, MARK } from '../../schema/accounts/exports/storage.ts';
import { SETTINGS, type Settings } from '../../schema/config/settings.ts';
import {
  GenerationMissing,
  generationFiles,
  generationPath,
  pointerPath,
  readPointer,
} from '../../schema/db/generations.ts';
import { type Database, pathOfFile } from '../../schema/db/interface.ts';
import type { DatabaseName } from '../../schema/db/migrate.ts';
import { catalogueAt } from '../../schema/db/moved.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { openCatalogue } from '../../schema/db/open-catalogue.ts';
import { ExpectedFault } from '../process/services.ts';

/**
 * What may be created if a database is missing: `nothing`, or the `missing` ones because somebody requested it. Both, if
 * nothing shows that there ever was one: in an existing folder (`first`) or a new one (`asked`).
 */
export type Making = 'nothing' | 'first' | 'asked' | 'missing';

/**
 * `absent`: no file, or an empty one. `begun`: a file without a table, left by a first start that failed. `unused`: the tables
 * without any content.
 */
type State = 'absent' | 'begun' | 'unused' | 'used';

/** Queries that find content. */
const USE: Record<DatabaseName, string> = {
  catalogue: 'SELECT 1 FROM run LIMIT 1',
  accounts: "SELECT 1 FROM account WHERE substr(id, 1, 1) <> '@' LIMIT 1",
};

/** A table that no other database of ours has. */
const SIGN: Record<DatabaseName, string> = { catalogue: 'release', accounts: 'transfer' };
const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('migration') AND name NOT LIKE 'sqlite_%'";

/** Files that an installation leaves in its folder. An empty one proves nothing. */
const LEFT = /^(search|catalogue|accounts)[.-]/;

/**
 * Returns which databases are missing and may be created. @throws ExpectedFault where a missing one may not be: a wrong setting
 * or a lost file would look like a new installation.
 */
export async function findMissing(settings: Settings, making: Making): Promise<DatabaseName[]> {
  const states = { catalogue: await readState(settings, 'catalogue'), accounts: await readState(settings, 'accounts') };
  const missing = (['catalogue', 'accounts'] as const).filter((name) => isMissing(states[name]));
  if (missing.length === 0 || making === 'missing') return missing;
  const evidence = await findEvidence(settings, states);
  if (making === 'first' && !evidence) assertMeant(settings);
  if (making !== 'nothing' && !evidence) return missing;
  throw new ExpectedFault(describe(settings, missing, evidence));
}

/** Looks at the other database only to describe why this one should be there. @throws ExpectedFault where it is missing. */
export async function assertThere(settings: Settings, name: DatabaseName): Promise<void> {
  if (isMissing(await readState(settings, name))) await findMissing(settings, 'nothing');
}

const isMissing = (state: State) => state === 'absent' || state === 'begun';

/** A configured folder that does not exist was mistyped, or is on a disk that is not mounted. @throws ExpectedFault */
function assertMeant({ DATA_DIR: folder }: Settings): void {
  if (folder === SETTINGS.DATA_DIR.fallback || existsSync(folder)) return;
  throw new ExpectedFault(
    `there is no folder ${folder}, which DATA_DIR names: correct it, or make the folder where a new installation is to be (\`migrate\` does)`,
  );
}

function describe(settings: Settings, missing: readonly DatabaseName[], evidence: string | null): string {
  const places = { catalogue: pathOfFile(settings.CATALOGUE_URL), accounts: pathOfFile(settings.ACCOUNTS_URL) };
  if (!evidence)
    return `there is no ${missing.map((name) => `${WHAT[name]} at ${places[name]}`).join(' and no ')}: set DATA_DIR to where the databases lie, or make new ones with \`migrate\``;
  const [name = 'accounts'] = missing.toReversed();
  return `there is no ${WHAT[name]} at ${places[name]}, although ${evidence}. ${HELP[name]}`;
}

const WHAT = { catalogue: 'catalogue', accounts: 'accounts database' };
const HELP = {
  catalogue:
    'Set CATALOGUE_URL or DATA_DIR to where it lies, or put a copy there; `migrate --create` makes an empty one, which is filled from the services',
  accounts:
    'It holds customers, keys and credits: set ACCOUNTS_URL or DATA_DIR to where it lies, or restore a backup; `migrate --create` makes an empty one',
};

/** The evidence that this is not the first start, or null. */
async function findEvidence(settings: Settings, states: Record<DatabaseName, State>): Promise<string | null> {
  if (states.catalogue === 'used') return `the catalogue at ${pathOfFile(settings.CATALOGUE_URL)} has been filled`;
  if (states.accounts === 'used') return `the accounts database at ${pathOfFile(settings.ACCOUNTS_URL)} has customers`;
  const left = await listFilled(settings.DATA_DIR);
  // If a first start was killed between the two, one of them is left as it was created.
  const evidence = left.filter(
    (name) =>
      LEFT.test(name) &&
      !(['catalogue', 'accounts'] as const).some(
        (one) => name.startsWith(one) && ['begun', 'unused'].includes(states[one]),
      ),
  );
  const exports = exportFolder(settings);
  const exported = (await listFilled(exports)).filter((name) => name !== MARK).map((name) => join(exports, name));
  const [found] = [...evidence.map((name) => join(settings.DATA_DIR, name)), ...exported];
  return found ? `${found} is there` : null;
}

/** Names of the files of a folder that are not empty. */
async function listFilled(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const found = await Promise.all(names.map((name) => stat(join(folder, name))));
  return names.filter((_, index) => found[index]?.isFile() && found[index].size > 0);
}

async function readState(settings: Settings, name: DatabaseName): Promise<State> {
  const url = name === 'catalogue' ? settings.CATALOGUE_URL : settings.ACCOUNTS_URL;
  if (url.startsWith('file:') && !(await isFilled(url, name))) return 'absent';
  const database = await openToRead(settings, name);
  try {
    const tables = (await database.read<{ name: string }>({ sql: TABLES })).map((table) => table.name);
    if (tables.length === 0) return url.startsWith('file:') ? 'begun' : 'absent';
    if (!tables.includes(SIGN[name]))
      throw new ExpectedFault(`${pathOfFile(url)} is another database, and no ${WHAT[name]}`);
    return (await database.read({ sql: USE[name] })).length > 0 ? 'used' : 'unused';
  } finally {
    await database.close();
  }
}

/** Whether the file of a database, or any generation of a catalogue, has content. */
async function isFilled(url: string, name: DatabaseName): Promise<boolean> {
  const files = generationFiles(url);
  const path = generationPath(files, name === 'catalogue' ? await readPointer(files) : 1);
  // `existsSync` also says no for a file that this user may not look at.
  const isThere = await stat(path).then(
    ({ size }) => size > 0,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  if (!isThere && existsSync(pointerPath(files))) throw new GenerationMissing(`${path} is current and not there`);
  return isThere;
}

function openToRead(settings: Settings, name: DatabaseName): Promise<Database> {
  return name === 'catalogue'
    ? openCatalogue({ ...catalogueAt(settings), durability: 'normal', readOnly: true })
    : openDatabase({
        url: settings.ACCOUNTS_URL,
        authToken: settings.ACCOUNTS_AUTH_TOKEN,
        durability: 'full',
        readOnly: true,
      });
}
