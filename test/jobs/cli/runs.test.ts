import { afterAll, beforeAll, expect, it } from 'vitest';
import { acquireLease } from '../../../jobs/process/lease.ts';
import { makeFailureBook } from '../../../jobs/scheduler/failures.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runHere } from '../../support/run-command.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
const cli = (...args: string[]) => runHere({ DATA_DIR: built.folder }, ...args);

beforeAll(async () => {
  built = await makeJobServices();
  await built.services.catalogue.write([
    {
      sql: `INSERT INTO run (id, job, source, started_at, ended_at, state, requests, refused, waited_ms, releases, stored,
        quarantined, repairs, warning, error) VALUES
        ('a', 'ingest', 'find_a_tender', '2026-11-20T01:00:00Z', '2026-11-20T01:10:00Z', 'succeeded', 40, 2, 500400, 900, 850, 3,
          '{"unlimited_number":4,"leading_zeros":1}', '12 releases a day, expected 100 to 2000', NULL),
        ('b', 'ingest', 'contracts_finder', '2026-11-20T02:00:00Z', '2026-11-20T02:01:00Z', 'failed', 5, 0, 0, 0, 0, 0, '{}', NULL, ?),
        ('c', 'search', NULL, '2026-11-20T03:00:00Z', '2026-11-20T03:00:00Z', 'failed', 0, 0, 0, 0, 0, 0, '{}', NULL, ?),
        ('d', 'ingest', 'find_a_tender', '2026-11-20T04:00:00Z', NULL, 'running', 1, 0, 0, 0, 0, 0, '{}', NULL, NULL)`,
      args: [`refused: ${'a long reason '.repeat(20)}end \x1b[31m`, 'Error: index\n    at store (x.ts:1)'],
    },
  ]);
});
afterAll(() => built.close());

it('cli runs lists the last ones, newest first, with what each came to', async () => {
  const { stdout } = await cli('runs');
  expect(stdout).toMatch(
    /^2026-11-20T01:00:00Z +2026-11-20T01:10:00Z +ingest +find_a_tender +succeeded +40 +2 +500 s +900 +850 +3 +unlimited_number 4, leading_zeros 1\n {2}unusual: 12 releases a day, expected 100 to 2000$/m,
  );
  const started = [...stdout.matchAll(/^2026-11-20T(0\d)/gm)].map(([, hour]) => hour);
  expect(started).toEqual(['04', '03', '02', '01']);
});

it('tells why one failed, whole, on lines of its own and harmless to a terminal', async () => {
  const { stdout } = await cli('runs', '--failed');
  expect(stdout).toContain(`  why: refused: ${'a long reason '.repeat(20)}end \\x1b[31m\n`);
  expect(stdout).toContain('  why: Error: index\n        at store (x.ts:1)\n');
  expect(stdout).not.toMatch(/succeeded|running/);
});

it('lists first, and counts as of the last day, what failed last, however long ago it began', async () => {
  const { catalogue, clocks, log } = built.services;
  let now = new Date();
  const failures = makeFailureBook({ catalogue, clocks: { ...clocks, wallNow: () => now }, log });
  for (const at of [new Date('2026-11-19T01:00:00Z'), now]) {
    now = at;
    await failures.note({ job: 'exports' }, new Error('the store is away'));
  }
  const { stdout } = await cli('runs', '--failed', '--limit', '1');
  expect(stdout).toContain('why: Error: the store is away');
  expect((await cli('status')).stdout).toContain('failed in the last day: 1 run (see `runs --failed`)');
  await catalogue.write([{ sql: "DELETE FROM run WHERE job = 'exports'" }]);
});

it('filters by source, under either of its names, and by number', async () => {
  expect((await cli('runs', '--source', 'contracts-finder')).stdout.match(/^2026/gm)).toHaveLength(1);
  expect((await cli('runs', '--source', 'find_a_tender', '--limit', '1')).stdout).toMatch(/running/);
  expect((await cli('runs', '--source', 'companies-house')).stdout).toBe('nothing has run\n');
  expect((await cli('runs', '--source', 'companies-house', '--failed')).stdout).toBe('nothing has failed\n');
});

it('status agrees: what runs, what failed lately, and where to look', async () => {
  const now = new Date().toISOString();
  await built.services.catalogue.write([{ sql: "UPDATE run SET ended_at = ? WHERE id IN ('b', 'c')", args: [now] }]);
  const rebuild =
    "INSERT INTO run (id, job, started_at, state) VALUES ('r', 'rebuild', '2026-11-20T05:00:00Z', 'running')";
  await built.services.catalogue.write([{ sql: rebuild }]);
  // Their processes were killed, and no upkeep has come by.
  expect((await cli('status')).stdout).not.toContain('running:');
  for (const name of ['rebuild', 'ingest:find_a_tender'])
    await acquireLease(built.services.catalogue, name, { holder: 'the night shift' });
  const { stdout } = await cli('status');
  expect(stdout).toContain('running: rebuild since 2026-11-20T05:00:00Z (0 requests, 0 releases)');
  expect(stdout).toContain('running: ingest of find_a_tender since 2026-11-20T04:00:00Z (1 request, 0 releases)');
  expect(stdout).toContain('failed in the last day: 2 runs (see `runs --failed`)');
});
