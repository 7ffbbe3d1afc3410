import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { type JobMetrics, makeMetrics } from '../../../jobs/metrics/registry.ts';
import { sealLines } from '../../../jobs/tasks/run.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { topUpStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { DatabaseAway, type Statement } from '../../../schema/db/interface.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runHere } from '../../support/run-command.ts';

/** In which the file and the disk of this test answer. */
const READ_MS = 2_000;
const NOW = new Date('2026-11-21T12:00:00Z');
let built: Awaited<ReturnType<typeof makeJobServices>>;
let metrics: JobMetrics;
beforeAll(async () => {
  built = await makeJobServices();
  built.services.clocks = { catalogueNow: () => NOW, wallNow: () => NOW };
  await registerSources(built.services.catalogue, sources);
  metrics = makeMetrics(built.services);
});
afterAll(() => built.close());

const write = (sql: string) => built.services.catalogue.write([{ sql }]);
const lines = async () => (await metrics.render()).split('\n').filter((line) => !line.startsWith('#'));

describe('the numbers of the jobs process', () => {
  it('give the lag and the age of each source, which are infinite before the first success', async () => {
    await write(`UPDATE source SET releases = 7, quarantined = 2, last_success_at = '2026-11-21T11:59:00Z',
      as_of = '2026-11-21T11:00:00Z' WHERE id = 'find_a_tender'`);
    const written = await lines();
    for (const line of [
      'catalogue_releases{source="find_a_tender"} 7',
      'catalogue_quarantined{source="find_a_tender"} 2',
      'catalogue_lag_seconds{source="find_a_tender"} 60',
      'catalogue_as_of_age_seconds{source="find_a_tender"} 3600',
      'catalogue_lag_seconds{source="companies_house"} +Inf',
    ])
      expect(written).toContain(line);
  });

  it('give the sums of all runs, however often they are read', async () => {
    await write(`INSERT INTO run (id, job, source, started_at, state, requests, refused, waited_ms, releases, stored, quarantined, repairs)
      VALUES ('a', 'ingest', 'find_a_tender', '2026-11-20', 'succeeded', 10, 1, 1500, 90, 80, 2, '{"unlimited_number":3}'),
        ('b', 'ingest', 'find_a_tender', '2026-11-21', 'failed', 5, 2, 500, 9, 8, 0, '{"unlimited_number":1,"leading_zeros":1}')`);
    await lines();
    const written = await lines();
    for (const line of [
      'ingest_requests_total{source="find_a_tender"} 15',
      'ingest_refused_total{source="find_a_tender"} 3',
      'ingest_waited_seconds_total{source="find_a_tender"} 2',
      'ingest_releases_stored_total{source="find_a_tender"} 88',
      'ingest_quarantined_total{source="find_a_tender"} 2',
      'ingest_repairs_total{source="find_a_tender",repair="unlimited_number"} 4',
      'ingest_runs_total{job="ingest",source="find_a_tender",state="failed"} 1',
    ])
      expect(written).toContain(line);
  });

  it('count every run once, also where two read at once, after a reading that the catalogue broke off', async () => {
    const { catalogue } = built.services;
    let failures = 1;
    const read = <T>(statement: Statement): Promise<T[]> =>
      statement.sql.includes('json_each(run.repairs)') && failures-- > 0
        ? Promise.reject(new DatabaseAway('the catalogue server does not answer'))
        : catalogue.read<T>(statement);
    const { render } = makeMetrics({ ...built.services, catalogue: { ...catalogue, read } });
    for (const expected of [undefined, '15', '15']) {
      const written = await Promise.all(expected ? [render(), render()] : [render()]);
      for (const text of written)
        expect(/^ingest_requests_total\{source="find_a_tender"\} (.*)$/m.exec(text)?.[1]).toBe(expected);
    }
  });

  it('follow a run while it is under way, and count it once when it is over', async () => {
    const readLines = async () =>
      (await lines()).filter((line) => /_(requests|runs)_total\{.*contracts_finder/.test(line)).sort();
    await write(`INSERT INTO run (id, job, source, started_at, state, requests) VALUES
      ('c', 'ingest', 'contracts_finder', '2026-11-21', 'running', 3), ('d', 'rewalk', 'contracts_finder', '2026-11-21', 'empty', 1)`);
    expect(await readLines()).toEqual([
      'ingest_requests_total{source="contracts_finder"} 4',
      'ingest_runs_total{job="ingest",source="contracts_finder",state="running"} 1',
      'ingest_runs_total{job="rewalk",source="contracts_finder",state="empty"} 1',
    ]);
    await write("UPDATE run SET state = 'succeeded', requests = 9 WHERE id = 'c'");
    for (let scrape = 0; scrape < 3; scrape++) {
      expect(await readLines()).toEqual([
        'ingest_requests_total{source="contracts_finder"} 10',
        'ingest_runs_total{job="ingest",source="contracts_finder",state="succeeded"} 1',
        'ingest_runs_total{job="rewalk",source="contracts_finder",state="empty"} 1',
      ]);
    }
  });

  it('count the runs after those that a catalogue from before has', async () => {
    await write("DELETE FROM run WHERE id <> 'a'");
    await write(`INSERT INTO run (id, job, source, started_at, state, requests)
      VALUES ('e', 'ingest', 'find_a_tender', '2026-11-21', 'succeeded', 7)`);
    for (let scrape = 0; scrape < 2; scrape++)
      expect(await lines()).toContain('ingest_requests_total{source="find_a_tender"} 17');
  });

  it('tell how long an export has waited that is written again: since it was put back', async () => {
    const row = (id: string, status: string, requeuedAt: string | null) => ({
      sql: `INSERT INTO export (id, account_id, dataset, format, filters, status, rows, matched, credits_charged, charge_id, created_at, requeued_at)
        VALUES (?, 'a', 'notices', 'csv', '{}', ?, 1, 1, 100, '', '2020-01-01T00:00:00Z', ?)`,
      args: [id, status, requeuedAt],
    });
    await built.services.accounts.write([
      row('ex_again', 'processing', new Date().toISOString()),
      row('ex_done', 'completed', null),
    ]);
    const written = await lines();
    await built.services.accounts.write([{ sql: 'DELETE FROM export' }]);
    expect(written).toContain('exports_waiting 1');
    const [seconds = ''] = written.filter((line) => line.startsWith('exports_oldest_waiting_seconds '));
    expect(Number(seconds.split(' ')[1])).toBeLessThan(86_400);
  });

  it('tell of the queue of exports, the ledger, the search index, probes and gaps', async () => {
    await createAccount(built.services.accounts, { name: 'a', signupCredits: 250, at: '2026-11-21T12:00:00Z' });
    await write(`INSERT INTO probe (source, notice_id, reason, state, noticed_at)
      VALUES ('find_a_tender', '000001-2026', 'sequence_gap', 'wanted', '2026-11-21')`);
    const summary = {
      gaps: { count: 1, seconds: 90, spans: [] },
      unproved: 2,
      overdue: 5,
      sequence: [{ missing: 3 }, { missing: 4 }],
    };
    await write(`INSERT INTO coverage_summary (source, reckoned_at, summary)
      VALUES ('find_a_tender', '2026-11-21', '${JSON.stringify(summary)}')`);
    const written = await lines();
    for (const line of [
      'exports_waiting 0',
      'exports_oldest_waiting_seconds 0',
      'ledger_imbalance_credits 0',
      'ledger_negative_accounts 0',
      'ledger_unsealed_lines 1',
      'search_lag_rows{engine="embedded",collection="notices"} 0',
      'search_lag_rows{engine="embedded",collection="contracts"} 0',
      'coverage_probes{source="find_a_tender",state="wanted"} 1',
      'coverage_gap_seconds{source="find_a_tender"} 90',
      'coverage_unproved_windows{source="find_a_tender"} 2',
      'coverage_missing_numbers{source="find_a_tender"} 7',
      'coverage_overdue_ids{source="find_a_tender"} 5',
    ])
      expect(written).toContain(line);
    expect(written).toContain('ledger_last_seal_timestamp_seconds 0');
    expect(await sealLines(built.services)).toEqual({ acquired: true, result: 1 });
    const sealed = await lines();
    expect(sealed).toContain(`ledger_last_seal_timestamp_seconds ${NOW.getTime() / 1_000}`);
    expect(sealed).toContain('ledger_unsealed_lines 0');
    expect(sealed.filter((line) => /^ledger_sealed_line\{digest="[0-9a-f]{64}"\} 1$/.test(line))).toHaveLength(1);
    expect(written.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds '))).toBe(true);
  });

  it('tell of a balance that no line of the ledger explains, and of credits that are owed', async () => {
    const { accounts } = built.services;
    const faults = async () =>
      (await lines()).filter((line) => /^(ledger_imbalance|payments_owed)_credits /.test(line));
    const { id } = await createAccount(accounts, { name: 'b', signupCredits: 0, at: '2026-11-21T12:00:00Z' });
    await accounts.write([
      topUpStatement({ key: 'pay_1', accountId: id, credits: 100, at: '2026-11-21T12:00:00Z' }),
      {
        sql: `INSERT INTO payment (id, account_id, credits, amount, vat, vat_percent, currency, live, state, created_at)
          VALUES ('pay_1', ?, 100, 120, 20, 20, 'gbp', 1, 'paid', '2026-11-21T12:00:00Z')`,
        args: [id],
      },
    ]);
    const change = (balance: number, calledBack: number) =>
      accounts.write([
        { sql: 'UPDATE account SET balance = ? WHERE id = ?', args: [balance, id] },
        { sql: 'UPDATE payment SET called_back = ?', args: [calledBack] },
      ]);
    await change(107, 30);
    expect(await faults()).toEqual(['ledger_imbalance_credits 7', 'payments_owed_credits 30']);
    await change(100, 0);
    expect(await faults()).toEqual(['ledger_imbalance_credits 0', 'payments_owed_credits 0']);
  });

  it('tell when backups and the proof of the ledger last went well, and how much room the disk has', async () => {
    const run = (...args: string[]) => runHere({ DATA_DIR: built.folder }, ...args);
    const read = async (name: string) => {
      const line = (await lines()).find((one) => one.startsWith(`${name} `));
      return Number(line?.slice(name.length));
    };
    const proofs = ['accounts_backup', 'catalogue_backup', 'ledger_verify'];
    const readProofs = () =>
      Promise.all(proofs.map((proof) => read(`proof_last_success_timestamp_seconds{proof="${proof}"}`)));
    expect(await readProofs()).toEqual([0, 0, 0]);
    const beganSeconds = Math.floor(Date.now() / 1_000);
    expect((await run('ledger', 'verify')).code).toBe(0);
    expect((await run('backup', join(built.folder, 'kept.db'))).code).toBe(0);
    expect((await run('backup', join(built.folder, 'kept.db'))).code).not.toBe(0);
    const [accounts = 0, catalogue, verify = 0] = await readProofs();
    expect(catalogue).toBe(0);
    expect(Math.min(accounts, verify)).toBeGreaterThanOrEqual(beganSeconds);
    expect(Math.max(accounts, verify)).toBeLessThanOrEqual(Date.now() / 1_000);
    const [free, size] = [await read('data_disk_free_bytes'), await read('data_disk_size_bytes')];
    expect(free).toBeGreaterThan(0);
    expect(size).toBeGreaterThan(free);
  });

  it('have names and units by convention, and few labels', async () => {
    const types = [...(await metrics.render()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [
      name,
      type,
    ]);
    const own = types.filter(([name]) => !/^(nodejs|process)_/.test(name ?? ''));
    expect(own.length).toBeGreaterThan(20);
    // As `promtool check metrics` has it, for those of the library too.
    expect(types.filter(([name = '', type]) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
    for (const [name = '', type] of own) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(name).not.toMatch(/_(ms|millis|minutes|hours)(_|$)/);
    }
  });
});

it.each([
  ['is away', () => Promise.reject(new DatabaseAway('the accounts server does not answer'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('those that need a database which %s are left out, and the others are there', async (_case, read) => {
  const services = { ...built.services, accounts: { ...built.services.accounts, read } };
  const written = await makeMetrics(services, READ_MS).render();
  for (const name of ['process_start_time_seconds', 'catalogue_releases', 'coverage_probes', 'data_disk_free_bytes'])
    expect(written).toContain(`# TYPE ${name} `);
  expect(written).not.toMatch(/^# TYPE (ledger|payments|exports|watch)/m);
});
