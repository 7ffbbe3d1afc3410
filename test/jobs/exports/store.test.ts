import { cp, rm } from 'node:fs/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTimetable } from '../../../jobs/scheduler/timetable.ts';
import { takeDown } from '../../../jobs/takedown/run.ts';
import { runUpkeep, writeExports } from '../../../jobs/tasks/run.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { claimStore, findStoreFault, makeStoreWatch } from '../../../schema/accounts/exports/mark.ts';
import { openExports } from '../../../schema/accounts/exports/open-storage.ts';
import { askText } from '../../../schema/accounts/exports/s3/requests.ts';
import { readExport } from '../../../schema/accounts/exports/states.ts';
import { exportFolder, makeFolderStorage, StoreAway } from '../../../schema/accounts/exports/storage.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { hasBucketServer, makeBucket, type TestBucket } from '../../support/bucket.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { chargeExport, insertBuyers } from '../../support/paid-exports.ts';

const at = '2026-11-21T00:00:00Z';
let built: Awaited<ReturnType<typeof makeJobServices>>;
let accountId: string;
let elsewhere: Awaited<ReturnType<typeof makeFolder>>;

const open = async (settings: Record<string, string> = {}) => {
  built = await makeJobServices(settings);
  elsewhere = await makeFolder();
  const { accounts, catalogue } = built.services;
  accountId = (await createAccount(accounts, { name: 'A', signupCredits: 1_000, at })).id;
  const keys = await insertBuyers(catalogue, 4);
  await chargeExport(accounts, { id: 'ex_1', accountId, format: 'csv', keys, credits: 100 });
  // Paid for just now, however the test wrote it.
  await accounts.write([{ sql: 'UPDATE export SET created_at = ?', args: [new Date().toISOString()] }]);
};
afterEach(async () => {
  await built.close();
  await elsewhere.remove();
});
const state = () => readExport(built.services.accounts, 'ex_1');
const marks = () =>
  built.services.accounts.read<{ mark: string; turn: number }>({
    sql: 'SELECT mark, turn FROM export_store ORDER BY turn',
  });

/** The jobs process of another machine: the same databases, a folder of its own. */
const other = () => ({ ...built.services, exports: makeFolderStorage(elsewhere.path) });
const runWriter = (exports = built.services.exports) => {
  const entry = makeTimetable([]).find(({ job }) => job === 'exports') ?? expect.fail();
  return () => entry.run({ ...built.services, exports, log: pino({ level: 'silent' }) }, new AbortController().signal);
};

describe('the writer of exports', () => {
  beforeEach(() => open());

  it('says where it writes before it writes, once, and again only where that mark was lost', async () => {
    const run = runWriter();
    expect(await run()).toEqual({ written: 1 });
    const [first] = await marks();
    expect(await marks()).toEqual([{ mark: await built.services.exports.readMark(), turn: 1 }]);
    await run();
    await runWriter()();
    expect(await marks()).toEqual([first]);
    expect(await findStoreFault(built.services.accounts, built.services.exports)).toBeNull();
  });

  it('does not blame the store where the accounts give no answer', async () => {
    const { accounts, exports } = built.services;
    const hanging = { ...accounts, read: () => new Promise<never>(() => undefined) };
    expect(await makeStoreWatch(hanging, exports)()).toBe(
      `exports: no answer within 2 s from ${exports.place}, or from the accounts about it`,
    );
  });

  it.runIf(process.platform === 'linux')('waits where it may not write; the file is written once it may', async () => {
    await runWriter()();
    await built.services.accounts.write([{ sql: "UPDATE export SET status = 'processing', file = NULL" }]);
    // No user creates a file there.
    const { write } = makeFolderStorage('/sys/kernel');
    await expect(runWriter({ ...built.services.exports, write })()).rejects.toThrow(
      /^\/sys\/kernel\/ex_1.*: (this user may not read and write there|the disk is read-only) \(E\w+\)$/,
    );
    expect(await state()).toMatchObject({ status: 'processing', refunded: 0 });
    await runWriter()();
    expect(await state()).toMatchObject({ status: 'completed', refunded: 0 });
  });

  it('that moved to another folder makes that the current one, and the files are written again there', async () => {
    await runWriter()();
    const folder = exportFolder(built.services.settings);
    await cp(folder, elsewhere.path, { recursive: true });
    await rm(folder, { recursive: true });
    await runWriter()();
    expect((await marks()).map(({ turn }) => turn)).toEqual([1, 2]);
    expect(await runUpkeep(built.services)).toMatchObject({ result: { exportsRewritten: 1 } });
    expect(await writeExports(built.services)).toEqual({ acquired: true, result: 1 });
  });

  it('uses its folder again within a minute once all in it was lost, though no export waits', async () => {
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const run = runWriter();
    await run();
    await rm(exportFolder(built.services.settings), { recursive: true });
    expect(await findStoreFault(built.services.accounts, built.services.exports)).toMatch(/has lost what was in it/);
    await run();
    nowMs += 30_000;
    await expect(run()).rejects.toThrow(/has lost what was in it/);
    await run();
    clock.mockRestore();
    expect(await findStoreFault(built.services.accounts, built.services.exports)).toBeNull();
    expect((await marks()).map(({ turn }) => turn)).toEqual([1, 2]);
  });

  it.each([
    ['since it started', true],
    ['once it had written to it', false],
  ])('whose store is away %s ends after an hour what waited as long, refunded', async (_, isFromStart) => {
    const { accounts, exports } = built.services;
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    let isAway = isFromStart;
    const readMark = () => (isAway ? Promise.reject(new StoreAway('away')) : exports.readMark());
    const run = runWriter({ ...exports, readMark });
    if (!isFromStart) await run();
    isAway = true;
    nowMs += 30_000;
    const order = (created: string) =>
      accounts.write([
        { sql: "UPDATE export SET status = 'processing', file = NULL, created_at = ?", args: [created] },
      ]);
    // No jobs ran for longer than the store is away.
    await order(at);
    await expect(run()).rejects.toThrow('away');
    expect(await state()).toMatchObject({ status: 'processing' });
    nowMs += 3_600_000;
    await order(new Date().toISOString());
    await expect(run()).rejects.toThrow('away');
    expect(await state()).toMatchObject({ status: 'processing' });
    await order(at);
    await expect(run()).rejects.toThrow('away');
    clock.mockRestore();
    expect(await state()).toMatchObject({ status: 'failed', refunded: 100 });
    expect([await readBalance(accounts, accountId), (await verifyLedger(accounts)).faults]).toEqual([1_000, []]);
  });

  it('writes nothing to a store that another process has taken the place of, and upkeep loses no file for it', async () => {
    const run = runWriter();
    await run();
    await claimStore(built.services.accounts, other().exports, { at });
    await built.services.accounts.write([{ sql: "UPDATE export SET status = 'processing', file = NULL" }]);
    // The next run does not take them back either.
    for (let runs = 0; runs < 2; runs++)
      await expect(run()).rejects.toThrow(/jobs write them to .*, this process looks/);
    await writeExports(other());
    expect(await runUpkeep(built.services)).toMatchObject({ result: { exportsRewritten: 0, filesRemoved: 0 } });
    expect(await state()).toMatchObject({ status: 'completed' });
    const notice = { kind: 'notice', noticeId: '000001-2026' } as never;
    await expect(takeDown(built.services, notice, { reason: 'r' })).rejects.toThrow(/jobs write them to/);
  });
});

const isThere = hasBucketServer('writing exports to a bucket');

describe.skipIf(!isThere)('a bucket', () => {
  let made: TestBucket;
  beforeEach(async () => {
    made = await makeBucket();
    await open(made.settings);
  });
  afterEach(() => made.close());

  it('gets the file, loses it when it expires, and what a killed writer left', async () => {
    await runWriter()();
    const row = await state();
    expect(await built.services.exports.list()).toMatchObject([{ file: row?.file, bytes: row?.bytes }]);
    expect(await runUpkeep(built.services)).toMatchObject({ result: { exportsRewritten: 0, filesRemoved: 0 } });
    await built.services.exports.remove(row?.file ?? '');
    expect(await runUpkeep(built.services)).toMatchObject({ result: { exportsRewritten: 1 } });
    await writeExports(built.services);
    expect(await state()).toMatchObject({ status: 'completed', sha256: row?.sha256, bytes: row?.bytes });
  });

  it('that is not yet claimed, as at the very first start, has no files to check; one that is away is an error', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const nothing = { result: { exportsRewritten: 0, filesRemoved: 0 } };
    expect(await runUpkeep({ ...built.services, log })).toMatchObject(nothing);
    expect(lines).toEqual([]);
    made.become('refuse');
    expect(await runUpkeep({ ...built.services, log })).toMatchObject(nothing);
    expect(lines).toEqual([expect.stringMatching(/are not checked, as their store does not answer/)]);
  });

  it.each([
    ['refuses', 'refuse' as const],
    ['vanishes', 'vanish' as const],
  ])('that %s keeps its exports waiting; the file is written when it is back', async (_, mood) => {
    await runWriter()();
    await built.services.accounts.write([{ sql: "UPDATE export SET status = 'processing', file = NULL" }]);
    made.become((asked) => (asked.startsWith('PUT') ? mood : 'pass'));
    await expect(writeExports(built.services)).rejects.toMatchObject({ name: 'StoreAway' });
    expect(await state()).toMatchObject({ status: 'processing', refunded: 0 });
    made.become(mood);
    expect(await runUpkeep(built.services)).toMatchObject({ result: { exportsRewritten: 0, filesRemoved: 0 } });
    made.become('pass');
    await writeExports(built.services);
    expect(await state()).toMatchObject({ status: 'completed', refunded: 0 });
  });

  it('that is away for more than an hour fails its exports, which are refunded in full', async () => {
    made.become('refuse');
    const { accounts } = built.services;
    await expect(runWriter()()).rejects.toThrow(/answers 403 AccessDenied/);
    await accounts.write([{ sql: 'UPDATE export SET created_at = ?', args: [at] }]);
    made.become((asked) => (asked.startsWith('PUT') ? 'refuse' : 'pass'));
    await writeExports(built.services);
    expect(await state()).toMatchObject({ status: 'failed', refunded: 100, file: null });
    expect([await readBalance(accounts, accountId), (await verifyLedger(accounts)).faults]).toEqual([1_000, []]);
  });

  it('of another installation is not claimed, and loses no file', async () => {
    await built.services.exports.writeMark('of-another');
    await expect(runWriter()()).rejects.toThrow(/holds the exports of another installation: give EXPORTS_URL a prefix/);
    expect(await marks()).toEqual([]);
    // What /readyz of every process says.
    const said = () => findStoreFault(built.services.accounts, built.services.exports);
    expect(await said()).toMatch(/^exports: s3:.* holds the exports of another installation: [^(]*$/);
    // A leftover of the other one, as old as upkeep lets it become: moto dates every upload to 2010.
    const left = { method: 'POST' as const, key: 'ex_theirs-0123456789ab.csv', query: { uploads: '' } };
    await askText(made.bucket, left);
    expect(await runUpkeep(built.services)).toMatchObject({ result: { filesRemoved: 0 } });
    expect(await built.services.exports.list()).toHaveLength(1);
    await claimStore(built.services.accounts, other().exports, { at });
    expect(await said()).toMatch(/holds the exports of another installation: .*\(jobs last wrote to \/.*\)$/);
  });

  it('takes the place of a folder: its mark is not that of the folder', async () => {
    const { accounts } = built.services;
    const { exports: folder } = await openExports({ ...built.services.settings, EXPORTS_URL: undefined }, accounts);
    await claimStore(accounts, folder, { at });
    await runWriter()();
    expect(await findStoreFault(accounts, built.services.exports)).toBeNull();
    expect(await findStoreFault(accounts, folder)).toMatch(
      /^exports: jobs write them to s3:\/\/test-.*, this process looks at \//,
    );
    await claimStore(accounts, folder, { at });
    expect(await findStoreFault(accounts, folder)).toBeNull();
  });
});
