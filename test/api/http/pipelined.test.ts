import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeServer } from '../../../api/http/serve.ts';

let server: Server;
let begun: number;
/** More than a connection holds that nobody reads. */
const LARGE = 'a'.repeat(16_000_000);

beforeEach(async () => {
  begun = 0;
  server = makeServer(({ url }, response) => {
    begun += 1;
    if (url === '/long') return void response.writeHead(200, { 'Content-Length': 1_000 }).write('part of an answer');
    if (url === '/large') return void response.end(LARGE);
    const number = begun;
    setImmediate(() => response.end(`answer ${number};`));
  }, {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A client that sends requests in one piece, before it has an answer to any. */
function openClient() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  let read = '';
  socket.on('data', (text) => {
    read += text;
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return {
    write: (text: string) => socket.write(text),
    send: (requests: number) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests)),
    read: () => read,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    answers: () => [...read.matchAll(/answer (\d+);/g)].map(([, number]) => Number(number)),
    closed,
    close: () => socket.destroy(),
  };
}

it('requests that come together are answered in their order, again and again', async () => {
  const client = openClient();
  for (const asked of [80, 160, 240]) {
    client.send(80);
    await expect.poll(client.answers).toHaveLength(asked);
  }
  expect(client.answers()).toEqual(client.answers().toSorted((a, b) => a - b));
  client.close();
});

it('a connection with a flood of them is closed before most are begun, and others are answered', async () => {
  const flood = openClient();
  flood.send(50_000);
  await flood.closed;
  expect(begun).toBeLessThan(1_000);
  const other = openClient();
  other.send(1);
  await expect.poll(other.answers).toHaveLength(1);
  other.close();
});

it('what is no request is refused, but not within the answer to the request before it', async () => {
  const stray = openClient();
  stray.write('no request\r\n\r\n');
  await stray.closed;
  expect(stray.read()).toContain('bad_request');
  const client = openClient();
  client.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(client.read).toMatch(/part of an answer$/);
  client.write('no request\r\n\r\n');
  await client.closed;
  expect(client.read()).toMatch(/part of an answer$/);
});

it('what is no HTTP request is refused only after the whole answer to the one before it', async () => {
  const client = openClient();
  client.pause();
  client.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => begun).toBe(1);
  const refused = once(server, 'clientError');
  client.write('no request\r\n\r\n');
  await refused;
  client.resume();
  await client.closed;
  expect(
    client
      .read()
      .split('HTTP/1.1 ')
      .map((answer) => [answer.slice(0, 3), answer.includes(LARGE)]),
  ).toEqual([
    ['', false],
    ['200', true],
    ['400', false],
  ]);
});
