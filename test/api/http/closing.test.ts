import { once } from 'node:events';
import { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { buildServer } from '../../support/services.ts';

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
