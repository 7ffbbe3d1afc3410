import { once } from 'node:events';
import { createServer, request as requestPlain } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { parentPort } from 'node:worker_threads';
import { namespaceHeader, type ServerPlace } from '../server/place.ts';

/** Passes each request on to a server with its namespace. Tokens are in the requests themselves. Resolves with its address. */
async function forward({ base, namespace = '' }: ServerPlace): Promise<string> {
  const send = base.startsWith('https:') ? requestOverTls : requestPlain;
  const server = createServer((request, response) => {
    const { host: _, ...given } = request.headers;
    const headers = { ...given, ...namespaceHeader(namespace) };
    const passed = send(`${base}${request.url}`, { method: request.method, headers });
    // The closed connection tells the client, which tries again later.
    const fail = () => void response.destroy();
    passed.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response).catch(fail);
    });
    response.once('close', () => passed.destroy());
    pipeline(request, passed).catch(fail);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

parentPort?.once('message', async (place: ServerPlace) => parentPort?.postMessage(await forward(place)));
