import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openJobsServices } from '../../../jobs/startup/open-services.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { insertBuyers } from '../../support/paid-exports.ts';

const PAGE = 4_096;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let file: string;
beforeEach(async () => {
  folder = await makeFolder();
  file = join(folder.path, 'catalogue.db');
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  await insertBuyers(catalogue, 20_000);
  await catalogue.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
  await catalogue.close();
  await (await makeDatabase(folder.path, 'accounts')).close();
});
afterEach(() => folder.remove());

async function start(): Promise<void> {
  const services = await openJobsServices(readSettings({ DATA_DIR: folder.path }), pino({ level: 'silent' }));
  await services.close();
}

/** Changes the file as it lies there. */
async function tear(work: (handle: FileHandle, pages: number) => Promise<unknown>): Promise<void> {
  const handle = await open(file, 'r+');
  await work(handle, Math.floor((await stat(file)).size / PAGE));
  await handle.close();
}

it.each([
  ['is cut short', (handle: FileHandle, pages: number) => handle.truncate((pages - 40) * PAGE)],
  ['has zeros in its middle', (handle: FileHandle, pages: number) => fill(handle, 0, pages)],
  ['has something else in its middle', (handle: FileHandle, pages: number) => fill(handle, 0x78, pages)],
])('a catalogue that %s is found at the start, with what to do', async (_, work) => {
  await start();
  await tear(work);
  await expect(start()).rejects.toThrow(/catalogue\.db is damaged.*Put a backup in its place.*ingested a/s);
});

it('one that is whole begins', async () => {
  await expect(start()).resolves.toBeUndefined();
});

function fill(handle: FileHandle, byte: number, pages: number) {
  const bytes = Buffer.alloc(16 * PAGE, byte);
  return handle.write(bytes, 0, bytes.length, Math.floor(pages * 0.6) * PAGE);
}
