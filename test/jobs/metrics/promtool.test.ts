import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMetrics as makeApiMetrics } from '../../../api/process/context.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import { addCopyMetrics } from '../../../schema/process/metrics.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { ROOT } from '../../support/source-files.ts';

const RULES = readFileSync(join(ROOT, 'jobs/metrics/alerts.yml'), 'utf8');

const promtool = (args: string[], input = '') => spawnSync('promtool', args, { input, encoding: 'utf8' });
const isHere = promtool(['--version']).status === 0;
if (!isHere) console.warn('promtool is not here: what Prometheus says of metrics and rules is skipped');

let built: Awaited<ReturnType<typeof makeJobServices>>;
let metrics: { api: string; jobs: string };
beforeAll(async () => {
  built = await makeJobServices();
  await registerSources(built.services.catalogue, sources);
  const { registry } = makeApiMetrics();
  // As on a machine that keeps a copy of the catalogue server.
  addCopyMetrics(registry, () => ({ answers: true, seconds: 1 }));
  metrics = { api: await registry.metrics(), jobs: await makeMetrics(built.services).render() };
});
afterAll(() => built.close());

it('every alert uses metrics that a process exposes', () => {
  const names = new Set([...`${metrics.api}\n${metrics.jobs}`.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const asked = [...RULES.matchAll(/expr: '([^']+)'/g)].flatMap(([, rule = '']) =>
    (rule.replaceAll(/\{[^}]*\}/g, '').match(/\b[a-z]+(_[a-z0-9]+)+\b/g) ?? []).filter(
      (word) => !/_over_time$/.test(word),
    ),
  );
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !names.has(name) && !names.has(name.replace(/_count$/, '')))).toEqual([]);
});

describe.skipIf(!isHere)('Prometheus itself', () => {
  it('takes the metrics of both processes without a remark', () => {
    for (const text of [metrics.api, metrics.jobs])
      expect(promtool(['check', 'metrics'], text)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('takes the rules, which fire for what they say and not for an installation that is well', async () => {
    const rules = join(built.folder, 'rules.yml');
    const tests = join(built.folder, 'tests.yml');
    const longTests = join(built.folder, 'long-tests.yml');
    await writeFile(rules, RULES);
    await writeFile(tests, CASES);
    await writeFile(longTests, LONG_CASES);
    expect(promtool(['check', 'rules', rules])).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = promtool(['test', 'rules', tests, longTests]);
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

/** A busy installation always has lines that came since the last seal; an idle one has an old seal. */
const CASES = `
rule_files: [rules.yml]
evaluation_interval: 1m
tests:
  - name: both processes up, calls billed all the time, sealed every minute
    interval: 1m
    input_series:
      - { series: 'up{job="procurement", instance="api"}', values: '1x60' }
      - { series: 'up{job="procurement", instance="jobs"}', values: '1x60' }
      - { series: 'ledger_unsealed_lines', values: '40x60' }
      - { series: 'ledger_last_seal_timestamp_seconds', values: '0+60x60' }
    alert_rule_test:
      - { eval_time: 50m, alertname: LedgerUnsealed, exp_alerts: [] }
      - { eval_time: 50m, alertname: ProcessDown, exp_alerts: [] }
  - name: nothing billed for an hour
    interval: 1m
    input_series:
      - { series: 'ledger_unsealed_lines', values: '0x60' }
      - { series: 'ledger_last_seal_timestamp_seconds', values: '0x60' }
    alert_rule_test:
      - { eval_time: 50m, alertname: LedgerUnsealed, exp_alerts: [] }
  - name: billed and never sealed, and one process down
    interval: 1m
    input_series:
      - { series: 'up{job="procurement", instance="api"}', values: '1x60' }
      - { series: 'up{job="procurement", instance="jobs"}', values: '0x60' }
      - { series: 'ledger_unsealed_lines', values: '1x60' }
      - { series: 'ledger_last_seal_timestamp_seconds', values: '0x60' }
    alert_rule_test:
      - { eval_time: 50m, alertname: LedgerUnsealed, exp_alerts: [{ exp_labels: {} }] }
      - { eval_time: 50m, alertname: ProcessDown, exp_alerts: [{ exp_labels: { job: procurement, instance: jobs } }] }
  - name: lines are sealed every minute; then the accounts are restored to an earlier state
    interval: 1m
    input_series:
      - { series: 'ledger_sealed_line{digest="a"}', values: '100x10 _x60' }
      - { series: 'ledger_sealed_line{digest="b"}', values: '_x10 140x20 _x40' }
      - { series: 'ledger_sealed_line{digest="c"}', values: '_x32 110x30' }
    alert_rule_test:
      - { eval_time: 25m, alertname: LedgerWentBack, exp_alerts: [] }
      - { eval_time: 40m, alertname: LedgerWentBack, exp_alerts: [{ exp_labels: {} }] }
  - name: a new installation reads its sources for the first time
    interval: 1m
    input_series:
      - { series: 'catalogue_lag_seconds{source="find_a_tender"}', values: '999999x12 60x60' }
      - { series: 'catalogue_as_of_age_seconds{source="find_a_tender"}', values: '999999x5 172800x20 60x60' }
      - { series: 'catalogue_lag_seconds{source="public_contracts_scotland"}', values: '999999x20 60x60' }
      - { series: 'catalogue_lag_seconds{source="companies_house"}', values: '999999x90 60x60' }
    alert_rule_test:
      - { eval_time: 4m, alertname: SourceLags, exp_alerts: [] }
      - { eval_time: 4m, alertname: NotHeldUpToNow, exp_alerts: [] }
      - { eval_time: 10m, alertname: NotHeldUpToNow, exp_alerts: [] }
      - { eval_time: 4m, alertname: ScotlandLags, exp_alerts: [] }
      - { eval_time: 60m, alertname: RegisterLags, exp_alerts: [] }
  - name: six calls an hour, each of them failing, while a page is read each minute; then many calls, few of them failing
    interval: 1m
    input_series:
      - { series: 'api_request_duration_seconds_count{door="rest", status="500"}', values: '0+0.1x60 6x120' }
      - { series: 'api_request_duration_seconds_count{door="rest", status="200"}', values: '1x120 1+2x60' }
      - { series: 'api_request_duration_seconds_count{door="web", status="200"}', values: '0+1x180' }
    alert_rule_test:
      - { eval_time: 20m, alertname: ApiFaults, exp_alerts: [] }
      - { eval_time: 60m, alertname: ApiFaults, exp_alerts: [{ exp_labels: { door: rest } }] }
      - { eval_time: 170m, alertname: ApiFaults, exp_alerts: [] }
  - name: faults all the time among many calls
    interval: 1m
    input_series:
      - { series: 'api_request_duration_seconds_count{door="rest", status="503"}', values: '0+12x60' }
      - { series: 'api_request_duration_seconds_count{door="rest", status="200"}', values: '0+6000x60' }
    alert_rule_test:
      - { eval_time: 10m, alertname: ApiFaults, exp_alerts: [{ exp_labels: {} }] }
  - name: sources that were never read
    interval: 1m
    input_series:
      - { series: 'catalogue_as_of_age_seconds{source="find_a_tender"}', values: '999999x480' }
      - { series: 'catalogue_lag_seconds{source="public_contracts_scotland"}', values: '999999x480' }
      - { series: 'catalogue_lag_seconds{source="companies_house"}', values: '999999x480' }
    alert_rule_test:
      - { eval_time: 8h, alertname: NotHeldUpToNow, exp_alerts: [{ exp_labels: { source: find_a_tender } }] }
      - { eval_time: 8h, alertname: ScotlandLags, exp_alerts: [{ exp_labels: { source: public_contracts_scotland } }] }
      - { eval_time: 8h, alertname: RegisterLags, exp_alerts: [{ exp_labels: { source: companies_house } }] }
`;

/** Over days, of alerts that need not last. */
const LONG_CASES = `
rule_files: [rules.yml]
evaluation_interval: 30m
tests:
  - name: two machines with jobs, one with the backups
    interval: 30m
    input_series:
      - { series: 'proof_last_success_timestamp_seconds{proof="accounts_backup", instance="one"}', values: '0x40 72000x80' }
      - { series: 'proof_last_success_timestamp_seconds{proof="accounts_backup", instance="two"}', values: '0x120' }
    alert_rule_test:
      - { eval_time: 30h, alertname: BackupOld, exp_alerts: [] }
      - { eval_time: 48h, alertname: BackupOld, exp_alerts: [{ exp_labels: { proof: accounts_backup } }] }
  - name: jobs that failed at each of their last times, in a process that is restarted every day, and one that failed once
    interval: 30m
    input_series:
      - { series: 'jobs_runs_total{exported_job="upkeep", outcome="failed"}', values: '0+0x40 0.5+0.5x120' }
      - { series: 'jobs_runs_total{exported_job="upkeep", outcome="succeeded"}', values: '0+0.5x40 20x120' }
      - { series: 'jobs_runs_total{exported_job="witness:contracts_finder", outcome="failed"}', values: '0x40 1x20 0x25 1x20 0x25 1x40' }
      - { series: 'jobs_runs_total{exported_job="witness:contracts_finder", outcome="succeeded"}', values: '0x170' }
      - { series: 'jobs_runs_total{exported_job="rewalk:contracts_finder", outcome="failed"}', values: '0x40 1x48 2x80' }
      - { series: 'jobs_runs_total{exported_job="rewalk:contracts_finder", outcome="succeeded"}', values: '0x60 1x110' }
      - { series: 'jobs_runs_total{exported_job="ingest:sell2wales", outcome="failed"}', values: '0+1x170' }
    alert_rule_test:
      - { eval_time: 40h, alertname: JobKeepsFailing, exp_alerts: [] }
      - eval_time: 75h
        alertname: JobKeepsFailing
        exp_alerts:
          - { exp_labels: { exported_job: upkeep, outcome: failed } }
          - { exp_labels: { exported_job: 'witness:contracts_finder', outcome: failed } }
`;
