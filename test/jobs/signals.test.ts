import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../schema/db/open.ts';
import { AS_OF, makeData, makeNotices, makeRegisterRow } from '../ingest/small-world.ts';
import { scriptArguments } from '../support/compiled.ts';
import { makeFolder } from '../support/databases.ts';
import { makeEnvironment } from '../support/environment.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { upstreamSettings } from '../upstream/settings.ts';

const HOUR_MS = 3_600_000;
const KEY = 'a1b2c3d4-0000-4000-8000-e5f6a7b8c9d0';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

/** Services for one run alone: what they are asked tells that it is at work. */
function startSlowUpstream(): Promise<Upstream> {
  const data = makeData({
    findATender: makeNotices(40, HOUR_MS),
    bulk: [makeRegisterRow('01234567', 'ONE LIMITED')],
  });
  // Slow enough that a signal always comes in the middle of a run.
  return startUpstream({ data, faults: [{ path: /./, fault: { kind: 'delay', delayMs: 300 } }] });
}

function start(upstream: Upstream, name: string, data: string, ...args: string[]) {
  const env = makeEnvironment({
    ...upstreamSettings(upstream.url),
    COMPANIES_HOUSE_API_KEY: KEY,
    AS_OF: AS_OF.toISOString(),
    LOG_LEVEL: 'trace',
    JOBS_PRIVATE_PORT: '0',
    DATA_DIR: join(folder.path, data),
  });
  const child = spawn(execPath, [...scriptArguments(`jobs/${name}.ts`), ...args], { env });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      said.text += bytes;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number);
  return { child, said, ended };
}

async function endWith(
  upstream: Upstream,
  { child, ended }: ReturnType<typeof start>,
  signal: NodeJS.Signals,
): Promise<number> {
  while (upstream.requests.length < 3 && child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  child.kill(signal);
  return ended;
}

async function readState(data: string) {
  const catalogue = await openDatabase({
    url: `file:${join(folder.path, data, 'catalogue.db')}`,
    durability: 'normal',
  });
  const read = (sql: string) => catalogue.read({ sql });
  const state = {
    runs: await read('SELECT DISTINCT state, error, ended_at IS NOT NULL AS ended FROM run'),
    leases: await read('SELECT name FROM lease'),
  };
  await catalogue.close();
  return state;
}

const STOPPED = { state: 'abandoned', error: 'stopped before it had finished', ended: 1 };

describe('a run that is stopped by a signal', () => {
  // All at the same time: each waits for its services.
  it.concurrent.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    '%s at the command line: code %i, the run told as abandoned, the lease given back',
    async (signal, code) => {
      const upstream = await startSlowUpstream();
      expect(await start(upstream, 'cli/main', signal, 'migrate').ended).toBe(0);
      const started = start(upstream, 'cli/main', signal, 'ingest', 'find-a-tender');
      expect([await endWith(upstream, started, signal), started.said.text]).toEqual([code, expect.any(String)]);
      expect(started.said.text).toContain('find-a-tender: stopped before it had finished\n');
      expect(await readState(signal)).toEqual({ runs: [STOPPED], leases: [] });
      await upstream.close();
    },
  );

  it.concurrent('in the jobs process: code 0, every run abandoned, no lease left, no secret in the log', async () => {
    await mkdir(join(folder.path, 'jobs'));
    const upstream = await startSlowUpstream();
    const started = start(upstream, 'main', 'jobs');
    const { said } = started;
    expect(await endWith(upstream, started, 'SIGTERM')).toBe(0);
    await upstream.close();
    const { runs, leases } = await readState('jobs');
    expect(runs).toContainEqual(STOPPED);
    expect(runs).not.toContainEqual(expect.objectContaining({ state: 'running' }));
    expect(leases).toEqual([]);
    expect(said.text).toContain('"msg":"stopped"');
    for (const secret of [KEY, Buffer.from(`${KEY}:`).toString('base64')]) expect(said.text).not.toContain(secret);
  });
});
