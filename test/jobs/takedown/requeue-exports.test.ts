import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PersonTerms, readPending } from '../../../ingest/takedown/record.ts';
import { withLease } from '../../../jobs/process/lease.ts';
import type { JobsServices } from '../../../jobs/process/services.ts';
import { finishTakedowns, takeDown } from '../../../jobs/takedown/run.ts';
import { writeExports } from '../../../jobs/tasks/run.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { EXPORT_FORMATS, type ExportDataset, type ExportFormat } from '../../../schema/accounts/exports/datasets.ts';
import { readExport } from '../../../schema/accounts/exports/states.ts';
import { exportFolder, StoreAway } from '../../../schema/accounts/exports/storage.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { packAnswer } from '../../../schema/accounts/remembered-answers.ts';
import { SearchUnavailable } from '../../../search/engine.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { chargeExport } from '../../support/paid-exports.ts';
import { companyRow, contractRows, noticeRow, seed, supplier } from '../../support/seed.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { readExportFile } from '../exports/read-file.ts';

/** A catalogue whose rows name two persons and will until it is rebuilt: what is out of the files, the writer took out. */
let built: Awaited<ReturnType<typeof makeJobServices>>;
let accountId: string;
beforeEach(async () => {
  built = await makeJobServices();
  const { accounts, catalogue } = built.services;
  accountId = (await createAccount(accounts, { name: 'A', signupCredits: 1_000, at: '2026-11-21T00:00:00Z' })).id;
  await seed(
    catalogue,
    noticeRow('000001-2026', 'ocds-h6vhtk-1'),
    contractRows('ocds-h6vhtk-1/1', [supplier('GB-COH-01234567', 'Ada Quillfeather')], {
      title: 'Ask Ada Quillfeather',
    }),
    contractRows('ocds-h6vhtk-2/1', [supplier('GB-COH-07654321', 'Plain Ltd')]),
    companyRow('GB-COH-01234567', 'Ada Quillfeather'),
    companyRow('GB-COH-02345678', 'Bartholomew Nightjar'),
    companyRow('GB-COH-07654321', 'Plain Ltd'),
    companyRow('GB-COH-08765432', 'Other Ltd'),
  );
});
afterEach(() => built.close());

const KEYS: Partial<Record<ExportDataset, string[]>> = {
  contracts: ['ocds-h6vhtk-1/1', 'ocds-h6vhtk-2/1'],
  companies: ['GB-COH-01234567', 'GB-COH-02345678', 'GB-COH-07654321', 'GB-COH-08765432'],
};
async function exported(id: string, dataset: ExportDataset, format: ExportFormat, keys = KEYS[dataset] ?? []) {
  await chargeExport(built.services.accounts, { id, accountId, dataset, format, keys, credits: 100 });
  await writeExports(built.services);
}
const person = (name: string, services: JobsServices = built.services, signal?: AbortSignal) => {
  const terms: PersonTerms = { names: [name], texts: [], emails: [], telephones: [] };
  return takeDown(services, { kind: 'person', terms }, { reason: 'asked for it', ...(signal ? { signal } : {}) });
};
const remember = (answer: string) => {
  const sql = 'INSERT INTO remembered_answer (line, expires_at, bytes, body) VALUES (1, 9e12, 1, ?)';
  return built.services.accounts.write([{ sql, args: [packAnswer(answer)] }]);
};
const remembered = () => built.services.accounts.read({ sql: 'SELECT line FROM remembered_answer' });
const files = () => readdir(exportFolder(built.services.settings));
const state = async (id: string) => (await readExport(built.services.accounts, id)) ?? expect.fail(id);
async function rowsOf(id: string): Promise<Record<string, unknown>[]> {
  const { file, format } = await state(id);
  const bytes = await readFile(join(exportFolder(built.services.settings), file ?? ''));
  return (await readExportFile(format as ExportFormat, bytes)).rows;
}
const toText = (rows: unknown) =>
  JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value));

describe('a finished export that a takedown concerns', () => {
  it.each(EXPORT_FORMATS)('as %s is put back, has no file, and is written again without the person', async (format) => {
    await exported('ex_hers', 'contracts', format);
    await exported('ex_other', 'contracts', format, ['ocds-h6vhtk-2/1']);
    await built.services.accounts.write([{ sql: "UPDATE export SET expires_at = '2031-02-03T04:05:06Z'" }]);
    const [before, other] = [await state('ex_hers'), await state('ex_other')];
    expect(toText(await rowsOf('ex_hers'))).toContain('Quillfeather');

    expect(await person('Ada Quillfeather')).toMatchObject({ result: { exports: 1 } });
    const waiting = { status: 'processing', bytes: null, sha256: null, credits_charged: 100, refunded: 0 };
    expect(await state('ex_hers')).toMatchObject({ ...waiting, requeued_at: expect.stringMatching(/Z$/) });
    expect(await state('ex_other')).toEqual(other);
    expect(await files()).toEqual([other.file]);

    expect(await writeExports(built.services)).toMatchObject({ result: 1 });
    const after = await state('ex_hers');
    expect(after).toMatchObject({
      status: 'completed',
      requeued_at: null,
      rows: 2,
      refunded: 0,
      expires_at: before.expires_at,
      error: 'written again after a takedown',
    });
    expect([after.bytes === null, after.sha256 === before.sha256]).toEqual([false, false]);
    const rows = await rowsOf('ex_hers');
    expect(rows.map(({ contract_id }) => contract_id)).toEqual(KEYS.contracts);
    expect(toText(rows)).not.toMatch(/Quillfeather/i);
    expect(toText(rows)).toMatch(/Ask \[withheld \w{6}\]/);
    expect((await files()).toSorted()).toEqual([after.file, other.file].toSorted());
  });

  it('loses the rows that are the person, each time with its share of what is left of the charge', async () => {
    const { accounts } = built.services;
    await exported('ex_1', 'companies', 'jsonl');
    await person('Ada Quillfeather');
    await writeExports(built.services);
    expect(await state('ex_1')).toMatchObject({ rows: 3, refunded: 25 });
    await person('Bartholomew Nightjar');
    await writeExports(built.services);
    expect(await state('ex_1')).toMatchObject({
      status: 'completed',
      rows: 2,
      refunded: 50,
      error: 'written again after a takedown, without 1 row of 4; written again after a takedown, without 1 row of 3',
    });
    expect((await rowsOf('ex_1')).map(({ name }) => name)).toEqual(['Plain Ltd', 'Other Ltd']);
    expect(await readBalance(accounts, accountId)).toBe(950);
    expect((await verifyLedger(accounts)).faults).toEqual([]);
  });

  it('that cannot be written again is refunded what was not given back yet', async () => {
    const { services } = built;
    await exported('ex_1', 'companies', 'csv');
    await person('Ada Quillfeather');
    await writeExports(services);
    await person('Bartholomew Nightjar');
    const full = { ...services.exports, write: () => Promise.reject(new Error('ENOSPC')) };
    await writeExports({ ...services, exports: full });
    expect(await state('ex_1')).toMatchObject({ status: 'failed', refunded: 100, file: null, requeued_at: null });
    expect(await files()).toEqual([]);
    expect(await readBalance(services.accounts, accountId)).toBe(1_000);
    expect((await verifyLedger(services.accounts)).faults).toEqual([]);
  });

  it('of a notice is put back for any row of its process', async () => {
    await exported('ex_1', 'contracts', 'csv', ['ocds-h6vhtk-1/1']);
    await exported('ex_2', 'contracts', 'csv', ['ocds-h6vhtk-2/1']);
    await takeDown(built.services, { kind: 'notice', noticeId: '000001-2026' }, { reason: 'an order' });
    expect([(await state('ex_1')).status, (await state('ex_2')).status]).toEqual(['processing', 'completed']);
  });
});

describe('a takedown that is killed', () => {
  const killed = (): JobsServices => {
    const { services } = built;
    return { ...services, exports: { ...services.exports, remove: () => Promise.reject(new Error('killed')) } };
  };

  it('before the old file is removed leaves it to nobody, and removes it when it is done again', async () => {
    await exported('ex_1', 'companies', 'csv');
    await expect(person('Ada Quillfeather', killed())).rejects.toThrow('killed');
    expect(await state('ex_1')).toMatchObject({ status: 'processing', sha256: null });
    expect(await files()).toHaveLength(1);
    expect(await finishTakedowns(built.services)).toMatchObject({ result: [{ exports: 0 }] });
    expect(await files()).toEqual([]);
  });

  it('before the old file is removed leaves it to the writer to do so, who comes first', async () => {
    await exported('ex_1', 'companies', 'csv');
    const { file } = await state('ex_1');
    await expect(person('Ada Quillfeather', killed())).rejects.toThrow('killed');
    await writeExports(built.services);
    expect(await state('ex_1')).toMatchObject({ status: 'completed', rows: 3 });
    expect(await files()).toEqual([(await state('ex_1')).file]);
    expect(await files()).not.toEqual([file]);
    expect(await finishTakedowns(built.services)).toMatchObject({ result: [{ exports: 0 }] });
    expect(toText(await rowsOf('ex_1'))).not.toMatch(/Quillfeather/);
  });
});

it('a takedown while the store of exports is away is finished later', async () => {
  const { services } = built;
  await exported('ex_1', 'companies', 'csv');
  await remember('{"name":"Ada Quillfeather"}');
  const away = { ...services.exports, readMark: () => Promise.reject(new StoreAway('away')) };
  const warn = vi.spyOn(services.log, 'warn');
  await expect(person('Ada Quillfeather', { ...services, exports: away })).rejects.toThrow('away');
  expect(warn.mock.calls.map(([said]) => said)).toMatchObject([{ left: 'exports' }]);
  expect(await remembered()).toEqual([]);
  expect(await finishTakedowns(services)).toMatchObject({ result: [{ exports: 1 }] });
});

it('a takedown that is stopped while it waits for an export that is being written says by what', async () => {
  const { services } = built;
  await remember('{"name":"Ada Quillfeather"}');
  const stop = new AbortController();
  await withLease(services.accounts, 'exports', { holder: 'a writer' }, async () => {
    const stopped = expect(person('Ada Quillfeather', services, stop.signal)).rejects.toThrow('stopped by SIGTERM');
    await vi.waitFor(async () => expect(await remembered()).toEqual([]), { timeout: LIMITS_MS.wait });
    stop.abort(new Error('stopped by SIGTERM'));
    await stopped;
  });
});

describe('a takedown whose index cannot follow at once', () => {
  const withIndex = (readCursor: JobsServices['search']['readCursor']): JobsServices => {
    const { services } = built;
    return { ...services, search: { ...services.search, readCursor } };
  };

  it('as Meilisearch is away, takes the name from everything else, and is finished later', async () => {
    await exported('ex_1', 'companies', 'csv');
    const away = withIndex(() => Promise.reject(new SearchUnavailable('away')));
    const warn = vi.spyOn(away.log, 'warn');
    await expect(person('Ada Quillfeather', away)).rejects.toThrow('away');
    const [id] = await readPending(away.catalogue);
    expect(warn).toHaveBeenCalledWith({ takedown: id, left: 'search index' }, expect.stringContaining('repeat'));
    expect([(await state('ex_1')).status, await files()]).toEqual(['processing', []]);
    expect(await finishTakedowns(built.services)).toMatchObject({ result: [{ exports: 0 }] });
    expect((await readPending(built.services.catalogue)).size).toBe(0);
  });

  it('as another process is updating it, ends after it has followed', async () => {
    const { catalogue } = built.services;
    const asked: string[] = [];
    const services = withIndex(async () => {
      asked.push('here');
      return null;
    });
    await exported('ex_1', 'companies', 'csv');
    const held = await withLease(catalogue, 'search', { holder: 'another' }, async () => {
      const taken = person('Ada Quillfeather', services);
      await vi.waitFor(async () => expect(await files()).toEqual([]), { timeout: LIMITS_MS.wait });
      asked.push('there');
      return { taken };
    });
    expect(held).toMatchObject({ acquired: true });
    await (held.acquired && held.result.taken);
    // Once before the builds, and after the batch of each of the two, which bring every index up to date.
    expect(asked).toEqual(['there', 'here', 'here', 'here']);
  });
});
