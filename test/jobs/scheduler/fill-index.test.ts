import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fillOnce } from '../../../jobs/scheduler/fill-index.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { SearchEngine } from '../../../search/engine.ts';
import { readLag } from '../../../search/index/health.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { notice, setSeq } from '../../search/index/notice-rows.ts';
import { makeTestEngine } from '../../search/test-engine.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { startHrana } from '../../support/libsql-server.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
const open: { close(): unknown }[] = [];
beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
  await catalogue.close();
  await folder.remove();
});

/** A machine's jobs process in the role `index`, with nothing but the catalogue server and a folder of its own. */
function startMachine(url: string, dataDir: string, more: Record<string, string> = {}) {
  const own = { JOBS_ROLES: 'index', CATALOGUE_URL: url, DATA_DIR: dataDir, JOBS_PRIVATE_PORT: '0' };
  const env = makeEnvironment({ ...own, ...more });
  const child = spawn(process.execPath, scriptArguments('jobs/main.ts'), { env });
  let said = '';
  const hear = (bytes: Buffer) => {
    said += bytes;
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, said }));
  open.push({ close: () => void child.kill('SIGKILL') });
  const until = (pattern: RegExp) =>
    vi.waitFor(() => pattern.exec(said)?.[1] ?? expect.fail(said), { timeout: LIMITS_MS.wait });
  return { child, ended, until };
}

describe('a machine that only answers', () => {
  it('fills its own index from the server, takes no lease, and ends on a signal', async () => {
    await catalogue.write([notice('1', 1), notice('2', 2), setSeq(2)]);
    const server = await startHrana(join(folder.path, 'catalogue.db'));
    open.push(server);
    const dataDir = join(folder.path, 'machine');
    const machine = startMachine(server.url, dataDir);
    const url = await machine.until(/"private":"(http[^"]+)"/);
    const ask = async (path: string) => (await fetch(url + path)).text();
    await machine.until(/("stored":2)/);
    expect(await ask('/readyz')).toBe('ready\n');
    expect(await ask('/metrics')).toMatch(/^search_lag_rows\{engine="embedded",collection="contracts"\} 0$/m);
    expect(await catalogue.read({ sql: 'SELECT name FROM lease' })).toEqual([]);
    expect(existsSync(join(dataDir, 'accounts.db'))).toBe(false);

    await catalogue.write([notice('3', 3), setSeq(3)]);
    // Meanwhile the first looks for changed rows.
    const second = await startMachine(server.url, dataDir).ended;
    expect(second).toMatchObject({ code: 1, said: expect.stringMatching(/^another process fills the search index/) });
    await machine.until(/("stored":1)/);

    machine.child.kill('SIGTERM');
    expect((await machine.ended).code).toBe(0);
  });

  it('is not ready while its server is away, and fills on once that is back', async () => {
    await catalogue.write([notice('1', 1), notice('2', 2), setSeq(2)]);
    const server = await startHrana(join(folder.path, 'catalogue.db'));
    open.push(server);
    const machine = startMachine(server.url, join(folder.path, 'machine'));
    const url = await machine.until(/"private":"(http[^"]+)"/);
    const isReady = async () => {
      const answer = await fetch(`${url}/readyz`);
      return [answer.status, await answer.text()];
    };
    await machine.until(/("stored":2)/);
    server.goAway();
    await machine.until(/(failed; tried again in a moment)/);
    expect(await isReady()).toEqual([503, expect.stringMatching(/catalogue: .*cannot be used/)]);
    await server.comeBack();
    await catalogue.write([notice('3', 3), setSeq(3)]);
    await machine.until(/("stored":1)/);
    expect(await isReady()).toEqual([200, 'ready\n']);
  });

  it('leaves Meilisearch, which all machines share, to the process with the other jobs', async () => {
    await catalogue.write([notice('1', 1), setSeq(1)]);
    const server = await startHrana(join(folder.path, 'catalogue.db'));
    const asked: string[] = [];
    const meilisearch = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(500).end();
    });
    meilisearch.listen(0, '127.0.0.1');
    await once(meilisearch, 'listening');
    open.push(server, meilisearch);
    const MEILI_URL = `http://127.0.0.1:${(meilisearch.address() as AddressInfo).port}`;
    const machine = startMachine(server.url, join(folder.path, 'machine'), { MEILI_URL });
    await machine.until(/("stored":1)/);
    expect(asked).toEqual([]);
  });

  it('says in a sentence that it cannot write to its folder', async () => {
    await mkdir(join(folder.path, 'machine', 'filling.lock'), { recursive: true });
    const machine = await startMachine('http://127.0.0.1:9', join(folder.path, 'machine')).ended;
    expect(machine).toEqual({ code: 1, said: expect.stringMatching(/^\S+filling.lock cannot be opened: .*\n$/) });
  });

  it('does not begin where the catalogue is a file, which the other jobs index', async () => {
    const machine = await startMachine('', folder.path).ended;
    expect(machine).toMatchObject({ code: 1, said: expect.stringMatching(/as JOBS_ROLES is index, got a file/) });
  });
});

describe('an index next to a copy of the server', () => {
  let engine: SearchEngine;
  const copyOf = (answers: boolean): Database => ({
    ...catalogue,
    copyAge: () => ({ answers, seconds: 1, fault: null }),
  });
  beforeEach(async () => {
    const { index, url } = await openIndex(folder.path);
    engine = makeTestEngine(index, { catalogue, url, readers: 1 });
    open.push(engine);
    await catalogue.write([notice('1', 1), notice('2', 2), setSeq(2)]);
  });

  it('waits for the copy to be whole', async () => {
    const { signal } = new AbortController();
    const log = pino({ level: 'silent' });
    expect(await fillOnce({ catalogue: copyOf(false), search: engine, log }, signal)).toBeNull();
    expect(await engine.readCursor()).toBeNull();
    expect(await fillOnce({ catalogue: copyOf(true), search: engine, log }, signal)).toMatchObject({ stored: 2 });
    expect(await fillOnce({ catalogue: copyOf(true), search: engine, log }, signal)).toBeNull();
  });

  it('lacks nothing where it is ahead of the copy, as one is that jobs fill from the server', async () => {
    await syncSearch(catalogue, engine);
    await catalogue.write([setSeq(1)]);
    expect(await readLag(copyOf(true), engine)).toBe(0);
    expect(await readLag(catalogue, engine)).toBeGreaterThan(0);
    await catalogue.write([{ sql: "UPDATE meta SET value = 'another' WHERE name = 'generation'" }]);
    expect(await readLag(copyOf(true), engine)).toBeGreaterThan(0);
  });
});
