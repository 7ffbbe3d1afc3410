import { once } from 'node:events';
import { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
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

it('connections on which nothing was asked do not hold the end up until the last requests would be cut off', async () => {
  const cutOff = vi.spyOn(Server.prototype, 'closeAllConnections');
  const server = await buildServer();
  const ends = [await open(server.url), await open(server.privateUrl)].map((socket) => once(socket, 'close'));
  await server.close();
  await Promise.all(ends);
  expect(cutOff).not.toHaveBeenCalled();
  cutOff.mockRestore();
});

it('what is asked while the server ends is answered, and told that its connection ends', async () => {
  const [row, runs] = [testRows[0] as Operation, { begun: 0, go: (): void => undefined }];
  const both = new Promise<void>((resolve) => {
    runs.go = resolve;
  });
  const run: Operation['run'] = async (...asked) => {
    runs.begun += 1;
    await both;
    return row.run(...asked);
  };
  const server = await buildServer({ operations: [{ ...row, run }] });
  const socket = await open(server.url);
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes;
  });
  const ended = once(socket, 'close');
  const head = `Host: localhost\r\nAuthorization: Bearer ${server.key}\r\n\r\n`;
  socket.write(`GET /v1/things/a HTTP/1.1\r\n${head}`);
  await expect.poll(() => runs.begun).toBe(1);
  const closing = server.close();
  socket.write(`GET /v1/things/b HTTP/1.1\r\n${head}`);
  await expect.poll(() => runs.begun).toBe(2);
  runs.go();
  await Promise.all([closing, ended]);
  const answers = said.split('HTTP/1.1 ').slice(1);
  expect(answers.map((answer) => [answer.slice(0, 6), /^connection: (\S+)\r$/im.exec(answer)?.[1]])).toEqual([
    ['200 OK', 'keep-alive'],
    ['200 OK', 'close'],
  ]);
});
