import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLease, fenceStatement } from '../../../jobs/process/lease.ts';
import type { JobsServices } from '../../../jobs/process/services.ts';
import { claimExports } from '../../../jobs/tasks/run.ts';
import { claimStore, findStoreFault } from '../../../schema/accounts/exports/mark.ts';
import { type ExportStorage, makeFolderStorage } from '../../../schema/accounts/exports/storage.ts';
import { makeClocks } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const at = '2026-11-21T00:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
/** A folder that other installations could write to as well, like a bucket. */
let storage: ExportStorage;
beforeEach(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
  storage = { ...makeFolderStorage(`${folder.path}/exports`), isShared: true };
});
afterEach(async () => {
  await accounts.close();
  await folder.remove();
});

const marks = () => accounts.read({ sql: 'SELECT mark, turn FROM export_store' });
/** Does something each time that a mark has been written to the store. */
const afterMark = (work: () => Promise<void>): ExportStorage => ({
  ...storage,
  async writeMark(mark) {
    await storage.writeMark(mark);
    await work();
  },
});

it('a store whose first claim was killed after its mark is claimed by the next one', async () => {
  const killed = afterMark(() => Promise.reject(new Error('killed')));
  await expect(claimStore(accounts, killed, { at })).rejects.toThrow('killed');
  await claimStore(accounts, storage, { at });
  expect(await marks()).toEqual([{ mark: await storage.readMark(), turn: 1 }]);
});

it('so is one that lost its mark, where the next claim was killed after another mark', async () => {
  await claimStore(accounts, storage, { at });
  await rm(storage.place, { recursive: true });
  const killed = afterMark(() => Promise.reject(new Error('killed')));
  await expect(claimStore(accounts, killed, { at, isAgain: true })).rejects.toThrow('killed');
  await claimStore(accounts, storage, { at, isAgain: true });
  expect(await findStoreFault(accounts, storage)).toBeNull();
});

it('nobody takes it for that of another installation meanwhile', async () => {
  const said: (string | null)[] = [];
  const claimed = afterMark(async () => void said.push(await findStoreFault(accounts, storage)));
  await claimStore(accounts, claimed, { at });
  expect(said).toEqual([`exports: jobs have not claimed ${storage.place} yet`]);
  expect(await findStoreFault(accounts, storage)).toBeNull();
});

it('a store that takes no mark is tried with the same one each time', async () => {
  const full = { ...storage, writeMark: () => Promise.reject(new Error('full')) };
  for (let tries = 0; tries < 3; tries++) await expect(claimStore(accounts, full, { at })).rejects.toThrow('full');
  const [only, ...others] = await marks();
  expect(others).toEqual([]);
  await claimStore(accounts, storage, { at });
  expect(await marks()).toEqual([{ ...(only as object), turn: 1 }]);
});

it('a store whose claim was killed is not that of the next claim, which is elsewhere', async () => {
  const killed = afterMark(() => Promise.reject(new Error('killed')));
  await expect(claimStore(accounts, killed, { at })).rejects.toThrow('killed');
  const other = { ...makeFolderStorage(`${folder.path}/elsewhere`), isShared: true };
  await claimStore(accounts, other, { at });
  expect(await findStoreFault(accounts, other)).toBeNull();
  expect(await findStoreFault(accounts, storage)).toMatch(/^exports: jobs write them to .*elsewhere, this process/);
});

it('a process that has lost its lease claims no store and marks none', async () => {
  const lost = await acquireLease(accounts, 'export', { holder: 'a paused process' });
  await accounts.write([{ sql: "UPDATE lease SET token = 'of another process'" }]);
  const before = [fenceStatement(lost ?? expect.fail('the lease is held'))];
  await expect(claimStore(accounts, storage, { at, before })).rejects.toThrow('lease lost');
  expect([await marks(), await storage.readMark()]).toEqual([[], undefined]);
});

it('only a claim of another store is a warning, which names both', async () => {
  const warned: unknown[] = [];
  const log = { warn: (facts: object, said: string) => warned.push([facts, said]) };
  const other = { ...makeFolderStorage(`${folder.path}/mistyped`), isShared: true };
  const claim = async (exports: ExportStorage) => {
    const services = { accounts, exports, log, holder: 'jobs', clocks: makeClocks(undefined) };
    await claimExports(services as unknown as JobsServices, { isAgain: false, signal: new AbortController().signal });
  };
  await claim(storage);
  await claim(storage);
  expect(warned).toEqual([]);
  await claim(other);
  const facts = { place: other.place, former: storage.place };
  expect(warned).toEqual([[facts, expect.stringMatching(/any other jobs process need the same EXPORTS_URL/)]]);
});
