import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../ingest/store/page.ts';
import { takeIndexLock } from '../../jobs/process/index-lock.ts';
import { openJobsServices } from '../../jobs/startup/open-services.ts';
import { syncIndex } from '../../jobs/tasks/run.ts';
import { readSettings } from '../../schema/config/settings.ts';
import { packageOf, read } from '../ingest/compile/releases.ts';
import { tender } from '../jobs/watches/matcher.ts';
import { SERVICE_SECRET } from '../jobs/watches/seed.ts';
import { makeFolder } from '../support/databases.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { findServers, hasServers } from './servers.ts';

type Services = Awaited<ReturnType<typeof openJobsServices>>;

describe.skipIf(!hasServers('the indexes of two machines'))('two machines with jobs on one catalogue server', () => {
  let machines: [Services, Services];
  let servers: Awaited<ReturnType<typeof findServers>>;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  beforeAll(async () => {
    folder = await makeFolder();
    servers = await findServers(folder.path);
    const open = async (name: string) => {
      const settings = { ...servers.urls, DATA_DIR: join(folder.path, name), AUTH_SECRET: SERVICE_SECRET };
      await mkdir(settings.DATA_DIR);
      return openJobsServices(readSettings(settings), pino({ level: 'silent' }));
    };
    machines = [await open('one'), await open('other')];
  }, LIMITS_MS.long);
  afterAll(async () => {
    for (const each of machines ?? []) await each.close();
    await Promise.all([servers?.servers?.catalogue, servers?.servers?.accounts].map((server) => server?.kill()));
    await folder?.remove();
  });

  it('fill their own indexes at the same time, each in one process', async () => {
    const [one, other] = machines;
    const source = 'find_a_tender';
    const page = read(packageOf([1, 2, 3].map((number) => tender(number, `Bridge ${number}`))), source);
    await storePage(one.catalogue, { source, fetchedAt: '2026-06-01T00:00:00Z', before: [], after: [], ...page });
    const done = await Promise.all(machines.map((machine) => syncIndex(machine)));
    expect(done).toMatchObject([{ result: { stored: 3, lagRows: 0 } }, { result: { stored: 3, lagRows: 0 } }]);
    const lock = takeIndexLock(one.settings);
    expect(await Promise.all([syncIndex(one), syncIndex(other)])).toMatchObject([
      { acquired: false },
      { acquired: true },
    ]);
    lock?.release();
    expect(await syncIndex(one)).toMatchObject({ acquired: true });
  });
});
