import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it came. */
interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  id: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** What it answers from now on; 200 at first. */
  answer(by: (response: ServerResponse, webhook: Received) => void): void;
  close(): Promise<void>;
}

/** A receiver of webhooks on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let respond: (response: ServerResponse, webhook: Received) => void = (response) => response.end('thank you');
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers } = request;
    const webhook = { headers, body: Buffer.concat(chunks).toString(), id: String(headers['webhook-id']) };
    received.push(webhook);
    respond(response, webhook);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer(by) {
      respond = by;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
