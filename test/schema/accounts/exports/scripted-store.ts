import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeBucketStorage } from '../../../../schema/accounts/exports/s3/bucket.ts';

/** A bucket on a server that answers each request as a test says, and the requests that it got: their method and path. */
export async function startStore(answer: (asked: string, response: ServerResponse, request: IncomingMessage) => void) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    await text(request);
    response.setHeader('etag', '"1"');
    answer(`${request.method} ${request.url}`, response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`;
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const bucket = { address, prefix: '', region: 'us-east-1', place: 's3://bucket', ...keys };
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { bucket, storage: makeBucketStorage(bucket), asked, close };
}

export type ScriptedStore = Awaited<ReturnType<typeof startStore>>;
