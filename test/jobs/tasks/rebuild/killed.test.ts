import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RebuildProgress } from '../../../../ingest/rebuild/generation.ts';
import { acquireLease } from '../../../../jobs/process/lease.ts';
import { dropFormerGeneration } from '../../../../jobs/tasks/rebuild/file.ts';
import { ingestLease } from '../../../../jobs/tasks/run.ts';
import { SERVER_NOW } from '../../../../schema/db/interface.ts';
import { readCurrentGeneration } from '../../../../schema/db/open-catalogue.ts';
import { catalogueDigest } from '../../../ingest/store/catalogue-digest.ts';
import { scriptArguments } from '../../../support/compiled.ts';
import { makeEnvironment } from '../../../support/environment.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { copyJobs, type FilledJobs, findTemplate, openJobs, rebuild } from './filled-services.ts';

let template: string;
beforeAll(async () => {
  template = await findTemplate();
});

describe('a rebuild that is killed', () => {
  it.concurrent.each(['releases', 'moving'])(
    'at %s leaves the live catalogue, and the next one begins again',
    async (stage) => {
      const { jobs, folder, close } = await copyJobs(template);
      const before = await catalogueDigest(jobs.catalogue);
      const child = spawn(
        process.execPath,
        [...scriptArguments('test/jobs/tasks/rebuild/killed-process.ts'), folder, stage],
        {
          env: makeEnvironment({}),
          stdio: 'inherit',
        },
      );
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
      expect(existsSync(join(folder, 'catalogue-2.db'))).toBe(true);
      expect(await readCurrentGeneration(jobs.settings.CATALOGUE_URL)).toBe(1);
      expect(await catalogueDigest(jobs.catalogue)).toEqual(before);
      await expect(rebuild(jobs)).rejects.toThrow(/held by process \d+/);
      // They outlive a statement of minutes, during which no heartbeat can renew them.
      const lasting = `SELECT name FROM lease WHERE expires_at > ${SERVER_NOW} + 200000 ORDER BY name`;
      expect(await jobs.catalogue.read({ sql: lasting })).toEqual([
        { name: ingestLease('companies_house') },
        { name: 'rebuild' },
      ]);
      // Its leases run out.
      await jobs.catalogue.write([{ sql: 'UPDATE lease SET expires_at = 0' }]);
      expect(await rebuild(jobs)).toMatchObject({ generation: 2, moved: true, same: true });
      expect(await catalogueDigest(jobs.catalogue)).toEqual(before);
      await close();
    },
  );

  it('right after its move is found by the next process to open the catalogue', async () => {
    const { jobs, folder, close } = await copyJobs(template);
    await rebuild(jobs);
    const pointer = join(folder, 'catalogue.generation');
    await rm(pointer);
    const reopened = await openJobs(folder);
    expect(reopened.catalogue.url).toContain('catalogue-2.db');
    expect(await rebuild(reopened)).toMatchObject({ generation: 3, removed: [1] });
    expect(await readFile(pointer, 'utf8')).toBe('3\n');
    await reopened.close();
    await close();
  });

  it.each<[string, (jobs: FilledJobs['jobs']) => Promise<unknown>]>([
    ['a rebuild that is stopped', (jobs) => expect(stopAtOnce(jobs)).rejects.toThrow('stopped by SIGINT')],
    ['upkeep', async (jobs) => expect(await dropFormerGeneration(jobs)).toEqual([1])],
  ])('right after its move leads to its generation also once %s has removed the former one', async (_what, act) => {
    const { jobs, folder, close } = await copyJobs(template);
    await rebuild(jobs);
    await rm(join(folder, 'catalogue.generation'));
    await act(jobs);
    expect(existsSync(join(folder, 'catalogue.db'))).toBe(false);
    expect(await readCurrentGeneration(jobs.settings.CATALOGUE_URL)).toBe(2);
    await close();
  });
});

function stopAtOnce(jobs: FilledJobs['jobs']) {
  return rebuild(jobs, { signal: AbortSignal.abort(new Error('stopped by SIGINT')) });
}

it('a rebuild that is stopped while it waits for the process that reads the register says by what', async () => {
  const { jobs, close } = await copyJobs(template);
  await acquireLease(jobs.catalogue, 'ingest:companies_house', { holder: 'a bulk run' });
  const stop = new AbortController();
  const onWait = () => void setImmediate(() => stop.abort(new Error('stopped by SIGINT')));
  const stopped = rebuild(jobs, { onWait, signal: stop.signal, waitMs: LIMITS_MS.long });
  await expect(stopped).rejects.toThrow('stopped by SIGINT');
  await close();
});

it('a rebuild that is stopped begins no other stage and leaves no file', async () => {
  const { jobs, folder, close } = await copyJobs(await findTemplate(10));
  const said: RebuildProgress[] = [];
  const end = (stage: RebuildProgress['stage']) => said.findLast((one) => one.stage === stage);
  for (const stage of ['parties', 'releases', 'reconciling', 'comparing']) {
    const stop = new AbortController();
    const onProgress = (progress: RebuildProgress) => {
      said.push(progress);
      if (progress.stage === stage) stop.abort(new Error('stopped by SIGINT'));
    };
    await expect(rebuild(jobs, { onProgress, signal: stop.signal })).rejects.toThrow('stopped by SIGINT');
    expect([said.at(-1)?.stage, existsSync(join(folder, 'catalogue-2.db'))]).toEqual([stage, false]);
  }
  await rebuild(jobs, { onProgress: (progress) => said.push(progress) });
  for (const stage of ['parties', 'releases'] as const) expect(end(stage)?.done).toBe(end(stage)?.total);
  await close();
});

it('a rebuild whose lease went to another one leaves that one the file that it is building', async () => {
  const { jobs, folder, close } = await copyJobs(await findTemplate(10));
  let isTaken: Promise<unknown> | undefined;
  const onProgress = ({ stage }: RebuildProgress) => {
    if (stage === 'releases')
      isTaken ??= jobs.catalogue.write([{ sql: "UPDATE lease SET token = 'of another' WHERE name = 'rebuild'" }]);
  };
  await expect(rebuild(jobs, { onProgress })).rejects.toThrow('lease lost');
  await isTaken;
  expect(existsSync(join(folder, 'catalogue-2.db'))).toBe(true);
  await close();
});
