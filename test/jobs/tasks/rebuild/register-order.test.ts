import { afterEach, describe, expect, it } from 'vitest';
import { readDigests } from '../../../../ingest/rebuild/digests.ts';
import { ingestSource } from '../../../../jobs/tasks/run.ts';
import { makeFolder } from '../../../support/databases.ts';
import type { RegisterRow, UpstreamData } from '../../../upstream/data.ts';
import { haveRecordings, readKnownRecordings } from '../../../upstream/recordings/known.ts';
import { makeSample } from '../../../upstream/sample/make.ts';
import { startUpstream } from '../../../upstream/server.ts';
import { type OpenJobs, openJobs, rebuild, releasesOf, storeReleases } from './filled-services.ts';

const present = haveRecordings('the order of recordings');

const REGISTER = ['register'] as const;
const NOTICES = ['notices'] as const;

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** Services into which they came one after the other: the register as it is served, the releases page by page. */
async function ingest(data: UpstreamData, order: readonly ('register' | 'notices')[]): Promise<OpenJobs> {
  const folder = await makeFolder();
  const upstream = await startUpstream({ data });
  const jobs = await openJobs(folder.path, {
    AS_OF: data.asOf.toISOString(),
    COMPANIES_HOUSE_URL: upstream.url,
    COMPANIES_HOUSE_BULK_URL: upstream.url,
    COMPANIES_HOUSE_API_KEY: 'loopback',
    COMPANIES_HOUSE_GAP_SECONDS: '0',
  });
  opened.push(async () => {
    await jobs.close();
    await upstream.close();
    await folder.remove();
  });
  for (const what of order) {
    if (what === 'register') await readRegister(jobs);
    else {
      await storeReleases(jobs, 'find_a_tender', releasesOf(data.findATender));
      await storeReleases(jobs, 'contracts_finder', releasesOf(data.contractsFinder));
    }
  }
  return jobs;
}

async function readRegister(jobs: OpenJobs): Promise<void> {
  const done = await ingestSource(jobs, 'companies_house');
  if (!done.acquired || done.result.state === 'failed') throw new Error(JSON.stringify(done));
}

/** A company that took another name and moved away. */
function changeRow(row: RegisterRow): RegisterRow {
  return { ...row, CompanyName: `RENAMED ${row.CompanyName}`, 'RegAddress.PostCode': 'ZE1 0AA' };
}

const readEvidence = ({ catalogue }: OpenJobs) =>
  catalogue.read({ sql: "SELECT evidence FROM party WHERE role = 'supplier' ORDER BY process_id, party_id" });

/** What every compiled table says; when a release was fetched, and as which, is no part of it. */
async function digestOf({ catalogue }: OpenJobs): Promise<Record<string, string>> {
  const tables = await readDigests(catalogue);
  return Object.fromEntries(tables.flatMap(({ table, digest }) => (table === 'release' ? [] : [[table, digest]])));
}

/** How suppliers were tied to companies that are on the register. */
const matchedBy = async ({ catalogue }: OpenJobs) => {
  const sql =
    "SELECT DISTINCT method FROM party WHERE role = 'supplier' AND evidence LIKE '%Companies House register%'";
  return (await catalogue.read<{ method: string }>({ sql })).map(({ method }) => method).toSorted();
};

/** That the live catalogue is what a rebuild makes of its releases. */
async function expectRebuilt(jobs: OpenJobs): Promise<void> {
  const { same, tables } = await rebuild(jobs, { check: true });
  const differ = tables.filter(({ onlyLive, onlyNew }) => onlyLive + onlyNew > 0);
  expect({ same, differ }).toEqual({ same: true, differ: [] });
}

async function expectNoOrder(data: UpstreamData): Promise<void> {
  const early = await ingest(data, [...REGISTER, ...NOTICES, ...REGISTER]);
  const late = await ingest(data, [...NOTICES, ...REGISTER]);
  expect(await digestOf(late)).toEqual(await digestOf(early));
  await expectRebuilt(late);
  expect(await matchedBy(late)).toContain('company_number');
}

const SAMPLE = { notices: 60, buyers: 8, companies: 40 };

describe('the register before the notices, after them, and a rebuild give one catalogue', () => {
  it('of the generated sample', () => expectNoOrder(makeSample(SAMPLE)));

  it.skipIf(!present)('of the recordings', async () => expectNoOrder(await readKnownRecordings()));
});

it('a later edition reaches every supplier, those with a number included, and a rebuild says the same', async () => {
  const data = makeSample(SAMPLE);
  const jobs = await ingest(data, [...NOTICES, ...REGISTER]);
  const before = await digestOf(jobs);
  const known = await readEvidence(jobs);
  const rows = [...data.bulk].map((row, index) => (index % 3 === 0 ? changeRow(row) : row));
  data.bulk = rows.filter((_, index) => index % 7 !== 1);
  data.bulkEdition = '2026-12-01';
  await readRegister(jobs);
  const now = await digestOf(jobs);
  expect(now).not.toEqual(before);
  expect(await readEvidence(jobs)).not.toEqual(known);
  await expectRebuilt(jobs);
  await readRegister(jobs);
  expect(await digestOf(jobs)).toEqual(now);
});
