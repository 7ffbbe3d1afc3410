import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startForwarder } from '../../../../schema/db/replica/copy.ts';
import { askLog } from '../../../../schema/db/replica/server-log.ts';
import { placeOfServer } from '../../../../schema/db/server/place.ts';

it('a namespace by path is named to the server by us, and by a forwarder for the package', async () => {
  const asked: unknown[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push([url, Buffer.from(String(headers['x-namespace-bin']), 'base64').toString()]);
    response.writeHead(200, { 'content-type': 'application/grpc-web', 'grpc-status': '5', 'grpc-message': 'no' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dev/books`;
  await expect(askLog({ url })).rejects.toThrow(/it refuses Hello: no/);
  const forwarder = await startForwarder(placeOfServer(url));
  const hello = '/wal_log.ReplicationLog/Hello';
  const headers = { 'x-namespace-bin': 'MTI3' };
  const passed = await fetch(forwarder.url + hello, { method: 'POST', body: 'x', headers });
  expect([passed.status, passed.headers.get('grpc-message')]).toEqual([200, 'no']);
  expect(asked).toEqual(Array(2).fill([hello, 'books']));
  forwarder.close();
  server.close();
});
