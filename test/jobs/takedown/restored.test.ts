import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { liftStatements, readPending } from '../../../ingest/takedown/record.ts';
import { readTakedowns } from '../../../ingest/takedown/treatment.ts';
import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import { acquireLease } from '../../../jobs/process/lease.ts';
import type { JobsServices } from '../../../jobs/process/services.ts';
import { followTimetable } from '../../../jobs/scheduler/follow.ts';
import { makeTimetable } from '../../../jobs/scheduler/timetable.ts';
import { finishTakedowns, takeDown } from '../../../jobs/takedown/run.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { AWARD, publish } from '../../ingest/takedown/market.ts';
import { tablesWith } from '../../ingest/takedown/stored-words.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runCli, runHere } from '../../support/run-command.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { addDelivery, addWatch, openAccount } from '../watches/seed.ts';

/** The title of what is taken down. */
const GONE = /\bhives/i;
const PAGE = Buffer.from(JSON.stringify({ version: '1.1', releases: publish().map(({ release }) => release) }));
const ingest = (catalogue: Database) =>
  storePage(catalogue, {
    ...readOcdsPage(PAGE, { source: 'find_a_tender', url: 'x' }),
    source: 'find_a_tender',
    fetchedAt: '2026-11-20T12:00:00Z',
    before: [],
    after: [],
  });

let built: Awaited<ReturnType<typeof makeJobServices>>;
let other: Awaited<ReturnType<typeof makeFolder>>;
let services: JobsServices;
beforeEach(async () => {
  [built, other] = [await makeJobServices(), await makeFolder()];
  services = built.services;
  // As the first upkeep of an installation does.
  await finishTakedowns(services);
  await ingest(services.catalogue);
});
afterEach(async () => {
  await built.close();
  await other.remove();
});

const entries = makeTimetable([]).filter(({ job }) => job === 'takedown');
/** What jobs do every minute. */
const minute = (all: JobsServices) => entries[0]?.run(all, new AbortController().signal);
const takeAway = () => takeDown(services, { kind: 'notice', noticeId: AWARD }, { reason: 'r' });

it('a catalogue that was lost and is filled again loses what was taken down, and keeps it out', async () => {
  await takeAway();
  const catalogue = await makeDatabase(other.path, 'catalogue');
  await ingest(catalogue);
  expect(await tablesWith(catalogue, GONE)).toContain('contract');

  expect(await minute({ ...services, catalogue })).toEqual({ takedownsFinished: 1 });
  expect(await minute({ ...services, catalogue })).toBeNull();
  expect(await readTakedowns(catalogue)).toEqual(await readTakedowns(services.catalogue));
  expect((await readPending(catalogue)).size).toBe(0);
  await ingest(catalogue);
  expect(await tablesWith(catalogue, GONE)).toEqual([]);
  await catalogue.close();
});

it('what another process carries out again is waited for, and not looked for meanwhile', async () => {
  await takeAway();
  const catalogue = await makeDatabase(other.path, 'catalogue');
  await acquireLease(catalogue, 'takedown', { holder: 'another' });
  const read = vi.spyOn(catalogue, 'read');
  const count = (table: string) => read.mock.calls.filter(([{ sql }]) => sql.includes(`FROM ${table}`)).length;
  const jobs = { ...services, catalogue };
  const { stop } = await followTimetable(jobs, entries, makeMetrics(jobs), { leasedMs: 20 });
  await vi.waitFor(() => expect(count('lease')).toBeGreaterThan(5), { timeout: LIMITS_MS.wait });
  expect(count('takedown')).toBe(1);
  await stop();
  await catalogue.close();
});

it('accounts that were restored to before a takedown lose what it was about', async () => {
  await takeAway();
  const accounts = await makeDatabase(other.path, 'accounts');
  const restored = { ...services, accounts };
  await finishTakedowns({ ...restored, catalogue: await makeDatabase(other.path, 'catalogue') });
  const { id } = await addWatch(accounts, { account_id: await openAccount(accounts) });
  await addDelivery(accounts, id, [AWARD]);
  const body = JSON.stringify({
    data: { items: [{ kind: 'notice', id: AWARD, change: 'new', item: { title: 'Hives' } }] },
  });
  await accounts.write([{ sql: 'UPDATE watch_delivery SET body = ?', args: [body] }]);

  expect(await finishTakedowns(restored)).toMatchObject({ result: [{ deliveries: 1 }] });
  expect(await tablesWith(accounts, GONE)).toEqual([]);
  expect(await finishTakedowns(restored)).toMatchObject({ result: [] });
  await accounts.close();
});

it('what was taken down since the backups of both, as before an upgrade that is undone, is removed again', async () => {
  const cli = (...args: string[]) => runCli({ DATA_DIR: join(other.path, 'data') }, ...args);
  const open = (name: string) => openDatabase({ url: `file:${join(other.path, 'data', name)}`, durability: 'normal' });
  const [accountsCopy, catalogueCopy] = [join(other.path, 'accounts'), join(other.path, 'catalogue')];
  expect(await cli('migrate', '--create')).toMatchObject({ code: 0 });
  const filled = await open('catalogue.db');
  await ingest(filled);
  await filled.close();
  for (const args of [
    ['backup', accountsCopy],
    ['backup', '--catalogue', catalogueCopy],
    ['takedown', 'notice', AWARD, '--reason', 'r'],
    ['restore', accountsCopy],
    // Again: what the first one brought over is not lost with the accounts that it made.
    ['restore', accountsCopy],
  ])
    expect(await cli(...args)).toMatchObject({ code: 0 });
  for (const file of await readdir(join(other.path, 'data')))
    if (file.startsWith('catalogue')) await rm(join(other.path, 'data', file));
  await cp(catalogueCopy, join(other.path, 'data/catalogue.db'));

  const [accounts, catalogue] = [await open('accounts.db'), await open('catalogue.db')];
  expect(await tablesWith(catalogue, GONE)).toContain('contract');
  expect(await minute({ ...services, accounts, catalogue })).toEqual({ takedownsFinished: 1 });
  expect(await tablesWith(catalogue, GONE)).toEqual([]);
  expect(await minute({ ...services, accounts, catalogue })).toBeNull();
  expect(await accounts.read({ sql: 'SELECT name FROM installation' })).toEqual([{ name: 'takedowns' }]);
  await accounts.close();
  await catalogue.close();
});

it('what a backup of restored accounts was still to carry out is not lost when it is restored over others', async () => {
  const listOf = (...ids: string[]) => JSON.stringify(ids.map((id) => ({ id })));
  const data = join(other.path, 'data');
  const place = async (to: string, name: string, value: string) => {
    const folder = await makeFolder(other.path);
    const accounts = await makeDatabase(folder.path, 'accounts');
    const sql = 'INSERT INTO installation (name, value, set_at) VALUES (?, ?, ?)';
    await accounts.write([{ sql, args: [name, value, '2026-11-20T12:00:00Z'] }]);
    await accounts.close();
    await cp(join(folder.path, 'accounts.db'), join(data, to));
  };
  await place('copy', 'takedowns_before', listOf('tk_1'));
  await place('accounts.db', 'takedowns', listOf('tk_2'));
  expect(await runHere({ DATA_DIR: data }, 'restore', join(data, 'copy'))).toMatchObject({ code: 0 });
  const restored = await openDatabase({ url: `file:${join(data, 'accounts.db')}`, durability: 'full' });
  const sql = "SELECT value FROM installation WHERE name = 'takedowns_before'";
  expect(await restored.read({ sql })).toEqual([{ value: listOf('tk_1', 'tk_2') }]);
  await restored.close();
});

it('what is lifted while accounts from before get it back is not to be carried out again', async () => {
  await takeAway();
  const [taken] = await readTakedowns(services.catalogue);
  const accounts = await makeDatabase(other.path, 'accounts');
  await finishTakedowns({ ...services, accounts, catalogue: await makeDatabase(other.path, 'catalogue') });
  const read: Database['read'] = async (statement) => {
    await services.catalogue.write(liftStatements(taken?.id ?? '', new Date()));
    return accounts.read(statement);
  };
  expect(await finishTakedowns({ ...services, accounts: { ...accounts, read } })).toMatchObject({ result: [] });
  expect((await readPending(services.catalogue)).size).toBe(0);
  await accounts.close();
});

it('what was lifted stays lifted in a catalogue from before, and its subject is nowhere', async () => {
  await takeAway();
  const [taken] = await readTakedowns(services.catalogue);
  const read = 'SELECT * FROM takedown';
  const [before] = await services.catalogue.read<Record<string, string | null>>({ sql: read });
  await services.catalogue.write(liftStatements(taken?.id ?? '', new Date()));
  await finishTakedowns(services);
  expect(await tablesWith(services.accounts, new RegExp(AWARD))).toEqual([]);

  const put = `INSERT INTO takedown (${Object.keys(before ?? {})}) SELECT ${Object.keys(before ?? {}).map(() => '?')}`;
  const catalogue = await makeDatabase(other.path, 'catalogue');
  await catalogue.write([{ sql: put, args: Object.values(before ?? {}) }]);
  await finishTakedowns({ ...services, catalogue });
  expect(await catalogue.read({ sql: read })).toEqual(await services.catalogue.read({ sql: read }));
  await catalogue.close();
});
