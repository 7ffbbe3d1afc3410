import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import disk, { mkdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RebuildProgress } from '../../../../ingest/rebuild/generation.ts';
import { syncIndex } from '../../../../jobs/tasks/run.ts';
import { type Database, DatabaseAway } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { openCatalogue } from '../../../../schema/db/open-catalogue.ts';
import { makePatient } from '../../../../schema/db/patient.ts';
import { findRemarks } from '../../../../schema/db/readiness.ts';
import { openReplica } from '../../../../schema/db/replica/open.ts';
import { catalogueDigest } from '../../../ingest/store/catalogue-digest.ts';
import { scriptArguments } from '../../../support/compiled.ts';
import { makeFolder } from '../../../support/databases.ts';
import { makeEnvironment } from '../../../support/environment.ts';
import { createNamespace, hasLibsql, type LibsqlProcess, startLibsql } from '../../../support/libsql-process.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { makeSample } from '../../../upstream/sample/make.ts';
import { makeLate, type OpenJobs, openJobs, rebuild, releasesOf, storeReleases } from './filled-services.ts';

const NAMESPACE = 'catalogue';
const WAIT = { timeout: LIMITS_MS.wait };
const COUNT = { sql: 'SELECT count(*) AS n FROM release' };
const SIZE = { sql: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()' };
const SUCCESSOR = { sql: "SELECT value FROM meta WHERE name = 'successor'" };

describe.skipIf(!hasLibsql('a rebuild onto another server'))('a rebuild on servers', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let servers: LibsqlProcess[];
  let jobs: OpenJobs;
  let closing: { close(): Promise<void> }[];
  beforeEach(async () => {
    folder = await makeFolder();
    await mkdir(join(folder.path, 'jobs'));
    const first = await startLibsql({ folder: join(folder.path, 'first'), namespaces: true });
    servers = [first, await startServer('second')];
    await createNamespace(first, NAMESPACE);
    closing = [];
    jobs = await openJobs(join(folder.path, 'jobs'), settings());
    const { findATender, contractsFinder } = makeSample({ notices: 30, buyers: 8, companies: 20 });
    await storeReleases(jobs, 'find_a_tender', releasesOf(findATender));
    await storeReleases(jobs, 'contracts_finder', releasesOf(contractsFinder));
  }, LIMITS_MS.usual);
  afterEach(async () => {
    for (const each of [...closing, jobs]) await each.close();
    for (const server of servers) await server.kill();
    await folder.remove();
  });

  const startServer = (name: string) => startLibsql({ folder: join(folder.path, name) });
  /** The first is named by path, the others by host. */
  const urlOf = (index: number) => `${servers[index]?.url ?? ''}${index === 0 ? `/dev/${NAMESPACE}` : ''}`;
  const settings = (here = 0, next = 1) => ({ CATALOGUE_URL: urlOf(here), CATALOGUE_NEXT_URL: urlOf(next) });
  const closedAfterwards = <T extends { close(): Promise<void> }>(opened: T): T => {
    closing.push(opened);
    return opened;
  };
  /** Stays on its server, also after the catalogue has moved to another. */
  const open = async (index: number) =>
    closedAfterwards(await openDatabase({ url: urlOf(index), durability: 'normal' }));
  /** Follows the catalogue to another server. */
  const follow = async (index: number) =>
    closedAfterwards(await openCatalogue({ url: urlOf(index), durability: 'normal', lookEveryMs: 20 }));
  /** On a busy machine a server may not answer in time: it is asked again. */
  const countReleases = async (database: Database) => {
    const patient = makePatient(database, { forMs: LIMITS_MS.wait, onAway: () => undefined });
    return (await patient.read<{ n: number }>(COUNT))[0]?.n ?? 0;
  };

  it('moves to it while ingest writes: nothing is lost, every reader follows, and search continues', async () => {
    await syncIndex(jobs);
    const reader = await follow(0);
    const writer = await follow(0);
    const replica = closedAfterwards(
      await openReplica({
        dataDir: join(folder.path, 'api'),
        server: { url: urlOf(0) },
        say: () => undefined,
        everyMs: 50,
        lookEveryMs: 25,
      }),
    );
    const counts: number[] = [];
    const stages: string[] = [];
    let isDone = false;
    const looking = (async () => {
      for (; !isDone; await pause(20)) counts.push(await countReleases(reader));
    })();
    let pages = 0;
    const writing = (async () => {
      for (; !isDone; await pause(50))
        await storeReleases({ ...jobs, catalogue: writer }, 'find_a_tender', makeLate(900_000 + 10 * pages++));
    })();
    const before = await countReleases(reader);
    const report = await rebuild(jobs, { onProgress: ({ stage }) => stages.push(stage) });
    await vi.waitFor(() => expect(reader.url).toBe(urlOf(1)), WAIT);
    isDone = true;
    await Promise.all([looking, writing]);
    expect(report).toMatchObject({ moved: true, movedTo: urlOf(1) });
    expect([...new Set(stages)].slice(-2)).toEqual(['sending', 'moving']);
    expect(report.caughtUp).toBeGreaterThan(0);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts[0]).toBeGreaterThanOrEqual(before);
    expect(await countReleases(await open(1))).toBe(before + 5 * pages);
    expect([jobs, { catalogue: writer }, { catalogue: reader }].map(({ catalogue }) => catalogue.url)).toEqual(
      Array(3).fill(urlOf(1)),
    );
    await vi.waitFor(async () => expect(await countReleases(replica)).toBe(before + 5 * pages), WAIT);
    expect(replica.url).toMatch(/^file:/);
    expect(findRemarks(reader)).toEqual([
      `the catalogue has moved to ${urlOf(1)}: set CATALOGUE_URL to it on every machine`,
    ]);
    expect((await syncIndex(jobs)) as object).toMatchObject({ acquired: true, result: { rebuilt: null } });
    const again = await rebuild(jobs, { check: true });
    expect([again.same, again.moved]).toEqual([true, false]);
  });

  it('is found by a machine that starts with an address of before, also where it moved twice', async () => {
    const before = await catalogueDigest(jobs.catalogue);
    await rebuild(jobs);
    servers.push(await startServer('third'));
    const nextSettings = { ...settings(0, 2), CATALOGUE_NEXT_AUTH_TOKEN: 'a-secret' };
    const other = closedAfterwards(await openJobs(join(folder.path, 'jobs'), nextSettings));
    expect(await rebuild(other)).toMatchObject({ movedTo: urlOf(2), same: true });
    const late = await follow(0);
    expect(await catalogueDigest(late)).toEqual(before);
    expect(late.url).toBe(urlOf(2));
    for (const [index, next] of [urlOf(1), urlOf(2)].entries()) {
      const left = await open(index);
      expect(await left.read(SUCCESSOR)).toEqual([{ value: next }]);
      expect(JSON.stringify(await left.read({ sql: 'SELECT * FROM meta' }))).not.toContain('a-secret');
      await expect(left.write([{ sql: "UPDATE source SET title = ''" }])).rejects.toThrow(/being moved/);
    }
    expect(existsSync(join(folder.path, 'jobs/rebuild'))).toBe(false);
    await expect(rebuild(other)).rejects.toThrow(/is at .* already/);
  });

  it('needs no room for the copy that an attempt which failed has left', async () => {
    const { statfs } = disk;
    const [row] = await jobs.catalogue.read<{ bytes: number }>(SIZE);
    const useRoom = (bytes: number) => {
      disk.statfs = (async () => ({ bavail: bytes, bsize: 1 })) as unknown as typeof statfs;
      syncBuiltinESMExports();
    };
    const size = row?.bytes ?? 0;
    try {
      useRoom(2 * size - 1);
      await expect(rebuild(jobs)).rejects.toThrow(/needs \d+ bytes on the disk/);
      useRoom(2 * size);
      await expect(rebuild(jobs, { onProgress: () => expect.fail('stopped') })).rejects.toThrow('stopped');
      useRoom(size);
      expect(await rebuild(jobs)).toMatchObject({ moved: true });
    } finally {
      disk.statfs = statfs;
      syncBuiltinESMExports();
    }
  });

  it('refuses a database that holds something', async () => {
    const second = await open(1);
    await second.write([{ sql: 'CREATE TABLE mine (a)' }]);
    await expect(rebuild(jobs)).rejects.toThrow(/CATALOGUE_NEXT_URL is not empty/);
    expect(existsSync(join(folder.path, 'jobs/rebuild'))).toBe(false);
    expect(await (await open(0)).read(SUCCESSOR)).toEqual([]);
  });

  it('moves nothing where something else writes to the new database; the next one fills over that', async () => {
    const before = await catalogueDigest(jobs.catalogue);
    const onProgress = ({ stage, done }: RebuildProgress) => {
      if (stage === 'moving' && done === 0)
        writeAtOnce(urlOf(1), "INSERT INTO counter (rowid, name, value) VALUES (99, 'x', 1)");
    };
    await expect(rebuild(jobs, { onProgress })).rejects.toThrow(
      /nothing was moved, as something else writes there: counter \(\d+, and \d+ there\)$/,
    );
    expect(await (await open(0)).read(SUCCESSOR)).toEqual([]);
    await jobs.catalogue.write([{ sql: 'UPDATE source SET title = title' }]);
    expect(await rebuild(jobs)).toMatchObject({ moved: true, same: true });
    expect(await catalogueDigest(await open(1))).toEqual(before);
  });

  it('moves nothing where the server was killed meanwhile, and so began another log', async () => {
    let restarted: Promise<void> | undefined;
    const onProgress = ({ stage }: RebuildProgress) => {
      if (stage === 'comparing') restarted ??= servers[0]?.kill().then(() => servers[0]?.start());
    };
    await expect(rebuild(jobs, { onProgress })).rejects.toThrow(/began another log meanwhile; nothing was moved/);
    await restarted;
    expect(await (await open(0)).read(SUCCESSOR)).toEqual([]);
  });

  it.each([
    ['releases', 0],
    ['sending', 300],
    ['moving', 0],
    ['moving', 1],
    ['moving', 2],
  ])('killed at %s %i has moved nothing, and the next one fills over what it left', async (stage, done) => {
    const before = await catalogueDigest(jobs.catalogue);
    await kill(stage, done);
    const first = await open(0);
    expect(await first.read(SUCCESSOR)).toEqual([]);
    // Its leases run out, and so does the time for which it held the server still.
    await first.write([{ sql: "UPDATE meta SET value = 0 WHERE name = 'held_until'" }]);
    await first.write([{ sql: 'UPDATE lease SET expires_at = 0' }]);
    expect(await rebuild(jobs)).toMatchObject({ moved: true, same: true });
    expect(await catalogueDigest(await open(1))).toEqual(before);
  });

  it('has succeeded also where the old server does not answer when its end is recorded', async () => {
    const write = vi.fn(jobs.catalogue.write);
    const onProgress = ({ stage, done }: RebuildProgress) => {
      if (stage === 'moving' && done === 3) write.mockRejectedValueOnce(new DatabaseAway('it does not answer'));
    };
    const catalogue = { ...jobs.catalogue, write };
    expect(await rebuild({ ...jobs, catalogue }, { onProgress })).toMatchObject({ movedTo: urlOf(1) });
    expect(await jobs.catalogue.read({ sql: 'SELECT state FROM run' })).toEqual([{ state: 'succeeded' }]);
  });

  it('killed right after its last batch has moved wholly', async () => {
    const before = await catalogueDigest(jobs.catalogue);
    await kill('moving', 3);
    expect(await catalogueDigest(jobs.catalogue)).toEqual(before);
    const late = await follow(0);
    await storeReleases({ ...jobs, catalogue: late }, 'find_a_tender', makeLate(900_000));
    expect(late.url).toBe(urlOf(1));
    expect(await countReleases(await open(1))).toBe((await countReleases(await open(0))) + 5);
  });

  /** Writes to a server before anything else can happen in this process. */
  function writeAtOnce(url: string, sql: string): void {
    const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql } }] });
    const script = `fetch('${url}/v2/pipeline', { method: 'POST', body: process.argv[1] })`;
    execFileSync(process.execPath, ['-e', script, body]);
  }

  async function kill(stage: string, done: number): Promise<void> {
    const script = scriptArguments('test/jobs/tasks/rebuild/killed-process.ts');
    const given = [join(folder.path, 'jobs'), stage, String(done), JSON.stringify(settings())];
    const child = spawn(process.execPath, [...script, ...given], { env: makeEnvironment({}), stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  }
});
