import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { askText } from '../../../../schema/accounts/exports/s3/requests.ts';
import type { StoreAway } from '../../../../schema/accounts/exports/storage.ts';
import { type ScriptedStore, startStore } from './scripted-store.ts';

const open: ScriptedStore[] = [];
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});
async function serve(answer: (asked: string, response: ServerResponse, request: IncomingMessage) => void) {
  const store = await startStore(answer);
  open.push(store);
  return store;
}

const refuse = (response: ServerResponse, status: number, code: string) =>
  void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
const GET = { method: 'GET', key: 'a' } as const;

/** More than one part of an upload. */
async function* large(bytes = 9_000_000) {
  yield Buffer.alloc(bytes);
}
const NAME = { stem: 'ex_1', extension: 'csv' };

it.each([
  [
    'ends it with a fault that begins as a success',
    '<UploadId>u</UploadId>',
    'answers InternalError to the end of an upload',
  ],
  ['names no upload', '', 'begins an upload without an id'],
])('a file is not written to a bucket that %s', async (_what, begun, words) => {
  const { storage, asked } = await serve((request, response) => {
    if (request.startsWith('POST') && request.endsWith('?uploads=')) response.end(`<Result>${begun}</Result>`);
    else if (request.startsWith('POST')) response.end('<Error><Code>InternalError</Code></Error>');
    else response.end();
  });
  await expect(storage.write(NAME, large())).rejects.toThrow(words);
  expect(asked.filter((request) => request.startsWith('DELETE'))).toHaveLength(begun ? 1 : 0);
});

it('a page that answers in place of the bucket confirms no file, and is no mark of another installation', async () => {
  const page = (response: ServerResponse) => {
    response.removeHeader('etag');
    response.end('<html><body>Down for maintenance</body></html>');
  };
  let isAway = true;
  const { storage, asked } = await serve((request, response) => {
    if (isAway) page(response);
    else if (request.endsWith('?uploads=')) response.end('<UploadId>u</UploadId>');
    else if (request.startsWith('POST')) page(response);
    else response.end();
  });
  await expect(storage.write(NAME, large(1))).rejects.toThrow('s3://bucket does not confirm what was sent');
  await expect(storage.readMark()).rejects.toThrow('s3://bucket answers with something that is not its store-mark');
  // It appears after the parts have arrived.
  isAway = false;
  await expect(storage.write(NAME, large())).rejects.toThrow('answers something else to the end of an upload');
  expect(asked.at(-1)).toMatch(/^DELETE/);
});

it('a file has another name with each writing: a writer believed dead cannot touch that of the next', async () => {
  const { storage } = await serve((_asked, response) => void response.end());
  const written = [await storage.write(NAME, large(1)), await storage.write(NAME, large(1))];
  expect(new Set(written.map(({ file }) => file)).size).toBe(2);
});

it('what is gone already is removed, also where the bucket says that it is not there', async () => {
  const { storage } = await serve((asked, response) =>
    refuse(response, 404, asked.includes('uploadId') ? 'NoSuchUpload' : 'NoSuchKey'),
  );
  await storage.remove('ex_1-0123456789ab.csv');
  await storage.remove('ex_1-0123456789ab.csv?upload=u');
});

it.each([
  ['asked again where it has too much to do', 429, 'SlowDown', 2],
  ['not asked again where it refuses', 403, 'AccessDenied', 1],
])('a bucket is %s', async (_what, status, code, times) => {
  let isFirst = true;
  const { bucket, asked } = await serve((_asked, response) => {
    if (isFirst) refuse(response, status, code);
    else response.end('here');
    isFirst = false;
  });
  const said = await askText(bucket, GET).then(
    ({ text }) => text,
    ({ message }: StoreAway) => message,
  );
  expect([said, asked.length]).toEqual([times > 1 ? 'here' : `s3://bucket answers ${status} ${code} to GET`, times]);
});

it('a bucket that does not answer in time is not waited for again', async () => {
  const { bucket, asked } = await serve(async (path, response) => {
    if (path.endsWith('hanging')) return;
    response.write('be');
    await pause(200);
    response.end('gun');
  });
  await expect(askText(bucket, { ...GET, key: 'hanging', limitMs: 50 })).rejects.toThrow(
    'does not answer within 0.05 s',
  );
  // On a busy machine its time may be over before it arrives.
  expect(asked.length).toBeLessThan(2);
  // Its limit is over before its end; on a busy machine it may not begin in time.
  const slow = askText(bucket, { ...GET, limitMs: 150 }).then(({ text }) => text);
  expect(await slow.catch(({ message }: Error) => message)).toMatch(/^begun$|does not answer within/);
});

it('a redirect is not followed: it leads to a host for which the request is not signed', async () => {
  const { bucket, asked } = await serve(
    (_asked, response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  );
  await expect(askText(bucket, GET)).rejects.toThrow(/answers 307 to GET/);
  expect(asked).toHaveLength(1);
});

it('a reader that stops closes the connection', async () => {
  let closed: Promise<unknown> | undefined;
  const { storage } = await serve((_asked, response) => {
    closed = once(response, 'close');
    // More than waits on the way, so that this side cannot have ended it.
    response.write(Buffer.alloc(50_000_000));
  });
  for await (const _ of (await storage.read('ex_1-0123456789ab.csv')) ?? expect.fail()) break;
  await closed;
});

it('a file of which no more comes is not waited for without end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { storage } = await serve((_asked, response) => void response.writeHead(200).write('half'));
  const body = await storage.read('ex_1-0123456789ab.csv');
  const ended = text(body as Readable).catch((error: unknown) => error);
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  await once(body as Readable, 'readable');
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  expect(await ended).toMatchObject({ name: 'StoreAway', message: expect.stringContaining('stood still for 20 s') });
});
