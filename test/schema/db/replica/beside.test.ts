import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BadSettings, readSettings } from '../../../../schema/config/settings.ts';
import type { CopyAge, Database } from '../../../../schema/db/interface.ts';
import { takeLock } from '../../../../schema/db/process-lock.ts';
import { findCopyRemark } from '../../../../schema/db/readiness.ts';
import { describeSyncFault, findDamage } from '../../../../schema/db/replica/copy.ts';
import { readMark } from '../../../../schema/db/replica/files.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

describe('what lies next to a copy', () => {
  it('says of which log it is and how far it came; cut, it says nothing', async () => {
    const path = join(folder.path, 'copy.db');
    expect(readMark(path)).toBeNull();
    const mark = Buffer.alloc(32);
    Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex').reverse().copy(mark);
    mark.writeBigUInt64LE(77n, 16);
    await writeFile(`${path}-client_wal_index`, mark);
    expect(readMark(path)).toEqual({ logId: '000102030405060708090a0b0c0d0e0f', frame: 77 });
    mark.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 16);
    await writeFile(`${path}-client_wal_index`, mark);
    expect(readMark(path)).toMatchObject({ frame: null });
    await truncate(`${path}-client_wal_index`, 31);
    expect(readMark(path)).toBeNull();
    await appendFile(`${path}-client_wal_index`, 'more');
    expect(readMark(path)).toBeNull();
  });

  it('is a lock that one process has at a time', () => {
    const path = join(folder.path, 'lock.db');
    const lock = takeLock(path);
    expect(lock).not.toBeNull();
    expect(takeLock(path)).toBeNull();
    lock?.release();
    const again = takeLock(path);
    expect(again).not.toBeNull();
    again?.release();
  });

  it.each([Buffer.alloc(5_000), Buffer.alloc(5_000, 'x')])(
    'is a lock also where its file is damaged',
    async (bytes) => {
      const path = join(folder.path, 'damaged-lock.db');
      await writeFile(path, bytes);
      const lock = takeLock(path);
      expect(lock?.isLost()).toBe(false);
      expect(takeLock(path)).toBeNull();
      lock?.release();
    },
  );
});

describe('a copy', () => {
  it.each([
    ['Replication(Client(Status { code: Internal, message: "compacting", metadata: x }))', 1e9, 'compacting'],
    ['extended_code: 200', 2_900_000, 'extended_code: 200; its disk has 2 MB left'],
  ])('that is not brought up to date says %s, and whether its disk is full', (message, freeBytes, said) => {
    expect(describeSyncFault(new Error(message), freeBytes)).toBe(`the sync failed: ${said}`);
  });

  it('is damaged where a page of it is, though it can be opened', async () => {
    await (await makeDatabase(folder.path, 'catalogue')).close();
    const path = join(folder.path, 'catalogue.db');
    await writeFile(`${path}-client_wal_index`, Buffer.alloc(32));
    expect(findDamage(path)).toBeNull();
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0x7f, 4_096, 4_196));
    expect(findDamage(path)).toMatch(/^it is damaged \(/);
  });

  const remarkOf = (age: CopyAge) => findCopyRemark({ copyAge: () => age } as Database);

  it('is worth a word only where it is old, failing or absent', () => {
    expect(findCopyRemark({} as Database)).toBeNull();
    expect(remarkOf({ answers: true, seconds: 3, fault: null })).toBeNull();
    expect(remarkOf({ answers: true, seconds: 90, fault: null })).toBe(
      'catalogue: answers come from a copy that is 90 seconds old',
    );
    expect(remarkOf({ answers: true, seconds: 7_300, fault: 'no answer' })).toBe(
      'catalogue: answers come from a copy that is 2 hours old (no answer)',
    );
    expect(remarkOf({ answers: true, seconds: null, fault: 'cut' })).toMatch(/of unknown age \(cut\)$/);
  });

  it('is of a server, as is the index of a machine that only answers', () => {
    const read = (more: Record<string, string>) => () => readSettings({ DATA_DIR: folder.path, ...more });
    expect(read({ CATALOGUE_REPLICA: 'on' })).toThrow(BadSettings);
    expect(read({ CATALOGUE_REPLICA: 'on' })).toThrow(
      /CATALOGUE_URL: expected a libSQL server, as CATALOGUE_REPLICA is on, got a file/,
    );
    expect(read({ JOBS_ROLES: 'index', CATALOGUE_URL: 'file:x.db' })).toThrow(/as JOBS_ROLES is index/);
    expect(
      read({ CATALOGUE_REPLICA: 'on', JOBS_ROLES: 'index', CATALOGUE_URL: 'libsql://db.example.org' }),
    ).not.toThrow();
  });
});
