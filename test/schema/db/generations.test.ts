import { existsSync } from 'node:fs';
import { chown, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  generationFiles,
  generationPath,
  pointerPath,
  readPointer,
  removeGenerations,
  writePointer,
} from '../../../schema/db/generations.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { migrate } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { openCatalogue, readCurrentGeneration } from '../../../schema/db/open-catalogue.ts';
import { takeLock } from '../../../schema/db/process-lock.ts';
import { makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let url: string;
const opened: Database[] = [];
beforeEach(async () => {
  folder = await makeFolder();
  url = `file:${folder.path}/catalogue.db`;
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await folder.remove();
});

async function keep<T extends Database>(opening: Promise<T>): Promise<T> {
  const database = await opening;
  opened.push(database);
  return database;
}

/** A generation of its own that says its number. */
async function make(number: number): Promise<Database> {
  const path = generationPath(generationFiles(url), number);
  const database = await keep(openDatabase({ url: `file:${path}`, durability: 'normal' }));
  await migrate(database, 'catalogue');
  await database.write([{ sql: "INSERT INTO meta (name, value) VALUES ('number', ?)", args: [String(number)] }]);
  return database;
}

/** What the move of a rebuild does to the generation that it leaves. */
const succeed = (old: Database, next: number) =>
  old.write([
    { sql: "INSERT INTO meta (name, value) VALUES ('successor', ?)", args: [String(next)] },
    {
      sql: `CREATE TRIGGER closed BEFORE INSERT ON limiter
        BEGIN SELECT RAISE(ABORT, 'in other words'); END`,
    },
  ]);

async function readNumber(database: Database): Promise<string | undefined> {
  const [row] = await database.read<{ value: string }>({ sql: "SELECT value FROM meta WHERE name = 'number'" });
  return row?.value;
}

describe('the pointer', () => {
  it('is the first generation where there is none, and is moved whole', async () => {
    const files = generationFiles(url);
    expect(await readPointer(files)).toBe(1);
    await writePointer(files, 12);
    expect(await readPointer(files)).toBe(12);
    expect(existsSync(`${pointerPath(files)}.next`)).toBe(false);
  });

  it('is missed where later generations are there, instead of beginning an empty catalogue', async () => {
    for (const number of [3, 12]) await make(number);
    await expect(openCatalogue({ url, durability: 'normal' })).rejects.toThrow(
      /catalogue\.generation is missing; write 12 into it/,
    );
    expect(existsSync(join(folder.path, 'catalogue.db'))).toBe(false);
  });

  it('is refused where it says nothing or names what is not there', async () => {
    const files = generationFiles(url);
    await writeFile(pointerPath(files), 'two');
    await expect(openCatalogue({ url, durability: 'normal' })).rejects.toThrow(
      /should hold the number of a generation/,
    );
    await writePointer(files, 2);
    await expect(openCatalogue({ url, durability: 'normal' })).rejects.toThrow(
      /catalogue-2\.db is current and not there/,
    );
  });

  it('tells files of a catalogue from others, and removes them with what lies beside', async () => {
    const files = generationFiles(url);
    for (const number of [1, 2, 3]) await make(number);
    await writeFile(join(folder.path, 'catalogue-old.db'), '');
    expect((await removeGenerations(files, [3])).toSorted()).toEqual([1, 2]);
    expect(existsSync(`${generationPath(files, 2)}-wal`)).toBe(false);
    expect(existsSync(generationPath(files, 3))).toBe(true);
    expect(existsSync(join(folder.path, 'catalogue-old.db'))).toBe(true);
  });
});

describe('a catalogue that is open', () => {
  it('reads on while it is succeeded, then reads the new generation', async () => {
    const first = await make(1);
    const reader = await keep(openCatalogue({ url, durability: 'normal', readOnly: true, lookEveryMs: 5 }));
    expect(await readNumber(reader)).toBe('1');
    await make(2);
    await succeed(first, 2);
    await vi.waitFor(async () => expect(await readNumber(reader)).toBe('2'), { timeout: LIMITS_MS.wait });
    expect(reader.url).toContain('catalogue-2.db');
    await expect(reader.write([{ sql: "DELETE FROM meta WHERE name = 'number'" }])).rejects.toThrow(/readonly/);
  });

  it('reads the new generation at once where the newest data are asked for', async () => {
    const first = await make(1);
    const reader = await keep(openCatalogue({ url, durability: 'normal', readOnly: true, lookEveryMs: 60_000 }));
    await make(2);
    await succeed(first, 2);
    expect(await readNumber(reader)).toBe('1');
    expect(await reader.readNewest?.({ sql: "SELECT value FROM meta WHERE name = 'number'" })).toEqual([
      { value: '2' },
    ]);
    expect(await readNumber(reader)).toBe('2');
  });

  it('follows the chain where the pointer lags, and the pointer where the chain is broken', async () => {
    await succeed(await make(1), 2);
    await succeed(await make(2), 3);
    await make(3);
    expect(await readCurrentGeneration(url)).toBe(3);
    const files = generationFiles(url);
    await writePointer(files, 3);
    await rm(generationPath(files, 2));
    expect(await readNumber(await keep(openCatalogue({ url, durability: 'normal' })))).toBe('3');
  });

  it('puts a batch that the old generation refuses to the new one', async () => {
    const first = await make(1);
    const writer = await keep(openCatalogue({ url, durability: 'normal', lookEveryMs: 60_000 }));
    const second = await make(2);
    await succeed(first, 2);
    await writer.write([{ sql: "INSERT INTO limiter (name, next_at) VALUES ('x', 7)" }]);
    expect(await first.read({ sql: "SELECT * FROM limiter WHERE name = 'x'" })).toEqual([]);
    expect(await second.read({ sql: "SELECT next_at FROM limiter WHERE name = 'x'" })).toEqual([{ next_at: 7 }]);
  });

  it('continues with the old generation while the new one cannot be opened, and says so', async () => {
    const first = await make(1);
    const faults: unknown[] = [];
    const onFault = (fault: unknown) => faults.push(fault);
    const reader = await keep(openCatalogue({ url, durability: 'normal', readOnly: true, lookEveryMs: 5, onFault }));
    await succeed(first, 2);
    await vi.waitFor(() => expect(String(faults[0])).toContain('catalogue-2.db is current and not there'), {
      timeout: LIMITS_MS.wait,
    });
    expect(await readNumber(reader)).toBe('1');
  });
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('generations.test: this user is not root, who may give files away.');

it.runIf(isRoot)('what root makes belongs to the owner of its folder, whose service opens it', async () => {
  const [owner, group] = [12_345, 23_456];
  await chown(folder.path, owner, group);
  const made = await openDatabase({ url, durability: 'normal' });
  await migrate(made, 'catalogue');
  await writePointer(generationFiles(url), 1);
  const names = ['catalogue.db', 'catalogue.db-wal', 'catalogue.db-shm', 'catalogue.generation'];
  for (const name of names) expect(await stat(join(folder.path, name)), name).toMatchObject({ uid: owner, gid: group });
  await made.close();
});

it.runIf(isRoot)('a link where root writes the next pointer is replaced: its target is not given away', async () => {
  const other = await makeFolder();
  const linked = join(other.path, 'linked');
  await writeFile(linked, 'of root');
  await chown(folder.path, 12_345, 23_456);
  const files = generationFiles(url);
  await symlink(linked, `${pointerPath(files)}.next`);
  await writePointer(files, 2);
  expect(await readPointer(files)).toBe(2);
  expect([await readFile(linked, 'utf8'), (await stat(linked)).uid]).toEqual(['of root', 0]);
  await other.remove();
});

it.runIf(isRoot)('a lock that root takes first is one that the service can take after it', async () => {
  await chown(folder.path, 12_345, 23_456);
  const path = join(folder.path, 'filling.lock');
  takeLock(path)?.release();
  expect(await stat(path)).toMatchObject({ uid: 12_345, gid: 23_456 });
});
