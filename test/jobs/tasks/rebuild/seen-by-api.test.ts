import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { syncIndex } from '../../../../jobs/tasks/run.ts';
import { readBalance } from '../../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../../schema/accounts/ledger/verify.ts';
import { runCli } from '../../../support/run-command.ts';
import { buildSampleServer } from '../../../support/sample-services.ts';
import type { BuiltServer } from '../../../support/services.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { makeLate, type OpenJobs, openJobs, rebuild, storeReleases } from './filled-services.ts';

let server: BuiltServer;
let jobs: OpenJobs;
beforeAll(async () => {
  server = await buildSampleServer({ credits: 100_000 });
  jobs = await openJobs(server.folder);
  // The sample's register came after its notices: compiled again, suppliers show what it says of them.
  await rebuild(jobs);
  await syncIndex(jobs);
});
afterAll(async () => {
  await jobs.close();
  await server.close();
});

interface Call {
  path: string;
  status: number;
  /** Digest of the answer without what names this call: its charge, and cursors, which say when they were made. */
  said: string;
}

async function call(path: string): Promise<Call> {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } });
  const own = new Set(['credits_charged', 'credits_remaining', 'charge_id', 'next_cursor']);
  const answer = JSON.stringify(await response.json(), (name, value) => (own.has(name) ? undefined : value));
  return { path, status: response.status, said: hash('sha256', answer).slice(0, 12) };
}

/** Calls that read the catalogue and the index, each a page of something held. */
async function choosePaths(): Promise<string[]> {
  const [row] = await server.catalogue.read<{ company: string; buyer: string; notice: string; contract: string }>({
    sql: `SELECT (SELECT id FROM company WHERE gone = 0 ORDER BY contract_count DESC LIMIT 1) AS company,
      (SELECT id FROM buyer WHERE gone = 0 ORDER BY contract_count DESC LIMIT 1) AS buyer,
      (SELECT notice_id FROM notice WHERE gone = 0 AND is_tender = 1 LIMIT 1) AS notice,
      (SELECT ocid FROM contract WHERE gone = 0 LIMIT 1) AS contract`,
  });
  return [
    `/v1/companies/${row?.company}/profile`,
    `/v1/buyers/${row?.buyer}/profile`,
    `/v1/notices/${row?.notice}`,
    `/v1/contracts/${row?.contract}`,
    '/v1/notices/search?query=services&limit=5',
  ];
}

it('the API answers every call while the catalogue is rebuilt and moved', async () => {
  const paths = await choosePaths();
  const before = await Promise.all(paths.map(call));
  expect(before.map(({ status }) => status)).toEqual(paths.map(() => 200));
  // The index is a file of its own, which a rebuild does not touch.
  const driven = paths.filter((path) => !path.includes('search'));
  const driving = { on: true };
  const answers: Call[] = [];
  const drive = async () => {
    for (let turn = 0; driving.on; turn++) {
      answers.push(await call(driven[turn % driven.length] ?? ''));
      await pause(10);
    }
  };
  const drivers = [drive(), drive()];
  // In a process of its own, as an operator does it.
  const { code, stdout } = await runCli(
    { DATA_DIR: server.folder, CONTACT: 'test@example.org' },
    'rebuild',
    '--no-sync',
  );
  expect({ code, same: stdout.includes("the same as the live catalogue's") }).toEqual({ code: 0, same: true });
  await vi.waitFor(() => expect(server.services.catalogue.url).toContain('catalogue-3.db'), {
    timeout: LIMITS_MS.wait,
  });
  driving.on = false;
  await Promise.all(drivers);
  const expected = new Map(before.map(({ path, said }) => [path, said]));
  expect(answers.filter(({ path, status, said }) => status !== 200 || said !== expected.get(path))).toEqual([]);
  expect(answers.length).toBeGreaterThan(20);
  expect(await Promise.all(paths.map(call))).toEqual(before);
  const { faults } = await verifyLedger(server.accounts);
  expect(faults).toEqual([]);
  expect(await readBalance(server.accounts, server.accountId)).toBeLessThan(100_000);
});

it('what comes after the move is served and found', async () => {
  await storeReleases(jobs, 'find_a_tender', makeLate(900_001, 1));
  expect((await call('/v1/notices/900001-2026')).status).toBe(200);
  expect(await syncIndex(jobs)).toMatchObject({ result: { rebuilt: null, stored: 1, removed: 0 } });
  const engine = server.services.search;
  const found = await engine.find({
    scope: 'notices',
    text: '"Paving of square 900001"',
    filters: {},
    limit: 5,
    now: new Date(),
  });
  expect(found.hits.map(({ notice_id }) => notice_id)).toEqual(['900001-2026']);
});
