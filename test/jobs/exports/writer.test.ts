import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proRataRefund } from '../../../jobs/exports/endings.ts';
import { writeWaitingExports } from '../../../jobs/exports/writer.ts';
import { withLease } from '../../../jobs/process/lease.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import type { ExportFormat } from '../../../schema/accounts/exports/datasets.ts';
import { readExport, requeueStatement } from '../../../schema/accounts/exports/states.ts';
import { exportFolder } from '../../../schema/accounts/exports/storage.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { DatabaseAway } from '../../../schema/db/interface.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { chargeExport, insertBuyers } from '../../support/paid-exports.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
let accountId: string;

beforeEach(async () => {
  built = await makeJobServices();
  const at = '2026-11-21T00:00:00Z';
  accountId = (await createAccount(built.services.accounts, { name: 'A', signupCredits: 1_000, at })).id;
});
afterEach(() => built.close());

const write = (services = built.services) =>
  withLease(services.accounts, 'exports', { holder: 'a test' }, (holding) => writeWaitingExports(services, holding));
const balance = async () =>
  (
    await built.services.accounts.read<{ balance: number }>({
      sql: 'SELECT balance FROM account WHERE id = ?',
      args: [accountId],
    })
  )[0]?.balance;
const files = () => readdir(exportFolder(built.services.settings));
const freeze = (format: ExportFormat, keys: string[], credits = 100) =>
  chargeExport(built.services.accounts, { id: 'exp_1', accountId, format, keys, credits });

describe('the export writer', () => {
  it('writes every frozen row in its order, whole, with its digest and its expiry', async () => {
    const keys = await insertBuyers(built.services.catalogue, 1_201);
    await freeze('csv', keys.toReversed(), 200);
    expect(await write()).toEqual({ acquired: true, result: 1 });
    const row = await readExport(built.services.accounts, 'exp_1');
    expect(row).toMatchObject({ status: 'completed', rows: 1_201, refunded: 0, error: null });
    expect(await files()).toEqual([row?.file]);
    const bytes = await readFile(join(exportFolder(built.services.settings), row?.file ?? ''));
    expect(row?.bytes).toBe(bytes.length);
    expect(row?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    const rows = parse(bytes) as string[][];
    expect(rows[0]?.slice(0, 2)).toEqual(['buyer_id', 'name']);
    expect(rows.slice(1).map(([id]) => id)).toEqual(keys.toReversed());
    expect(rows[1]?.[1]).toBe("'=SUM(1201)");
    const days = (Date.parse(row?.expires_at ?? '') - Date.parse(row?.completed_at ?? '')) / 86_400_000;
    expect(days).toBe(7);
    expect(await balance()).toBe(800);
  });

  it('waits where a database server is away, and fails only after an hour of it', async () => {
    await freeze('csv', await insertBuyers(built.services.catalogue, 3));
    const orderedAt = (at: Date) =>
      built.services.accounts.write([{ sql: 'UPDATE export SET created_at = ?', args: [at.toISOString()] }]);
    const read = () => Promise.reject(new DatabaseAway('the catalogue cannot be used'));
    const away = { ...built.services, catalogue: { ...built.services.catalogue, read } };
    await orderedAt(new Date());
    await expect(write(away)).rejects.toThrow(DatabaseAway);
    expect(await readExport(built.services.accounts, 'exp_1')).toMatchObject({ status: 'processing', refunded: 0 });
    await write();
    expect(await readExport(built.services.accounts, 'exp_1')).toMatchObject({ status: 'completed', refunded: 0 });
    await built.services.accounts.write([{ sql: "UPDATE export SET status = 'processing', completed_at = NULL" }]);
    await orderedAt(new Date(Date.now() - 2 * 3_600_000));
    await write(away);
    expect(await readExport(built.services.accounts, 'exp_1')).toMatchObject({ status: 'failed', refunded: 100 });
  });

  it('begins a CSV file for Excel with one byte order mark', async () => {
    await freeze('csv', await insertBuyers(built.services.catalogue, 600));
    await built.services.accounts.write([{ sql: 'UPDATE export SET excel = 1' }]);
    await write();
    const row = await readExport(built.services.accounts, 'exp_1');
    const text = await readFile(join(exportFolder(built.services.settings), row?.file ?? ''), 'utf8');
    expect([text.slice(0, 10), text.lastIndexOf('\ufeff')]).toEqual(['\ufeffbuyer_id,', 0]);
  });

  it('refunds vanished rows by their share, rounded up, and says so', async () => {
    const keys = await insertBuyers(built.services.catalogue, 10);
    await freeze('jsonl', [...keys, 'gone_1', 'gone_2', 'gone_3']);
    await built.services.catalogue.write([{ sql: 'UPDATE buyer SET gone = 1 WHERE id = ?', args: [keys[0] ?? ''] }]);
    await write();
    const row = await readExport(built.services.accounts, 'exp_1');
    expect(row).toMatchObject({ status: 'completed', rows: 9, refunded: 31, credits_charged: 100 });
    expect(row?.error).toBe('4 of 13 rows were withdrawn before they were written');
    expect(await balance()).toBe(1_000 - 100 + 31);
    expect((await verifyLedger(built.services.accounts)).faults).toEqual([]);
  });

  it('removes the old file of an export that is written again, whose rows a takedown changed', async () => {
    const { accounts, catalogue } = built.services;
    const keys = await insertBuyers(catalogue, 4);
    await freeze('csv', keys);
    await write();
    const before = await readExport(accounts, 'exp_1');
    await catalogue.write([{ sql: "UPDATE buyer SET name = 'withheld' WHERE id = ?", args: [keys[0] ?? ''] }]);
    await accounts.write([requeueStatement('exp_1', '2026-11-22T00:00:00Z')]);
    expect(await files()).toEqual([before?.file]);
    await write();
    const after = await readExport(accounts, 'exp_1');
    expect(after).toMatchObject({ status: 'completed', refunded: 0, error: 'written again after a takedown' });
    expect(after?.file).not.toBe(before?.file);
    expect(await files()).toEqual([after?.file]);
  });

  it('refunds a failed export in full, leaves no half file, and continues with the next', async () => {
    const keys = await insertBuyers(built.services.catalogue, 3);
    await freeze('parchment' as ExportFormat, keys);
    await chargeExport(built.services.accounts, { id: 'exp_2', accountId, format: 'jsonl', keys, credits: 100 });
    expect(await write()).toEqual({ acquired: true, result: 2 });
    expect(await readExport(built.services.accounts, 'exp_1')).toMatchObject({
      status: 'failed',
      refunded: 100,
      file: null,
    });
    expect(await readExport(built.services.accounts, 'exp_2')).toMatchObject({ status: 'completed', refunded: 0 });
    expect(await files()).toHaveLength(1);
    expect(await balance()).toBe(900);
    expect((await verifyLedger(built.services.accounts)).faults).toEqual([]);
  });

  it('refunds in full when the disk or the catalogue fails half-way', async () => {
    const keys = await insertBuyers(built.services.catalogue, 1_000);
    await freeze('csv', keys);
    let reads = 0;
    const read: typeof built.services.catalogue.read = (statement) => {
      if (++reads === 2) return Promise.reject(new Error('ENOSPC: no space left on device'));
      return built.services.catalogue.read(statement);
    };
    await write({ ...built.services, catalogue: { ...built.services.catalogue, read } });
    const row = await readExport(built.services.accounts, 'exp_1');
    expect(row).toMatchObject({ status: 'failed', refunded: 100 });
    expect(row?.error).not.toContain('ENOSPC');
    expect(await files()).toEqual([]);
    expect(await balance()).toBe(1_000);
  });

  it('leaves an export for the next process when it has to stop or has lost its lease', async () => {
    await freeze('csv', await insertBuyers(built.services.catalogue, 10));
    const { accounts } = built.services;
    const stopped = withLease(
      accounts,
      'exports',
      { holder: 'a', signal: AbortSignal.abort(new Error('stop')) },
      (holding) => writeWaitingExports(built.services, holding),
    );
    await expect(stopped).rejects.toThrow('stop');
    const robbed = withLease(accounts, 'exports', { holder: 'a' }, async (holding) => {
      await accounts.write([{ sql: "UPDATE lease SET token = 'stolen'" }]);
      return writeWaitingExports(built.services, holding);
    });
    await expect(robbed).rejects.toThrow('lease lost');
    expect(await readExport(accounts, 'exp_1')).toMatchObject({ status: 'processing', refunded: 0 });
    expect(await balance()).toBe(900);
  });
});

describe('the refund of vanished rows', () => {
  it.each([
    [{ credits_charged: 100, refunded: 0 }, { rows: 1_000, ordered: 1_000 }, 0],
    [{ credits_charged: 100, refunded: 0 }, { rows: 999, ordered: 1_000 }, 1],
    [{ credits_charged: 100, refunded: 0 }, { rows: 500, ordered: 1_000 }, 50],
    [{ credits_charged: 100, refunded: 50 }, { rows: 250, ordered: 1_000 }, 25],
    [{ credits_charged: 100, refunded: 50 }, { rows: 750, ordered: 1_000 }, 0],
    [{ credits_charged: 200, refunded: 0 }, { rows: 0, ordered: 1_500 }, 200],
    [{ credits_charged: 100, refunded: 0 }, { rows: 0, ordered: 0 }, 0],
  ])('of %j whose file has %j is %i', (job, counted, credits) => {
    expect(proRataRefund(job, counted)).toBe(credits);
  });
});
