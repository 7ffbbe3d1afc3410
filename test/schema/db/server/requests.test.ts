import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSafeServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { DatabaseAway, OutcomeUnknown } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { makeServerFetch } from '../../../../schema/db/server/requests.ts';
import { makeCertificate } from '../../../jobs/watches/certificates.ts';

let close = async () => undefined as unknown;
afterEach(async () => {
  vi.useRealTimers();
  await close();
});

/** A server, how many connections were made to it, and what it was asked. */
async function serve(answer: RequestListener) {
  const seen = { connections: 0, open: 0, headers: [] as Record<string, unknown>[], bodies: [] as string[] };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    seen.headers.push(request.headers);
    seen.bodies.push(Buffer.concat(parts).toString());
    answer(request, response);
  });
  // It would keep a connection for as long as its client does.
  server.keepAliveTimeout = 0;
  server.on('connection', (connection) => {
    seen.connections += 1;
    seen.open += 1;
    connection.once('close', () => {
      seen.open -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/pipeline`, seen };
}

const LONG_MS = 30_000;
const post = (url: string, body: string) =>
  new Request(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

it('asks over one connection, whole and with its headers, for an answer that is not compressed', async () => {
  const { url, seen } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"said":"ünï"}');
  });
  const fetch = makeServerFetch(LONG_MS, { 'x-namespace': 'accounts' });
  for (const body of ['{"one":"é"}', '{"two":2}']) {
    const { ok, status, headers, ...answer } = await fetch(post(url, body));
    expect([ok, status, headers.get('Content-Type'), await answer.json()]).toEqual([
      ...[true, 200, 'application/json', { said: 'ünï' }],
    ]);
  }
  expect([seen.connections, seen.bodies]).toEqual([1, ['{"one":"é"}', '{"two":2}']]);
  expect(seen.headers[0]).toMatchObject({ 'x-namespace': 'accounts', 'content-length': '12' });
  expect(seen.headers[0]).not.toHaveProperty('accept-encoding');
});

it.each([301, 503])('answers what the server refuses with %d, and throws what is no JSON', async (status) => {
  const { url } = await serve((_request, response) => void response.writeHead(status).end('away'));
  const fetch = makeServerFetch(LONG_MS, {});
  const refused = await fetch(post(url, '{}'));
  expect([refused.ok, refused.status, refused.headers.get('content-type'), await refused.text()]).toEqual([
    ...[false, status, null, 'away'],
  ]);
  await expect(refused.json()).rejects.toThrow(SyntaxError);
});

it('asks over TLS where the address says so, and only a server whose certificate is trusted', async () => {
  const [from, until] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms)) as [Date, Date];
  const server = createSafeServer(makeCertificate({ name: 'localhost', from, until })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => new Promise((resolve) => server.close(resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}/v2/pipeline`;
  const asked = makeServerFetch(LONG_MS, {})(post(url, '{}'));
  await expect(asked).rejects.toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
});

it('is cut at its deadline with its connection, also in the middle of an answer', async () => {
  const { url, seen } = await serve((_request, response) => void response.writeHead(200).write('{"half":'));
  await expect(makeServerFetch(100, {})(post(url, '{}'))).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect.poll(() => seen.open).toBe(0);
});

it('throws where the way is cut, and says why where nothing listens', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '9' }).write('{"half":');
    setImmediate(() => response.destroy());
  });
  const fetch = makeServerFetch(LONG_MS, {});
  const cut = await fetch(post(url, '{}')).catch((error: unknown) => error);
  expect([cut instanceof TypeError, (cut as Error).cause !== undefined]).toEqual([true, true]);
  await close();
  await expect(fetch(post(url, '{}'))).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

it('leaves no timer, which would keep a process that is done', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { url } = await serve((_request, response) => void response.end('{}'));
  const fetch = makeServerFetch(LONG_MS, {});
  const countLeft = async () => {
    for (let turns = 0; turns < 1_000 && vi.getTimerCount() > 0; turns++) await yieldToEventLoop();
    return vi.getTimerCount();
  };
  await fetch(post(url, '{}'));
  expect(await countLeft()).toBe(0);
  await close();
  await expect(fetch(post(url, '{}'))).rejects.toThrow(TypeError);
  expect(await countLeft()).toBe(0);
});

it('is repeated once where the connection is cut, and never where it may have written', async () => {
  const { url, seen } = await serve(({ socket }) => void (seen.bodies.at(-1)?.includes('late') || socket.destroy()));
  const open = (readMs: number) =>
    openDatabase({ url: new URL(url).origin, durability: 'full', deadlineMs: { read: readMs, write: LONG_MS } });
  const [cut, hasty] = [await open(LONG_MS), await open(50)];
  await expect(cut.read({ sql: 'SELECT 1' })).rejects.toThrow(DatabaseAway);
  await expect(cut.write([{ sql: 'DELETE FROM lease' }])).rejects.toThrow(OutcomeUnknown);
  await expect(hasty.read({ sql: "SELECT 'late'" })).rejects.toThrow(DatabaseAway);
  const asked = (sql: string) => seen.bodies.filter((body) => body.includes(sql)).length;
  expect([asked('SELECT 1'), asked('DELETE')]).toEqual([2, 1]);
  // On a busy machine its time may be over before it arrives.
  expect(asked('late')).toBeLessThan(2);
  for (const each of [cut, hasty]) await each.close();
});

it('lets a connection go that nobody uses, before something between may have forgotten it', async () => {
  const { url, seen } = await serve((_request, response) => void response.end('{}'));
  const fetch = makeServerFetch(LONG_MS, {});
  await fetch(post(url, '{}'));
  await expect.poll(() => seen.open, { timeout: LONG_MS }).toBe(0);
  await fetch(post(url, '{}'));
  expect(seen.connections).toBe(2);
});

it.each(['read', 'write'] as const)('waits for a %s as long as is set for it, not for the other', async (patient) => {
  const { url } = await serve(() => undefined);
  const deadlineMs = { read: 50, write: 50, [patient]: LONG_MS };
  const database = await openDatabase({ url: new URL(url).origin, durability: 'full', deadlineMs });
  const ended: string[] = [];
  const asked = { read: database.read({ sql: 'SELECT 1' }), write: database.write([{ sql: 'DELETE FROM lease' }]) };
  for (const [name, one] of Object.entries(asked)) one.catch(() => ended.push(name));
  await Promise.race([asked.read, asked.write]).catch(() => undefined);
  await pause(200);
  expect(ended).toEqual([patient === 'read' ? 'write' : 'read']);
  await database.close();
});
