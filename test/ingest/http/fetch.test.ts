import processes from 'node:child_process';
import { once } from 'node:events';
import files from 'node:fs/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { makeHttpClient } from '../../../ingest/http/client.ts';
import { openFetcher } from '../../../ingest/http/fetch.ts';
import { keptBySignal } from '../../support/kept-by-signal.ts';

it('starts no process to measure a machine on which one request runs at a time', async () => {
  const started = vi.spyOn(processes, 'spawn');
  const server = createServer((_request, response) => response.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fetcher = openFetcher({ userAgent: 'test', timeoutMs: 10_000 });
  const answer = await fetcher.fetch({ url: `http://127.0.0.1:${port}/` });
  expect(Buffer.from(answer.bytes).toString()).toBe('here');
  await fetcher.close();
  server.close();
  expect(started.mock.calls.map(([command]) => command)).toEqual([]);
  started.mockRestore();
});

it('leaves nothing of an answered request behind on the signal of a run', async () => {
  const server = createServer((_request, response) => response.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();
  const fetcher = openFetcher({ userAgent: 'test', timeoutMs: 10_000 });
  await fetcher.fetch({ url, signal });
  const before = keptBySignal(signal);
  for (let request = 0; request < 20; request++) await fetcher.fetch({ url, signal });
  expect(keptBySignal(signal)).toBe(before);
  await fetcher.close();
  server.close();
});

it('gives up an answer that drips, as it would hold its source for days', async () => {
  const dripping: NodeJS.Timeout[] = [];
  const server = createServer((_request, response) => {
    response.write('{');
    dripping.push(setInterval(() => response.write(' '), 20));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fetcher = openFetcher({ userAgent: 'test', timeoutMs: 1_000 });
  await expect(fetcher.fetch({ url: `http://127.0.0.1:${port}/` })).rejects.toThrow('received for 1 s');
  await fetcher.close();
  for (const drip of dripping) clearInterval(drip);
  // It closes once its last connection has.
  server.close();
  await once(server, 'close');
});

it('reads no more of an answer without an end than a limit, and closes its connection', async () => {
  const server = createServer((_request, response) => {
    const write = () => {
      while (response.write('x'.repeat(1_000)));
    };
    response.on('drain', write);
    write();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fetcher = openFetcher({ userAgent: 'test', timeoutMs: 10_000, bytesMost: 1_000_000 });
  await expect(fetcher.fetch({ url: `http://127.0.0.1:${port}/` })).rejects.toThrow('longer than 1000000 bytes');
  await fetcher.close();
  // It closes once its last connection has.
  server.close();
  await once(server, 'close');
});

/** The next file to be opened is on a disk that says only at its closing that it has no room, as one of a network does. */
function failAtClose(): void {
  const { open } = files;
  const opening = vi.spyOn(files, 'open').mockImplementationOnce(async (...args) => {
    opening.mockRestore();
    syncBuiltinESMExports();
    const file = await open(...args);
    const { close } = file;
    const fail = () => Promise.reject(new Error('ENOSPC: no space left on device, close'));
    return Object.assign(file, { close: () => close().then(fail) });
  });
  syncBuiltinESMExports();
}

it.each([
  ['write', '/dev/full', () => undefined],
  ['close', '/dev/null', failAtClose],
])('asks no service again for a file that its %s finds no room for', async (call, path, prepare) => {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end('a part of the register');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = makeHttpClient({
    fetcher: openFetcher({ userAgent: 'test', timeoutMs: 10_000 }),
    limiter: { acquire: async () => 0, hold: async () => undefined },
    sleep: async () => undefined,
    wallNow: () => new Date(),
    log: pino({ level: 'silent' }),
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/part1.zip`;
  prepare();
  await expect(client.fetch({ url, intoFile: path })).rejects.toMatchObject({
    name: 'NotWritten',
    message: `${path} cannot be written (ENOSPC: no space left on device, ${call})`,
  });
  expect(asked).toEqual(['/part1.zip']);
  await client.close();
  server.close();
});
