import { copyFile, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openLongReads } from '../../../../api/find/readers.ts';
import { generationPath, writePointer } from '../../../../schema/db/generations.ts';
import { type CopyAge, type Database, DatabaseAway, nameDatabaseFault } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { takeLock } from '../../../../schema/db/process-lock.ts';
import { findCopyRemark } from '../../../../schema/db/readiness.ts';
import {
  isReportedDamaged,
  lockPath,
  removeCopy,
  reportIfDamaged,
  writeCopyState,
} from '../../../../schema/db/replica/files.ts';
import { askLog } from '../../../../schema/db/replica/server-log.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { startHrana } from '../../../support/libsql-server.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { replaceByAnother, useMachine } from './machine.ts';

const SYNCED = '2026-11-21T12:00:00.000Z';

const { open, said, path: folderPath, away, files, openHere } = useMachine();

/** A whole copy, as one is found after a restart, whose catalogue says `answer`. */
async function makeCopy(number: number, answer: string): Promise<string> {
  const made = await makeFolder();
  const catalogue = await makeDatabase(made.path, 'catalogue');
  await catalogue.write([{ sql: "INSERT INTO meta (name, value) VALUES ('answer', ?)", args: [answer] }]);
  await catalogue.close();
  await mkdir(files().folder, { recursive: true });
  const path = generationPath(files(), number);
  await copyFile(join(made.path, 'catalogue.db'), path);
  await made.remove();
  await writePointer(files(), number);
  await writeCopyState(files(), { syncedAt: SYNCED, fault: null, session: null });
  return path;
}

/** A server that speaks to clients and has no log to copy. */
async function startPlainServer(answer: string): Promise<string> {
  const other = await makeFolder();
  const catalogue = await makeDatabase(other.path, 'catalogue');
  await catalogue.write([{ sql: "INSERT INTO meta (name, value) VALUES ('answer', ?)", args: [answer] }]);
  const server = await startHrana(join(other.path, 'catalogue.db'));
  open.push({ close: () => other.remove() }, catalogue, server);
  return server.url;
}

const readAnswer = async (database: Database) => {
  const [row] = await database.read<{ value: string }>({ sql: "SELECT value FROM meta WHERE name = 'answer'" });
  return row?.value;
};

describe('a copy of a server that is away', () => {
  it('answers from the start, and says how old it is and why', async () => {
    await makeCopy(1, 'copied');
    const replica = await openHere();
    expect(await readAnswer(replica)).toBe('copied');
    // A mistake in a statement is no damage of the copy.
    await expect(replica.read({ sql: 'SELECT unknown' })).rejects.toThrow(/no such column/);
    await vi.waitFor(() => expect(replica.copyAge?.().fault).toMatch(/ECONNREFUSED/), { timeout: LIMITS_MS.wait });
    const age = replica.copyAge?.() as CopyAge;
    expect(age.answers).toBe(true);
    expect(age.seconds).toBeCloseTo((Date.now() - Date.parse(SYNCED)) / 1_000, -1);
    expect(findCopyRemark(replica)).toMatch(
      /^catalogue: answers come from a copy that is \d+ \w+ old \(.*ECONNREFUSED/,
    );
  });

  it('answers, of unknown age, where its state was cut by a power cut', async () => {
    await makeCopy(1, 'copied');
    await writeFile(join(files().folder, 'state.json'), '{"syncedAt":"2026-');
    const replica = await openHere();
    expect([await readAnswer(replica), replica.copyAge?.().seconds]).toEqual(['copied', null]);
  });

  it('answers on while its state cannot be read; each process says so once, and not with every try', async () => {
    await makeCopy(1, 'copied');
    // The process that keeps the copy would write its state: none begins before a folder is in its place.
    const lock = takeLock(lockPath(files())) ?? expect.fail('another process has it');
    const replica = await openHere();
    said.length = 0;
    const state = join(files().folder, 'state.json');
    await rm(state);
    await mkdir(state);
    lock.release();
    const why = 'EISDIR: illegal operation on a directory, read';
    const words = [
      `the copy of the catalogue cannot be kept: ${why}`,
      `the copy of the catalogue cannot be looked for: ${why}`,
    ];
    await vi.waitFor(() => expect(said.toSorted()).toEqual(words), { timeout: LIMITS_MS.wait });
    await pause(300);
    expect(said.toSorted()).toEqual(words);
    expect(await readAnswer(replica)).toBe('copied');
  });

  it('has a version that changes with what is brought in, and with the copy that answers', async () => {
    const path = await makeCopy(1, 'copied');
    const replica = await openHere();
    const before = replica.version?.();
    expect(replica.version?.()).toBe(before);
    const writer = await openDatabase({ url: `file:${path}`, durability: 'normal' });
    await writer.write([{ sql: "UPDATE meta SET value = 'news' WHERE name = 'answer'" }]);
    await writer.close();
    expect(replica.version?.()).not.toBe(before);
    await makeCopy(2, 'another');
    await vi.waitFor(async () => expect(await readAnswer(replica)).toBe('another'), { timeout: LIMITS_MS.wait });
    expect([before, replica.version?.()]).toEqual(
      [/^1\.\d+\.\d+$/, /^2\.\d+\.\d+$/].map((form) => expect.stringMatching(form)),
    );
    expect(replica.url).toMatch(/catalogue-2\.db$/);
  });

  it('has no version while it is locked: what was made from it before would seem valid', async () => {
    const writer = await openDatabase({ url: `file:${await makeCopy(1, 'copied')}`, durability: 'normal' });
    open.push(writer);
    await writer.read({ sql: 'PRAGMA journal_mode=DELETE' });
    const replica = await openHere();
    await writer.read({ sql: 'BEGIN EXCLUSIVE' });
    expect(replica.version?.()).toBeUndefined();
    await writer.read({ sql: 'ROLLBACK' });
    expect(replica.version?.()).toMatch(/^1\.\d/);
  });

  it('is no damaged one where another has replaced it', async () => {
    await makeCopy(1, 'copied');
    const replica = await openHere();
    expect(await readAnswer(replica)).toBe('copied');
    said.length = 0;
    // At one instant, as far as a look is concerned: the pointer moves last.
    await makeCopy(2, 'another');
    await removeCopy(files(), 1);
    await vi.waitFor(async () => expect(await readAnswer(replica)).toBe('another'), { timeout: LIMITS_MS.wait });
    expect([said.filter((words) => words.includes('damaged')), isReportedDamaged(files(), 1)]).toEqual([[], false]);
  });

  it('is not written', async () => {
    await makeCopy(1, 'copied');
    const replica = await openHere();
    await expect(replica.write([{ sql: 'DELETE FROM meta' }])).rejects.toThrow(/readonly/);
  });
});

describe('until a copy is whole', () => {
  it('the server answers, and nothing is kept', async () => {
    const replica = await openHere(await startPlainServer('server'));
    expect(await readAnswer(replica)).toBe('server');
    expect(replica.version?.()).toBeUndefined();
    expect(findCopyRemark(replica)).toMatch(/the server is asked, as no copy of it is whole yet/);
  });

  it.each([
    ['cut in the middle', (path: string) => truncate(path, 40_000)],
    ['cut to nothing', (path: string) => truncate(path, 0)],
    ['no database', (path: string) => writeFile(path, 'x'.repeat(100_000))],
    [
      'overwritten in the middle',
      async (path: string) => {
        const bytes = await readFile(path);
        await writeFile(path, bytes.fill(7, 4_096));
      },
    ],
    ['of another database', replaceByAnother],
  ])('nor where its file is %s', async (_what, spoil) => {
    const url = await startPlainServer('server');
    await spoil(await makeCopy(1, 'copied'));
    const replica = await openHere(url);
    expect(await readAnswer(replica)).toBe('server');
    expect(replica.copyAge?.().answers).toBe(false);
  });

  it('nor where its pointer is cut or names nothing', async () => {
    const url = await startPlainServer('server');
    await makeCopy(1, 'copied');
    await writeFile(join(files().folder, 'catalogue.generation'), '');
    expect(await readAnswer(await openHere(url))).toBe('server');
    await writeFile(join(files().folder, 'catalogue.generation'), '7\n');
    expect(await readAnswer(await openHere(url))).toBe('server');
  });

  it('and again where the file of a copy is replaced while it answers', async () => {
    const url = await startPlainServer('server');
    const path = await makeCopy(1, 'copied');
    const replica = await openHere(url);
    expect(await readAnswer(replica)).toBe('copied');
    await copyFile(path, `${path}.other`);
    await rename(`${path}.other`, path);
    await vi.waitFor(async () => expect(await readAnswer(replica)).toBe('server'), { timeout: LIMITS_MS.wait });
  });

  it('and at once where it meets a damaged page, which is said once', async () => {
    const url = await startPlainServer('server');
    const path = await makeCopy(1, 'copied');
    const replica = await openHere(url);
    said.length = 0;
    await writeFile(path, (await readFile(path)).fill(7, 4_096));
    expect(await readAnswer(replica)).toBe('server');
    expect(isReportedDamaged(files(), 1)).toBe(true);
    await makeCopy(2, 'another');
    await vi.waitFor(async () => expect(await readAnswer(replica)).toBe('another'), { timeout: LIMITS_MS.wait });
    expect(said.filter((words) => words.includes('damaged'))).toHaveLength(1);
  });

  it('and where the damage cannot be reported, as on a disk that failed', async () => {
    const url = await startPlainServer('server');
    const path = await makeCopy(1, 'copied');
    const replica = await openHere(url);
    const { folder } = files();
    await writeFile(path, (await readFile(path)).fill(7, 4_096));
    await rename(folder, `${folder}.away`);
    expect(await readAnswer(replica)).toBe('server');
  });

  it('and again where another process that reads it meets a damaged page', async () => {
    const url = await startPlainServer('server');
    await makeCopy(1, 'copied');
    const replica = await openHere(url);
    const fault = (code: string, url: string) => nameDatabaseFault(Object.assign(new Error(code), { code }), url);
    const { url: copyUrl } = replica;
    const elsewhere = `file:${folderPath()}/catalogue.db`;
    expect(await reportIfDamaged(replica.url, fault('SQLITE_BUSY', replica.url))).toBe(false);
    expect(await reportIfDamaged(elsewhere, fault('SQLITE_CORRUPT', elsewhere))).toBe(false);
    expect(await reportIfDamaged(replica.url, fault('SQLITE_CORRUPT', elsewhere))).toBe(false);
    expect(await readAnswer(replica)).toBe('copied');
    for (const code of ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_READ', 'SQLITE_CANTOPEN'])
      expect(await reportIfDamaged(copyUrl, fault(code, copyUrl))).toBe(true);
    await vi.waitFor(async () => expect(await readAnswer(replica)).toBe('server'), { timeout: LIMITS_MS.wait });
  });

  it('and lists are refused as by a server that is away, until then', async () => {
    const path = await makeCopy(1, 'copied');
    await writeFile(path, (await readFile(path)).fill(7, 4_096));
    const longReads = openLongReads({ CATALOGUE_URL: away(), DATA_DIR: folderPath() }, undefined, () => `file:${path}`);
    await expect(longReads.listBuyers({} as never)).rejects.toThrow(DatabaseAway);
    expect(isReportedDamaged(files(), 1)).toBe(true);
    await longReads.close();
  });
});

it('a copy is of a server that has a log', async () => {
  await expect(askLog({ url: away() })).rejects.toThrow(/cannot be copied: .*ECONNREFUSED/);
  await expect(askLog({ url: await startPlainServer('server') })).rejects.toThrow(/it answers 500/);
});
