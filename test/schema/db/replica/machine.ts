import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../../../schema/db/interface.ts';
import { replicaFiles } from '../../../../schema/db/replica/files.ts';
import { openReplica } from '../../../../schema/db/replica/open.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { findFreePort } from '../../../support/free-port.ts';

/** A machine for each test of a file: its folder, and the copies that are open there, by default of a server that is away. */
export function useMachine() {
  const open: { close(): unknown }[] = [];
  const said: string[] = [];
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  /** Nothing listens there. */
  let away: string;
  beforeAll(async () => {
    away = `http://127.0.0.1:${await findFreePort()}`;
  });
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(async () => {
    for (const each of open.splice(0).toReversed()) await each.close();
    await folder.remove();
  });
  return {
    /** Closed after the test, the last first. */
    open,
    /** What was said to the operator. */
    said,
    path: () => folder.path,
    away: () => away,
    files: () => replicaFiles(folder.path),
    async openHere(url = away): Promise<Database> {
      const say = (_level: string, message: string) => void said.push(message);
      const replica = await openReplica({ dataDir: folder.path, server: { url }, say, everyMs: 50, lookEveryMs: 20 });
      open.push(replica);
      return replica;
    },
  };
}

/** Puts a whole database of another kind in the place of a copy. */
export async function replaceByAnother(path: string): Promise<void> {
  const other = await makeFolder();
  await (await makeDatabase(other.path, 'accounts')).close();
  await copyFile(join(other.path, 'accounts.db'), path);
  await other.remove();
}
