import { once } from 'node:events';
import { request as ask, type createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { makeServer } from '../../../api/http/serve.ts';

/** More than the kernel takes for a client that does not read. */
const LONG = Buffer.alloc(64 * 1024 * 1024, 'x');

let server: ReturnType<typeof createServer>;
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** An answer that has begun, and the end of its connection as the server sees it. */
async function begin(
  body: Buffer,
  { stalledMs = 100, afterMs = 0 } = {},
): Promise<{ answer: IncomingMessage; closed: Promise<unknown> }> {
  let closed: Promise<unknown> = Promise.resolve();
  server = makeServer(
    (request, response) => {
      closed = once(request.socket, 'close');
      void pause(afterMs).then(() => response.end(body));
    },
    {},
    {},
    stalledMs,
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const call = ask({ port, host: '127.0.0.1', agent: false }).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return { answer, closed };
}

describe('a client that takes its answer', () => {
  it('not at all is cut off', async () => {
    const { answer, closed } = await begin(LONG);
    answer.on('error', () => undefined);
    await closed;
    answer.resume();
    await new Promise((resolve) => answer.once('close', resolve));
    expect(answer.complete).toBe(false);
  });

  it('piece by piece gets all of it, however long that takes', async () => {
    const { answer } = await begin(LONG, { stalledMs: 2_000 });
    const startMs = performance.now();
    let [bytes, pausedAt] = [0, 0];
    for await (const part of answer) {
      bytes += (part as Buffer).length;
      if (bytes - pausedAt < LONG.length / 50) continue;
      pausedAt = bytes;
      await pause(60);
    }
    expect([bytes, performance.now() - startMs > 2_000]).toEqual([LONG.length, true]);
  });

  it('from a server that works on it for long gets it', async () => {
    const { answer } = await begin(Buffer.from('done'), { afterMs: 400 });
    expect(String((await answer.toArray())[0])).toBe('done');
  });
});

it('a client that keeps its half of a connection open after a refusal is cut off, once it has the refusal', async () => {
  server = makeServer(() => undefined, {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [socket] = await once(server, 'connection');
  client.write('NO HTTP\r\n\r\n');
  let answer = '';
  await once(
    client.on('data', (part) => (answer += part)),
    'end',
  );
  expect(answer).toMatch(/^HTTP\/1.1 400 .*"error":"bad_request"/s);
  await expect.poll(() => socket.destroyed).toBe(true);
  client.destroy();
});
