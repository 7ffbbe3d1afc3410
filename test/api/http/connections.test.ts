import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { admitRequest, boundConnections, countConnections } from '../../../api/http/connections.ts';

const MOST = 10;
let server: Server;
let agent: Agent;
let answer: RequestListener;
let answerSlow: () => void;
let slowWaiting: number;

beforeEach(async () => {
  const slow = new Promise<void>((resolve) => {
    answerSlow = resolve;
  });
  slowWaiting = 0;
  answer = (request, response) => {
    if (!admitRequest(request.socket, response)) return;
    if (request.url === '/slow') {
      slowWaiting += 1;
      void slow.then(() => response.end('slow'));
    } else response.end('quick');
  };
  await start(MOST);
  agent = new Agent({ keepAlive: true });
});
afterEach(() => {
  agent.destroy();
  stop();
});

async function start(most: number): Promise<void> {
  server = createServer(answer);
  boundConnections(server, most);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function stop(): void {
  server.closeAllConnections();
  server.close();
}

/** One call; its connection is kept. */
async function call(path = '/'): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const sent = get({ host: '127.0.0.1', port, path, agent });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return (await response.toArray()).join('');
}

it('idle connections make room for new ones, and those at work stay', async () => {
  const slow = call('/slow');
  expect(await Promise.all(Array.from({ length: MOST - 2 }, () => call()))).toHaveLength(MOST - 2);
  // A client of its own: it does not share the connections that are idle now.
  agent = new Agent({ keepAlive: true });
  expect(await Promise.all(Array.from({ length: MOST / 2 }, () => call()))).toHaveLength(MOST / 2);
  answerSlow();
  expect(await slow).toBe('slow');
});

it('one beyond the most is closed while all are at work', async () => {
  const slow = Array.from({ length: MOST }, () => call('/slow'));
  await expect.poll(() => slowWaiting).toBe(MOST);
  await expect(call()).rejects.toThrow();
  answerSlow();
  expect(await Promise.all(slow)).toHaveLength(MOST);
});

it('clients that begin requests and do not end them keep nobody out: the oldest of them makes room', async () => {
  const slow = call('/slow');
  const begun = await Promise.all(Array.from({ length: MOST - 1 }, open));
  for (const one of begun) one.write(REQUEST.slice(0, 20));
  const [oldest, next] = begun.map((one) => once(one.resume(), 'close'));
  agent = new Agent({ keepAlive: true });
  expect(await call()).toBe('quick');
  await oldest;
  // The answered one is idle by now, and younger than those that have begun.
  await open();
  await next;
  answerSlow();
  expect(await slow).toBe('slow');
});

it('each connection may download an export, and files are left for everything else', () => {
  for (const files of [250, 1_024, 4_096]) expect(2 * countConnections(files)).toBeLessThanOrEqual(files - 130);
  expect([countConnections(1_000_000), countConnections(100)]).toEqual([10_000, 1]);
});

it('to make room for a connection, only a few of those at work are looked at', async () => {
  stop();
  await start(150);
  const slow = Array.from({ length: 149 }, () => call('/slow'));
  await expect.poll(() => slowWaiting).toBe(149);
  const begun = await open();
  begun.write(REQUEST.slice(0, 20));
  const ended = once(begun.resume(), 'close');
  await expect(call()).rejects.toThrow();
  expect(await call()).toBe('quick');
  await ended;
  answerSlow();
  expect(await Promise.all(slow)).toHaveLength(149);
});

it('idle clients make room; one that has just connected or has sent half a request stays', async () => {
  const fresh = await open();
  const half = await open();
  half.write(REQUEST);
  await once(half, 'data');
  half.write(REQUEST.slice(0, 20));
  const idle = await Promise.all(Array.from({ length: MOST - 3 }, open));
  const ends = idle.map((one) => once(one, 'close'));
  for (const one of idle) one.write(REQUEST);
  await Promise.all(idle.map((one) => once(one, 'data')));
  const newest = await open();
  await Promise.all(ends);
  fresh.write(REQUEST);
  half.write(REQUEST.slice(20));
  newest.write(REQUEST);
  for (const one of [fresh, half, newest]) expect(String(await once(one, 'data'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

it('a client that is answered while its request is on its way stays, and makes room once that is whole', async () => {
  const came: IncomingMessage[] = [];
  server.on('request', (request: IncomingMessage) => came.push(request));
  const [underway, whole] = [await open(), await open()];
  for (const one of [underway, whole]) {
    one.write(`${POST}12345`);
    await once(one, 'data');
  }
  const end = once(whole, 'close');
  whole.write('67890');
  await expect.poll(() => came[1]?.complete).toBe(true);
  await Promise.all(Array.from({ length: MOST - 2 }, () => call()));
  await open();
  await end;
  underway.write(`67890${REQUEST}`);
  expect(String(await once(underway, 'data'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n';
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** A connection that has sent nothing. */
async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}
