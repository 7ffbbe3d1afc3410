import { once } from 'node:events';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { request as call, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../support/client.ts';
import { noticeRow, seed } from '../../support/seed.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

/** More than lies between a file and a client that does not read. */
const BYTES = 64 * 1024 * 1024;
let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer({
    credits: 350,
    fill: (catalogue) => seed(catalogue, noticeRow('000001-2026', 'ocds-h6vhtk-1')),
  });
});
afterAll(() => built.close());

/** A finished export, and the path of its file. */
async function makeExport(): Promise<{ url: string; file: string }> {
  const { body } = await ask(built.url, '/v1/exports', built.key, { method: 'POST' });
  const folder = join(built.folder, 'exports');
  const file = join(folder, 'file.csv');
  await mkdir(folder, { recursive: true });
  await writeFile(file, '');
  await truncate(file, BYTES);
  const sql = `UPDATE export SET status = 'completed', file = 'file.csv', bytes = ?, sha256 = ?,
    expires_at = '2999-01-01T00:00:00Z' WHERE id = ?`;
  await built.accounts.write([{ sql, args: [BYTES, 'ab'.repeat(32), body.export_id] }]);
  const made = await ask(built.url, `/v1/exports/${body.export_id}`, built.key);
  return { url: built.url + String(made.body.download_url).replace('http://localhost', ''), file };
}

it('a file that is cut short while it is sent cuts its download, too, and the next one is refused', async () => {
  const { url, file } = await makeExport();
  // A connection that would be used again: its client would wait until it has been idle for too long.
  const signal = AbortSignal.timeout(LIMITS_MS.wait);
  const options = { headers: { connection: 'keep-alive', 'accept-encoding': 'gzip' }, signal };
  const [answer] = (await once(call(url, options).end(), 'response')) as [IncomingMessage];
  // Compressed as it is sent it would have no length, and its parts would be of other bytes.
  expect([answer.headers['content-encoding'], answer.headers['content-length']]).toEqual([undefined, String(BYTES)]);
  await truncate(file, BYTES / 2);
  await expect(answer.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
  // It was the server that ended it: a client that gives up is told the same.
  expect([answer.complete, signal.aborted]).toEqual([false, false]);
  expect((await fetch(url)).status).toBe(503);
});
