import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { findOutdated, STAMP } from '../../../../ingest/rebuild/rule-editions.ts';
import { listedStatements, listRecord } from '../../../../ingest/register/store.ts';
import { quarantineStatements } from '../../../../ingest/runs/record.ts';
import { contractsFinder } from '../../../../ingest/sources/contracts-finder.ts';
import { takeDown } from '../../../../jobs/takedown/run.ts';
import { probeSource } from '../../../../jobs/tasks/completeness.ts';
import { retryQuarantine } from '../../../../jobs/tasks/retry-quarantine.ts';
import { ingestSource } from '../../../../jobs/tasks/run.ts';
import { runHere } from '../../../support/run-command.ts';
import { makeSmallSample } from '../../../support/sample-services.ts';
import { SAMPLE_AS_OF } from '../../../upstream/sample/make.ts';
import { startUpstream } from '../../../upstream/server.ts';
import { upstreamSettings } from '../../../upstream/settings.ts';
import { copyJobs, type FilledJobs, findTemplate, openJobs, rebuild } from './filled-services.ts';

let template: string;
let filled: FilledJobs;
beforeAll(async () => {
  template = await findTemplate();
});
beforeEach(async () => {
  filled = await copyJobs(template);
});
afterEach(() => filled.close());

const KEYS = 'SELECT company_number, name_key, block FROM registered_company ORDER BY company_number';
const FORMER = 'SELECT company_number, name_key, name FROM previous_name ORDER BY company_number, name_key';
const REST = { incorporated: '1990-01-01', accounts: {}, sic_codes: [] };
const LISTED = [
  listRecord({
    company_number: '01111111',
    company_name: 'P. P. M. DALE LIMITED',
    postal_code: 'LS1 4AB',
    previous_names: [{ name: 'G.EVANS LIMITED' }, { name: 'DALE P L C' }],
    ...REST,
  }),
  listRecord({ company_number: '02222222', company_name: 'HERON PAVING LTD', previous_names: [], ...REST }),
];

it('a rebuild cleans the names of the register again where another program cleaned them', async () => {
  const { jobs } = filled;
  await jobs.catalogue.write((await listedStatements(jobs.catalogue, LISTED, '2026-11-01')).statements);
  const read = async () => [await jobs.catalogue.read({ sql: KEYS }), await jobs.catalogue.read({ sql: FORMER })];
  const cleaned = await read();
  expect(cleaned[0]).toMatchObject([{ name_key: 'ppm dale' }, { name_key: 'heron paving' }]);
  expect(cleaned[1]).toMatchObject([{ name_key: 'dale' }, { name_key: 'g evans' }]);
  await jobs.catalogue.write([
    { sql: "UPDATE registered_company SET name_key = 'old ' || name_key, block = 'old'" },
    { sql: "UPDATE previous_name SET name_key = 'old ' || name_key" },
    { sql: "DELETE FROM meta WHERE name = 'cleaning'" },
  ]);
  expect(await findOutdated(jobs.catalogue)).toEqual(['cleaning']);
  await rebuild(jobs);
  expect(await read()).toEqual(cleaned);
  expect(await findOutdated(jobs.catalogue)).toEqual([]);
});

it('a rebuild counts again what another program counted otherwise', async () => {
  const { jobs } = filled;
  const counts = 'SELECT id, contract_count, framework_places, totals FROM company WHERE gone = 0 ORDER BY id';
  const counted = await jobs.catalogue.read<{ framework_places: number }>({ sql: counts });
  const pairs = { sql: 'SELECT * FROM buyer_supplier ORDER BY buyer_id, company_id' };
  const dealt = await jobs.catalogue.read(pairs);
  expect(dealt.length).toBeGreaterThan(0);
  expect(counted.some(({ framework_places }) => framework_places > 0)).toBe(true);
  await jobs.catalogue.write([
    { sql: 'UPDATE company SET contract_count = contract_count + framework_places, framework_places = 0' },
    { sql: 'DELETE FROM buyer_supplier' },
    { sql: "DELETE FROM meta WHERE name = 'counting'" },
  ]);
  expect(await findOutdated(jobs.catalogue)).toEqual(['counting']);
  await rebuild(jobs);
  expect(await jobs.catalogue.read({ sql: counts })).toEqual(counted);
  expect(await jobs.catalogue.read(pairs)).toEqual(dealt);
  expect(await findOutdated(jobs.catalogue)).toEqual([]);
});

it('a rebuild reads the facts of contracts that another program did not read', async () => {
  const { jobs } = filled;
  const facts = {
    sql: 'SELECT id, ends_latest, ends_basis, procedure, bids_received, bids_from_smes, sme FROM contract ORDER BY id',
  };
  const before = await jobs.catalogue.read<{ ends_basis: string | null }>(facts);
  expect(before.some(({ ends_basis }) => ends_basis !== null)).toBe(true);
  await jobs.catalogue.write([
    { sql: "UPDATE contract SET ends_latest = NULL, ends_basis = NULL, procedure = NULL, sme = NULL, digest = 'old'" },
    { sql: "DELETE FROM meta WHERE name = 'reading'" },
  ]);
  expect(await findOutdated(jobs.catalogue)).toEqual(['reading']);
  await rebuild(jobs);
  expect(await jobs.catalogue.read(facts)).toEqual(before);
  expect(await findOutdated(jobs.catalogue)).toEqual([]);
});

it('a rebuild dates again what another program could not date, and so dated by its fetch or its answer', async () => {
  const { jobs } = filled;
  const read = () =>
    Promise.all(
      [
        'SELECT release_id, date FROM release ORDER BY ocid, release_id, digest',
        'SELECT id, published FROM notice WHERE gone = 0 ORDER BY id',
        'SELECT source, day, releases FROM coverage_day ORDER BY source, day',
      ].map((sql) => jobs.catalogue.read({ sql })),
    );
  const before = await read();
  await jobs.catalogue.write([
    { sql: 'UPDATE release SET date = fetched_at WHERE id % 3 = 0' },
    { sql: "UPDATE release SET date = '2024-02-03T00:00:00Z' WHERE id % 3 = 1" },
  ]);
  await rebuild(jobs);
  expect(await read()).toEqual(before);
});

it('a rebuild is due where this program wrote to the catalogue of another', async () => {
  const upstream = await startUpstream({ data: makeSmallSample() });
  const settings = {
    ...upstreamSettings(upstream.url),
    AS_OF: SAMPLE_AS_OF.toISOString(),
    PROCUREMENT_GAP_SECONDS: '0',
  };
  const jobs = await openJobs(filled.folder, settings);
  const stamped = { sql: "SELECT name FROM meta WHERE name IN ('cleaning', 'counting', 'reading') ORDER BY name" };
  const another = { sql: "UPDATE meta SET value = 'newer' WHERE name = 'reading'" };
  await jobs.catalogue.write([another]);
  const done = await ingestSource(jobs, 'contracts_finder', { since: new Date('2026-11-01T00:00:00Z') });
  expect(done).toMatchObject({ acquired: true, result: { state: 'succeeded' } });
  expect(await jobs.catalogue.read(stamped)).toEqual([{ name: 'cleaning' }, { name: 'counting' }]);
  await rebuild(jobs);
  expect(await jobs.catalogue.read(stamped)).toHaveLength(3);
  const page = { kind: 'page' as const, reason: 'r', url: upstream.url, bytes: Buffer.from('{}') };
  const held = quarantineStatements(jobs.catalogue, contractsFinder.id, [page], '2026-11-21T12:00:00Z');
  for (const work of [
    () => probeSource(jobs, contractsFinder, { limit: 1 }),
    () => retryQuarantine(jobs, { onRetried: () => undefined, signal: new AbortController().signal }),
    () => takeDown(jobs, { kind: 'notice', noticeId: '012345-2026' }, { reason: 'asked for' }),
  ]) {
    await jobs.catalogue.write([another, ...held]);
    await work();
    expect(await jobs.catalogue.read(stamped)).toHaveLength(2);
    await jobs.catalogue.write([STAMP]);
  }
  await jobs.close();
  await upstream.close();
});

it('a check says that a rebuild is due where another program filled the catalogue, not only that it differs', async () => {
  await filled.jobs.catalogue.write([
    { sql: "UPDATE framework SET digest = 'old'" },
    { sql: "DELETE FROM meta WHERE name = 'reading'" },
  ]);
  const settings = { DATA_DIR: filled.folder, LOG_LEVEL: 'silent' };
  const { code, stdout } = await runHere(settings, 'rebuild', '--check');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /other than the live catalogue's in framework\nthe live catalogue was filled with earlier rules \(reading\)/,
  );
  expect(stdout).toMatch(/checked only: the live catalogue stays; a rebuild without --check is due\n$/);
});
