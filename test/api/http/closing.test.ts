import { once } from 'node:events';
import { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Operation } from '../../../api/contract/operation.ts';
import { buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';

/** A connection without a request, as browsers and probes of a port open them. */
async function open(url: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  await once(socket, 'connect');
  return socket;
}

it('connections on which nothing was asked do not delay the end until running requests are cut off', async () => {
  const cutOff = vi.spyOn(Server.prototype, 'closeAllConnections');
  const server = await buildServer();
  const ends = [await open(server.url), await open(server.privateUrl)].map((socket) => once(socket, 'close'));
  await server.close();
  await Promise.all(ends);
  expect(cutOff).not.toHaveBeenCalled();
  cutOff.mockRestore();
});

/** A server whose calls wait until they are let go, and a connection for them. */
async function hold() {
  const [row, runs] = [testRows[0] as Operation, { begun: 0, go: (): void => undefined }];
  const held = new Promise<void>((resolve) => {
    runs.go = resolve;
  });
  const run: Operation['run'] = async (...asked) => {
    runs.begun += 1;
    await held;
    return row.run(...asked);
  };
  const server = await buildServer({ operations: [{ ...row, run }] });
  const socket = await open(server.url);
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes;
  });
  const head = `Host: localhost\r\nAuthorization: Bearer ${server.key}\r\n\r\n`;
  const begin = async (id: string) => {
    const { begun } = runs;
    socket.write(`GET /v1/things/${id} HTTP/1.1\r\n${head}`);
    await expect.poll(() => runs.begun).toBe(begun + 1);
  };
  const ended = once(socket, 'close');
  const answers = () => said.split('HTTP/1.1 ').slice(1);
  const told = () => answers().map((answer) => [answer.slice(0, 6), /^connection: (\S+)\r$/im.exec(answer)?.[1]]);
  return { server, socket, begin, go: () => runs.go(), ended, told };
}

it('what is asked while the server ends is answered, and told that its connection ends', async () => {
  const { server, begin, go, ended, told } = await hold();
  await begin('a');
  const closing = server.close();
  await begin('b');
  go();
  await Promise.all([closing, ended]);
  expect(told()).toEqual([
    ['200 OK', 'keep-alive'],
    ['200 OK', 'close'],
  ]);
});

it('a connection whose last answer did not say that it ends is ended soon after it, and none is cut off', async () => {
  const cutOff = vi.spyOn(Server.prototype, 'closeAllConnections');
  const { server, begin, go, ended, told } = await hold();
  await begin('a');
  const closing = server.close();
  go();
  await Promise.all([closing, ended]);
  expect([told(), cutOff.mock.calls]).toEqual([[['200 OK', 'keep-alive']], []]);
  cutOff.mockRestore();
});

it('a call that is not answered within ten seconds more is cut off', async () => {
  const { server, socket, begin, go, ended } = await hold();
  await begin('a');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closing = server.close();
  // `expect.poll` would move the time on.
  while (vi.getTimerCount() < 2) await pause(5);
  vi.advanceTimersByTime(9_999);
  await pause(50);
  expect(socket.readyState).toBe('open');
  vi.advanceTimersByTime(1);
  await ended;
  vi.useRealTimers();
  go();
  await closing;
});
