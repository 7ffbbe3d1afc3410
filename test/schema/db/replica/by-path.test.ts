import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { openCopy, startForwarder } from '../../../../schema/db/replica/copy.ts';
import { askLog, readFrames } from '../../../../schema/db/replica/server-log.ts';
import { placeOfServer } from '../../../../schema/db/server/place.ts';
import { makeFolder } from '../../../support/databases.ts';

it('a copy is read from where the server listens', () => {
  const places = [
    ['libsql://db.example.org', 'https://db.example.org'],
    ['libsql://db.example.org:8080?tls=0', 'http://db.example.org:8080'],
    ['ws://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['https://db.example.org/behind/dev/books/', 'https://db.example.org/behind', 'books'],
  ] as const;
  for (const [url, base, namespace] of places) expect(placeOfServer(url)).toEqual({ base, namespace });
});

it('a namespace by path is named to the server by us, and by a forwarder for the package', async () => {
  const asked: unknown[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push([url, Buffer.from(String(headers['x-namespace-bin']), 'base64').toString()]);
    response
      .writeHead(200, { 'content-type': 'application/grpc-web', 'grpc-status': '5', 'grpc-message': 'not%20here' })
      .end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dev/books`;
  await expect(askLog({ url })).rejects.toThrow(/it refuses Hello: not here/);
  const forwarder = await startForwarder(placeOfServer(url));
  const hello = '/wal_log.ReplicationLog/Hello';
  const headers = { 'x-namespace-bin': 'MTI3' };
  const passed = await fetch(forwarder.url + hello, { method: 'POST', body: 'x', headers });
  expect([passed.status, passed.headers.get('grpc-message')]).toEqual([200, 'not%20here']);
  expect(asked).toEqual(Array(2).fill([hello, 'books']));
  forwarder.close();
  server.close();
});

it.each([
  ['127.0.0.1', '127'],
  ['localhost', 'default'],
])(
  'the log of a server at %s is asked for by the namespace %s, as the package does where the path names none',
  async (host, namespace) => {
    const asked: string[] = [];
    const server = createServer(({ headers }, response) => {
      asked.push(Buffer.from(String(headers['x-namespace-bin']), 'base64').toString());
      response.writeHead(503).end();
    }).listen(0, host);
    await once(server, 'listening');
    const url = `http://${host}:${(server.address() as AddressInfo).port}`;
    await expect(askLog({ url })).rejects.toThrow(/it answers 503/);
    expect(asked).toEqual([namespace]);
    server.close();
  },
);

it('frames that a log no longer has are none, and a server that refuses them otherwise is away', async () => {
  let why = 'NEED_SNAPSHOT';
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/grpc-web', 'grpc-status': '9', 'grpc-message': why }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await readFrames({ url }, 'session', 1)).toBeNull();
  why = 'too%20busy';
  await expect(readFrames({ url }, 'session', 1)).rejects.toThrow(/it refuses BatchLogEntries: too busy/);
  server.close();
});

/** A server that says which token and namespace it is shown, in a thread: the package blocks its own while it opens a copy. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  createServer(({ headers }, response) => {
    const token = headers['x-authorization'] ?? headers.authorization;
    parentPort.postMessage(token + ' of ' + Buffer.from(headers['x-namespace-bin'] ?? '', 'base64'));
    response.writeHead(200, { 'content-type': 'application/grpc-web', 'grpc-status': '5', 'grpc-message': 'no' }).end();
  }).listen(0, '127.0.0.1', function () {
    parentPort.postMessage(this.address().port);
  });`;

it('the token and the namespace of a server are shown to it by us, and by the package', async () => {
  const thread = new Worker(SERVER, { eval: true });
  const [port] = (await once(thread, 'message')) as [number];
  const shown: unknown[] = [];
  thread.on('message', (said) => shown.push(said));
  const server = { url: `http://127.0.0.1:${port}/dev/books`, authToken: 'a-token' };
  await expect(askLog(server)).rejects.toThrow(/it refuses Hello: no/);
  await expect.poll(() => shown).toEqual(['Bearer a-token of books']);
  const folder = await makeFolder();
  const copy = openCopy(1, join(folder.path, 'catalogue.db'), server);
  await expect(copy.sync()).rejects.toThrow(/the sync failed/);
  await expect.poll(() => shown.length).toBeGreaterThan(1);
  expect(new Set(shown)).toEqual(new Set(['Bearer a-token of books']));
  copy.close();
  await thread.terminate();
  await folder.remove();
});
