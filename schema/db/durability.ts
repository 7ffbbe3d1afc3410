import { type Database, DatabaseFault, isPassing } from './interface.ts';

/** `PRAGMA synchronous`: from this level on a commit waits for the disk. */
const FULL = 2;

const SET_IT =
  'Set durability_mode of its namespace to strong: read /v1/namespaces/NAME/config at its admin address, ' +
  'change that one field and post the whole back, as fields that are left out are cleared (schema/README.md)';

/**
 * Checks that an accounts database on a server waits for its disk before it confirms a write. A file is opened so that it does.
 * A libSQL server reports its setting; a server that does not know the question, such as a hosted one, is trusted. @throws
 * DatabaseFault with how to set it where it does not wait. @throws DatabaseAway where the server does not answer.
 */
export async function assertDurable(accounts: Database): Promise<void> {
  if (accounts.url.startsWith('file:')) return;
  const level = await readLevel(accounts);
  if (level === undefined || level >= FULL) return;
  throw new DatabaseFault(
    `the accounts server confirms writes before they are on its disk (synchronous is ${level}, and must be ${FULL}): ` +
      `a power cut would lose charges. ${SET_IT}`,
  );
}

async function readLevel(accounts: Database): Promise<number | undefined> {
  try {
    const [row] = await accounts.read<{ synchronous: number }>({ sql: 'PRAGMA synchronous' });
    return row?.synchronous;
  } catch (error) {
    if (isPassing(error)) throw error;
    return undefined;
  }
}
