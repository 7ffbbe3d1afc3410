import { mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RebuildOvertaken } from '../../../../ingest/rebuild/move.ts';
import { openLiveCopy, workFiles } from '../../../../ingest/rebuild/server/copy.ts';
import { takeLock } from '../../../../schema/db/process-lock.ts';
import { lockPath } from '../../../../schema/db/replica/files.ts';
import { makeFolder } from '../../../support/databases.ts';
import { findFreePort } from '../../../support/free-port.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

it('the copy of a server that is away is waited for until the rebuild is stopped', async () => {
  const stop = new AbortController();
  const said: string[] = [];
  const say = (_level: string, message: string) => {
    said.push(message);
    setImmediate(() => stop.abort(new Error('stopped by SIGINT')));
  };
  const server = { url: `http://127.0.0.1:${await findFreePort()}` };
  const opened = openLiveCopy(workFiles(folder.path), { server, say, signal: stop.signal });
  await expect(opened).rejects.toThrow('stopped by SIGINT');
  expect(said).toEqual([expect.stringContaining('ECONNREFUSED')]);
});

it('a folder in which another process rebuilds is not used', async () => {
  const files = workFiles(folder.path);
  await mkdir(files.folder);
  const lock = takeLock(lockPath(files));
  const server = { url: 'http://127.0.0.1:9' };
  await expect(openLiveCopy(files, { server, say: () => undefined })).rejects.toThrow(RebuildOvertaken);
  lock?.release();
});
