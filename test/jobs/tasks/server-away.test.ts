import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { readDigests } from '../../../ingest/rebuild/digests.ts';
import { ingestSource } from '../../../jobs/tasks/run.ts';
import { makeData, makeNotices } from '../../ingest/small-world.ts';
import { makeFolder } from '../../support/databases.ts';
import { type Hrana, startHrana } from '../../support/libsql-server.ts';
import { startUpstream } from '../../upstream/server.ts';
import { type OpenJobs, openJobs } from './rebuild/filled-services.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const HOUR_MS = 3_600_000;
const data = makeData({ findATender: makeNotices(300, HOUR_MS) });

/** Services whose catalogue is a file, or a stand-in of a libSQL server over one. */
async function open(isServer: boolean) {
  const folder = await makeFolder();
  opened.push(folder.remove);
  const server = isServer ? await startHrana(join(folder.path, 'served.db')) : undefined;
  if (server) opened.push(server.close);
  const upstream = await startUpstream({ data });
  opened.push(upstream.close);
  const jobs = await openJobs(folder.path, {
    AS_OF: data.asOf.toISOString(),
    FIND_A_TENDER_URL: upstream.url,
    FIND_A_TENDER_GAP_SECONDS: '0',
    FIRST_WINDOW_DAYS: '14',
    ...(server ? { CATALOGUE_URL: server.url } : {}),
  });
  opened.push(jobs.close);
  return { jobs, server };
}

/** What every table says, but when its releases were fetched. */
async function compiled({ catalogue }: OpenJobs) {
  const digests = await readDigests(catalogue);
  return digests.filter(({ table }) => table !== 'release');
}

/** A few times: loses an answer, goes away for a moment, comes back. */
async function disturb(server: Hrana): Promise<void> {
  for (let times = 0; times < 5; times++) {
    await pause(300);
    server.loseAnswers(1);
    await pause(100);
    server.goAway();
    await pause(300);
    await server.comeBack();
  }
}

describe('a run whose catalogue is a server', () => {
  it('waits where it is away, writes again what it did not confirm, and comes to the same', async () => {
    const plain = await open(false);
    const wanted = await ingestSource(plain.jobs, 'find_a_tender');
    const { jobs, server } = await open(true);
    if (!server) throw new Error('no server');
    const disturbed = disturb(server);
    const run = await ingestSource(jobs, 'find_a_tender');
    await disturbed;
    expect(run).toMatchObject({ acquired: true, result: { state: 'succeeded', releases: 300 } });
    expect(wanted).toMatchObject({ acquired: true, result: { state: 'succeeded', releases: 300 } });
    expect(await compiled(jobs)).toEqual(await compiled(plain.jobs));
  });
});
