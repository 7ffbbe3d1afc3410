import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWaitingExports } from '../../../jobs/exports/writer.ts';
import { withLease } from '../../../jobs/process/lease.ts';
import { runUpkeep } from '../../../jobs/tasks/run.ts';
import { cleanAccounts } from '../../../jobs/tasks/upkeep.ts';
import { createAccount, readAccount } from '../../../schema/accounts/customer/account.ts';
import {
  abandonBatches,
  readExport,
  readFrozenKeys,
  stageKeysStatement,
  stageStatement,
  startStatements,
} from '../../../schema/accounts/exports/states.ts';
import { exportFolder } from '../../../schema/accounts/exports/storage.ts';
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

const clean = () =>
  withLease(built.services.accounts, 'upkeep', { holder: 'a test' }, ({ fence }) =>
    cleanAccounts(built.services, fence),
  );

describe('upkeep of exports', () => {
  it('expires exports with their files and keys, and removes files that nothing names', async () => {
    const { accounts, settings } = built.services;
    const keys = await insertBuyers(built.services.catalogue, 10);
    await chargeExport(accounts, { id: 'exp_1', accountId, format: 'csv', keys, credits: 100 });
    await withLease(accounts, 'exports', { holder: 'a test' }, (holding) =>
      writeWaitingExports(built.services, holding),
    );
    const files = () => readdir(exportFolder(settings));
    await writeFile(join(exportFolder(settings), 'exp_0.123.part'), 'half');
    expect(await clean()).toMatchObject({ result: { exportsExpired: 0, filesRemoved: 0 } });
    await accounts.write([{ sql: "UPDATE export SET expires_at = '2026-01-01T00:00:00Z'" }]);
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const file of await files()) await utimes(join(exportFolder(settings), file), old, old);
    expect(await clean()).toMatchObject({ result: { exportsExpired: 1, filesRemoved: 2 } });
    expect(await files()).toEqual([]);
    expect(await accounts.read({ sql: 'SELECT * FROM export_row' })).toEqual([]);
    expect(await readExport(accounts, 'exp_1')).toMatchObject({ status: 'expired' });
  });

  it('drops what was staged an hour ago and never paid for: without its keys, not even its charge is made', async () => {
    const { accounts } = built.services;
    const staged = { dataset: 'buyers', format: 'csv', excel: false, filters: {}, rows: 2, matched: 2 } as const;
    const stage = (id: string, at: Date) =>
      accounts.write([
        stageStatement({ id, accountId, at: at.toISOString(), ...staged }),
        stageKeysStatement(id, 0, ['a', 'b']),
      ]);
    const charge = { chargeId: 'ch_late', creditsCharged: 100 };
    const pay = (id: string) => {
      const debit = `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, created_at)
        VALUES (?, 'charge', ?, '@revenue', 100, 'bulk_export', ?)`;
      const args = [`charge:${charge.chargeId}`, accountId, '2026-11-21T00:00:00Z'];
      return accounts.write([{ sql: debit, args }, ...startStatements(id, charge)]);
    };
    await stage('exp_old', new Date(Date.now() - 2 * 3_600_000));
    await stage('exp_new', new Date());
    await accounts.write([stageStatement({ id: 'exp_begun', accountId, at: new Date().toISOString(), ...staged })]);
    await accounts.write([{ sql: "DELETE FROM export_row WHERE export_id = 'exp_old' AND position = 0" }]);
    await expect(pay('exp_old'), 'whose keys are being dropped').rejects.toThrow();
    await clean();
    const ids = () => accounts.read({ sql: 'SELECT id FROM export ORDER BY id' });
    expect(await ids()).toEqual([{ id: 'exp_begun' }, { id: 'exp_new' }]);
    expect(await accounts.read({ sql: 'SELECT DISTINCT export_id AS id FROM export_row' })).toEqual([
      { id: 'exp_new' },
    ]);
    expect(await readAccount(accounts, accountId)).toMatchObject({ balance: 1_000 });
    // Each by itself, and only until it is paid for.
    for (const batch of abandonBatches('exp_begun', 2)) await accounts.write(batch);
    await pay('exp_new');
    for (const batch of abandonBatches('exp_new', 2)) await accounts.write(batch);
    expect(await ids()).toEqual([{ id: 'exp_new' }]);
    expect(await readFrozenKeys(accounts, { exportId: 'exp_new', after: -1, rows: 1 })).toEqual({
      keys: '["a"]',
      last: 0,
    });
    expect(await readExport(accounts, 'exp_new')).toMatchObject({ status: 'processing' });
  });
});

it('upkeep drops quarantined bytes and answers past their time, keeping what they were', async () => {
  const { accounts, catalogue } = built.services;
  const quarantined = (id: number, at: string) => ({
    sql: `INSERT INTO quarantine (id, source, kind, reason, url, sha256, bytes, first_seen_at, last_seen_at)
      VALUES (?, 's', 'page', 'r', 'u', ?, x'00', ?, ?)`,
    args: [id, String(id), at, at],
  });
  const remembered = (key: string, expiresAt: number) => ({
    sql: `INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, body, created_at, expires_at)
      VALUES (?, ?, '', 'done', '', 0, x'00', '', ?)`,
    args: [accountId, key, expiresAt],
  });
  const run = (id: string, source: string) => ({
    sql: "INSERT INTO run (id, job, source, started_at, state) VALUES (?, 'ingest', ?, '2026', 'running')",
    args: [id, source],
  });
  await catalogue.write([
    quarantined(1, '2026-01-01T00:00:00Z'),
    quarantined(2, new Date().toISOString()),
    quarantined(3, '2026-01-01T00:00:00Z'),
    { sql: 'UPDATE quarantine SET bytes = NULL WHERE id = 3' },
    {
      sql: "INSERT INTO source (id, title, homepage, licence, licence_url, attribution, timetable, quarantined) VALUES ('s', '', '', '', '', '', '', 3)",
    },
    run('killed', 's'),
    run('alive', 't'),
    { sql: "INSERT INTO lease VALUES ('ingest:t', 'x', 'y', ?)", args: [Date.now() + 60_000] },
  ]);
  await accounts.write([remembered('old', Date.now() - 1), remembered('new', Date.now() + 60_000)]);
  await writeFile(join(built.folder, 'catalogue-2.db'), 'what a killed rebuild left');
  expect(await runUpkeep(built.services)).toMatchObject({
    acquired: true,
    result: { answersDropped: 1, quarantineExpired: 2, runsAbandoned: 1 },
  });
  expect(await readdir(built.folder)).not.toContain('catalogue-2.db');
  expect(await catalogue.read({ sql: 'SELECT id, state, bytes IS NULL AS gone FROM quarantine ORDER BY id' })).toEqual([
    { id: 1, state: 'expired', gone: 1 },
    { id: 2, state: 'held', gone: 0 },
    { id: 3, state: 'expired', gone: 1 },
  ]);
  // As status and the metrics show it.
  expect(await catalogue.read({ sql: "SELECT quarantined FROM source WHERE id = 's'" })).toEqual([{ quarantined: 1 }]);
  expect(await accounts.read({ sql: 'SELECT key, body IS NULL AS gone FROM idempotency ORDER BY key' })).toEqual([
    { key: 'new', gone: 0 },
    { key: 'old', gone: 1 },
  ]);
  expect(await catalogue.read({ sql: "SELECT id FROM run WHERE state = 'abandoned'" })).toEqual([{ id: 'killed' }]);
});
